import type { Issue } from '../../platform/fault.ts';
import type { AddressFinding, TrackingFinding } from './carrier.port.ts';
import type { Capability, Carrier, CredentialName } from './carriers.catalog.ts';

/** A carrier's credentials in an input: the fields that this carrier asks for. */
export type CredentialsInput = { readonly [Name in CredentialName]?: string | null | undefined };

/** The context with which a box of credentials is sealed. */
export function credentialsContext(companyId: string, connectionId: number): string {
  return `carrier_connection ${companyId} ${connectionId}`;
}

/** Checks that the input has all that the carrier asks for, and nothing else. */
export function credentialIssues({ name: carrierName, credentials: wanted }: Carrier, input: object): readonly Issue[] {
  if (wanted.length === 0) {
    const message = `must be left out: the service has no interface to ${carrierName}`;
    return [{ path: ['credentials'], code: 'not_allowed', message }];
  }
  const given = Object.keys(credentialsOf(input));
  const asks = `${carrierName} asks for ${wanted.join(', ')}`;
  const missing = wanted
    .filter(name => !given.includes(name))
    .map(name => ({ name, code: 'required' as const, message: `must be given: ${asks}` }));
  const extra = given
    .filter(name => !wanted.some(one => one === name))
    .map(name => ({ name, code: 'not_allowed' as const, message: `must be left out: ${asks}` }));
  return [...extra, ...missing].map(({ name, code, message }) => ({ path: ['credentials', name], code, message }));
}

/** Capabilities for which the carrier is asked, and which need an account there. */
const ASKED: ReadonlySet<Capability> = new Set(['tracking', 'address_check']);

/**
 * The capabilities of an active connection: the carrier's, without those for which the carrier would have to be asked
 * but cannot be. Prices need no account; the tariff depends on the day of shipment, so it does not matter here.
 */
export function capabilitiesOf({ capabilities }: Carrier, canBeAsked: boolean): readonly Capability[] {
  return canBeAsked ? capabilities : capabilities.filter(capability => !ASKED.has(capability));
}

export type Credentials = Readonly<Record<string, string>>;

/** The credentials of an input, without nulls. */
export function credentialsOf(input: object): Credentials {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null && value !== undefined));
}

/**
 * The state of a connection's credentials once they were rejected: `refused`, the carrier rejects them; `changed`, they
 * were replaced, and the carrier was not asked with the new ones yet.
 */
export type CredentialsState = 'refused' | 'changed';

/** The verdict of a carrier's responses on the credentials; null if they give none. */
export function credentialsVerdict(
  answers: readonly (TrackingFinding | AddressFinding)['kind'][],
): 'accepted' | 'refused' | null {
  if (answers.some(kind => PROOFS.has(kind))) return 'accepted';
  return answers.includes('refused') ? 'refused' : null;
}

/** Responses that a carrier gives only to valid credentials. */
const PROOFS: ReadonlySet<string> = new Set<(TrackingFinding | AddressFinding)['kind']>([
  'events',
  'not_found',
  'confirmed',
  'candidates',
  'corrected',
]);
