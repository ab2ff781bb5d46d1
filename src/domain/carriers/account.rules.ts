import type { Issue } from '../../platform/fault.ts';
import type { AddressFinding, TrackingFinding } from './carrier.port.ts';
import type { Capability, Carrier, CredentialName } from './carriers.catalog.ts';

/** A carrier's credentials as they are sent: of the fields that carriers have, those that this one asks for. */
export type CredentialsInput = { readonly [Name in CredentialName]?: string | null | undefined };

/** What a box of credentials is sealed for. */
export function credentialsContext(companyId: string, connectionId: number): string {
  return `carrier_connection ${companyId} ${connectionId}`;
}

/** Whether the input has all that the carrier asks for, and nothing else. */
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

/** What the service does by asking the carrier, which takes an account there. */
const ASKED: ReadonlySet<Capability> = new Set(['tracking', 'address_check']);

/**
 * What a connection can do while it is active: what the carrier can, without what it would have to be asked for where it
 * is not. Prices depend on no account, and on a tariff only for a day: which one is in force goes by the day of shipment.
 */
export function capabilitiesOf({ capabilities }: Carrier, canBeAsked: boolean): readonly Capability[] {
  return canBeAsked ? capabilities : capabilities.filter(capability => !ASKED.has(capability));
}

export type Credentials = Readonly<Record<string, string>>;

/** The credentials that were sent, without those that are null. */
export function credentialsOf(input: object): Credentials {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null && value !== undefined));
}

/**
 * What is known of a connection's credentials, where they were ever refused: `refused`, the carrier does not take them;
 * `changed`, they are others since, which the carrier was not asked with yet.
 */
export type CredentialsState = 'refused' | 'changed';

/** What answers of a carrier say of the credentials; null where they say nothing. */
export function credentialsVerdict(
  answers: readonly (TrackingFinding | AddressFinding)['kind'][],
): 'accepted' | 'refused' | null {
  if (answers.some(kind => PROOFS.has(kind))) return 'accepted';
  return answers.includes('refused') ? 'refused' : null;
}

/** Answers that a carrier gives to nobody whose credentials it does not take. */
const PROOFS: ReadonlySet<string> = new Set<(TrackingFinding | AddressFinding)['kind']>([
  'events',
  'not_found',
  'confirmed',
  'candidates',
  'corrected',
]);
