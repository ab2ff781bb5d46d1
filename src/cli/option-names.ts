/** The options for fields of inputs. A message about a field names the option that was typed. */
const OPTIONS: Readonly<Record<string, string>> = {
  actions: '--actions',
  apiKeyId: '--key',
  baseUrl: '--base-url',
  carrierCode: '--carrier',
  company: '--company',
  companyId: '--company',
  credentials: '--credentials',
  endpointId: '--endpoint',
  events: '--events',
  // The option takes no value, and the message says which one is allowed.
  environment: 'the environment (--sandbox)',
  expiresAt: '--expires',
  'filter/carriers': '--carriers',
  'filter/marketplaces': '--marketplaces',
  'filter/metadata': '--metadata',
  'filter/statusCodes': '--statuses',
  'filter/warehouseIds': '--warehouses',
  key: '--key',
  label: '--label',
  name: '--name',
  overlapHours: '--overlap-hours',
  parcel: '--size',
  'parcel/weight': '--weight',
  'rates/cost': '--rate-cost',
  'rates/quotes': '--rate-quotes',
  'rates/reads': '--rate-reads',
  'rates/writes': '--rate-writes',
  requestId: '--request',
  scopes: '--scopes',
  selection: '--selection',
  since: '--from',
  'startedAt/from': '--from',
  'startedAt/to': '--to',
  type: '--event',
  until: '--to',
  url: '--url',
};

/** The name of a path on the command line; the path itself if no option sets it. */
export function optionNamed(path: readonly PropertyKey[]): string {
  const [first = '', second = '', ...deeper] = path.map(String);
  const below = (steps: readonly string[]) => (steps.length === 0 ? '' : ` ${steps.join('/')}`);
  const ofTwo = OPTIONS[`${first}/${second}`];
  if (ofTwo) return `${ofTwo}${below(deeper)}`;
  const ofOne = OPTIONS[first];
  const rest = path.length > 1 ? [second, ...deeper] : [];
  return ofOne ? `${ofOne}${below(rest)}` : path.join('/');
}
