import type { Command } from 'commander';

/** Fields of inputs whose option has another name. A message about a field names the option that was typed. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  apiKeyId: 'key',
  carrierCode: 'carrier',
  carriers: 'carrier',
  companyId: 'company',
  endpointId: 'endpoint',
  expiresAt: 'expires',
  'filter/statusCodes': 'statuses',
  'filter/warehouseIds': 'warehouses',
  parcel: 'size',
  'rates/cost': 'rateCost',
  'rates/quotes': 'rateQuotes',
  'rates/reads': 'rateReads',
  'rates/writes': 'rateWrites',
  requestId: 'request',
  statusCodes: 'statuses',
  tariffs: 'tariff',
  type: 'event',
};

/** The name of a path on the command line; the path itself if no option of the command sets it. */
export function optionNamed(path: readonly PropertyKey[], { options }: Command): string {
  const [first = '', second = '', ...deeper] = path.map(String);
  const optionOf = (...names: (string | undefined)[]) =>
    options.find(one => !one.negate && names.includes(one.attributeName()))?.long;
  const below = (steps: readonly string[]) => (steps.length === 0 ? '' : ` ${steps.join('/')}`);
  const ofTwo = optionOf(second, OTHER_NAMES[`${first}/${second}`]);
  if (ofTwo) return `${ofTwo}${below(deeper)}`;
  const ofOne = optionOf(first, OTHER_NAMES[first]);
  if (ofOne) return `${ofOne}${below(path.map(String).slice(1))}`;
  // The option takes no value, and the message says which one is allowed.
  return first === 'environment' ? 'the environment (--sandbox)' : path.join('/');
}
