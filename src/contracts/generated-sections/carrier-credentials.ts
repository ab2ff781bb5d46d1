import type { CarrierAccount } from '../../domain/carriers/carrier.port.ts';
import { CARRIERS, type Carrier, type VerificationType } from '../../domain/carriers/carriers.catalog.ts';
import { ADAPTERS } from '../../upstream/adapters.ts';
import { code, count, table } from './markdown.ts';

const CHECKS: Readonly<Record<VerificationType, string>> = {
  street_registry: 'its street registry',
  routing: 'postal code, city and province',
  postal_validation: 'postal code and city',
  transit_time: 'transit times from your principal warehouse',
  none: '–',
};
const NOTHING = '–';

/** The credentials of an account at each carrier, and the capabilities of the service with it. */
export function carriers(): string {
  const rows = CARRIERS.map(({ code: carrier, name, credentials, verificationType, countryScope }) => [
    code(carrier),
    name,
    credentialsOf(credentials),
    CHECKS[verificationType],
    verificationType === 'none' ? NOTHING : countryScope === 'domestic_it' ? 'Italy' : 'everywhere',
    paceOf(carrier),
  ]);
  return table(['Code', 'Carrier', 'Credentials', 'Checks addresses by', 'In', 'Asked about shipments'], rows);
}

function credentialsOf({ tracking, address_check: checks }: Carrier['credentials']): string {
  if (!tracking && !checks) return NOTHING;
  if (String(tracking) === String(checks)) return names(tracking);
  return `tracking: ${names(tracking)}; addresses: ${names(checks)}`;
}

function names(credentials: readonly string[] = []): string {
  return credentials.length === 0 ? NOTHING : credentials.map(code).join(', ');
}

function paceOf(carrier: CarrierAccount['carrierCode']): string {
  const tracking = ADAPTERS[carrier]?.tracking;
  if (!tracking) return NOTHING;
  const { numbersPerRequest, requestsPerMinute } = tracking;
  const shipments = numbersPerRequest === 1 ? '' : ` for ${count(numbersPerRequest)} shipments each`;
  return `${count(requestsPerMinute)} requests a minute${shipments}`;
}
