import type { CarrierAccount } from '../../domain/carriers/carrier.port.ts';
import { CARRIERS, type Carrier, type ComparedPart } from '../../domain/carriers/carriers.catalog.ts';
import { ADAPTERS } from '../../upstream/adapters.ts';
import { code, count, table } from './markdown.ts';

const PARTS: Readonly<Record<ComparedPart, string>> = {
  zip: 'postal code',
  city: 'city',
  province: 'province',
  street: 'street',
};
const NOTHING = '–';

/** The credentials of an account at each carrier, and the capabilities of the service with it. */
export function carriers(): string {
  const rows = CARRIERS.map(({ code: carrier, name, credentials, verificationType, compares, countryScope }) => [
    code(carrier),
    name,
    credentialsOf(credentials),
    compares.length === 0 ? NOTHING : compares.map(part => PARTS[part]).join(', '),
    verificationType === 'none' ? NOTHING : countryScope === 'domestic_it' ? 'Italy' : 'everywhere',
    paceOf(carrier),
  ]);
  return table(['Code', 'Carrier', 'Credentials', 'Compares of an address', 'In', 'Asked about shipments'], rows);
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
