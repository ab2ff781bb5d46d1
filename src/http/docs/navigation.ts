interface GuideGroup {
  readonly title: string;
  /** The pages to read first. */
  readonly guides: readonly string[];
  /** Pages for later, one level deeper in the navigation. */
  readonly more: readonly string[];
}

/** Guides of `src/docs/` in the order in which the navigation, the home page and `llms.txt` list them, by reader. */
export const GUIDE_GROUPS: readonly GuideGroup[] = [
  {
    title: 'I call the API',
    guides: ['getting-started', 'quotes', 'tracking', 'webhooks', 'errors', 'limits', 'changes', 'graphql'],
    more: ['authentication', 'sandbox', 'warehouses', 'addresses', 'webhook-endpoints', 'notices', 'assistants'],
  },
  {
    title: 'I send it data',
    guides: ['send-orders', 'importing', 'orders', 'shipments', 'tariffs', 'price-list-year', 'invoices'],
    more: [
      'carriers',
      'other-carriers',
      'carrier-codes',
      'price-list-examples',
      'tariff-document',
      'tariff-history',
      'simulation',
    ],
  },
  {
    title: 'I run it',
    guides: ['install', 'settings', 'running', 'runbook'],
    more: ['command-line', 'company-data', 'backup', 'upgrades', 'from-1-0', 'security', 'conformance'],
  },
  {
    title: 'For experts',
    guides: [],
    more: ['clients', 'scaling'],
  },
];

const ROOT = new URL('../../../', import.meta.url);

/** The Markdown file of each page, by the page's name in its address; from the root of the project. */
export const SOURCES: Readonly<Record<string, string>> = Object.fromEntries([
  ...GUIDE_GROUPS.flatMap(({ guides, more }) => [...guides, ...more].map(name => [name, `src/docs/${name}.md`])),
  ['changelog', 'CHANGELOG.md'],
]);

export const CONTRACTS = {
  '/notice.schema.json': { file: 'schema/events/notice.schema.json', type: 'application/schema+json' },
  '/schema.graphql': { file: 'schema/schema.graphql', type: 'text/plain' },
  '/invoice-mapping.schema.json': { file: 'schema/invoice-mapping.schema.json', type: 'application/schema+json' },
  '/tariff.schema.json': { file: 'schema/tariff.schema.json', type: 'application/schema+json' },
} as const;

export function projectFile(path: string): URL {
  return new URL(path, ROOT);
}
