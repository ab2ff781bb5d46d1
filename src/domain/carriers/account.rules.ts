import type { Checks } from '../checks.rules.ts';
import type { Carrier, CredentialName } from './carriers.catalog.ts';

/** A carrier's credentials as they are sent: of the fields that carriers have, those that this one asks for. */
export type CredentialsInput = { readonly [Name in CredentialName]?: string | null };

export type CheckedCredentials = Readonly<Record<string, string>>;

const MAX_CREDENTIAL = 500;

/** What a box of credentials is sealed for. */
export function credentialsContext(companyId: string, connectionId: number): string {
  return `carrier_connection ${companyId} ${connectionId}`;
}

/** All that the carrier asks for, and nothing else. */
export function checkCredentials(checks: Checks, carrier: Carrier, input: CredentialsInput): CheckedCredentials {
  const { name: carrierName, credentials: wanted } = carrier;
  if (wanted.length === 0) {
    checks.add(['credentials'], 'not_allowed', `must be left out: the service knows no interface of ${carrierName}`);
    return {};
  }
  const given = new Map(Object.entries(input).filter(([, value]) => value !== null && value !== undefined));
  for (const name of given.keys()) {
    if (wanted.some(one => one === name)) continue;
    checks.add(['credentials', name], 'not_allowed', `must be left out: ${carrierName} asks for ${wanted.join(', ')}`);
  }
  return Object.fromEntries(
    wanted.map(name => {
      if (given.has(name)) return [name, checks.text(['credentials', name], given.get(name) ?? '', MAX_CREDENTIAL)];
      checks.add(['credentials', name], 'required', `must be given: ${carrierName} asks for ${wanted.join(', ')}`);
      return [name, ''];
    }),
  );
}
