/** The options that fields of inputs come from. A message about a field names the option, which is what was typed. */
const OPTIONS: Readonly<Record<string, string>> = {
  apiKeyId: '--key',
  'at/from': '--from',
  'at/to': '--to',
  baseUrl: '--base-url',
  carrierCode: '--carrier',
  company: '--company',
  companyId: '--company',
  credentials: '--credentials',
  endpointId: '--endpoint',
  events: '--events',
  // No value is typed for it, and the message says which one is allowed.
  environment: 'the environment (--sandbox)',
  expiresAt: '--expires',
  'filter/carriers': '--carriers',
  'filter/marketplaces': '--marketplaces',
  'filter/metadata': '--metadata',
  'filter/statuses': '--statuses',
  'filter/warehouses': '--warehouses',
  key: '--key',
  label: '--label',
  name: '--name',
  overlapHours: '--overlap-hours',
  'rates/cost': '--rate-cost',
  'rates/quotes': '--rate-quotes',
  'rates/reads': '--rate-reads',
  'rates/writes': '--rate-writes',
  scopes: '--scopes',
  selection: '--selection',
  since: '--from',
  type: '--event',
  until: '--to',
  url: '--url',
};

/** What a path of an input is called on the command line; the path itself where no option gives it. */
export function optionNamed(path: readonly PropertyKey[]): string {
  const [first = '', second = '', ...deeper] = path.map(String);
  const below = (steps: readonly string[]) => (steps.length === 0 ? '' : ` ${steps.join('/')}`);
  const ofTwo = OPTIONS[`${first}/${second}`];
  if (ofTwo) return `${ofTwo}${below(deeper)}`;
  const ofOne = OPTIONS[first];
  const rest = path.length > 1 ? [second, ...deeper] : [];
  return ofOne ? `${ofOne}${below(rest)}` : path.join('/');
}
