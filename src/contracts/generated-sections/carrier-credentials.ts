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
const NONE_NEEDED = 'none needed';

/** The credentials of an account at each carrier, and the capabilities of the service with it. */
export function carriers(): string {
  const rows = CARRIERS.map((row: Carrier) => {
    const { code: carrier, name, verificationType, compares, countryScope } = row;
    return [
      code(carrier),
      name,
      credentialsOf(row),
      compares.length === 0 ? NOTHING : compares.map(part => PARTS[part]).join(', '),
      verificationType === 'none' ? NOTHING : countryScope === 'domestic_it' ? 'Italy' : 'everywhere',
      paceOf(carrier),
    ];
  });
  return table(['Code', 'Carrier', 'Credentials', 'Compares of an address', 'In', 'Asked about shipments'], rows);
}

function credentialsOf({ credentials: { tracking, address_check: checks }, settings = {} }: Carrier): string {
  if (!tracking && !checks) return NOTHING;
  const optional = Object.keys(settings).map(setting => `${code(setting)} (optional)`);
  if (!tracking || !checks) return [names(tracking ?? checks), ...optional].join(', ');
  if (String(tracking) === String(checks)) return names(tracking);
  return `tracking: ${names(tracking)}; addresses: ${names(checks)}`;
}

function names(credentials: readonly string[] = []): string {
  return credentials.length === 0 ? NONE_NEEDED : credentials.map(code).join(', ');
}

function paceOf(carrier: CarrierAccount['carrierCode']): string {
  const tracking = ADAPTERS[carrier]?.tracking;
  if (!tracking) return NOTHING;
  const { numbersPerRequest, requestsPerMinute } = tracking;
  const shipments = numbersPerRequest === 1 ? '' : ` for ${count(numbersPerRequest)} shipments each`;
  return `${count(requestsPerMinute)} requests a minute${shipments}`;
}
