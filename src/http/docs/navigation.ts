/** Guides of `src/docs/` in the order in which the navigation, the home page and `llms.txt` list them, by reader. */
export const GUIDE_GROUPS: readonly { readonly title: string; readonly guides: readonly string[] }[] = [
  {
    title: 'For integrators',
    guides: [
      'getting-started',
      'authentication',
      'quotes',
      'tracking',
      'changes',
      'warehouses',
      'addresses',
      'webhooks',
      'notices',
      'graphql',
      'errors',
      'limits',
      'sandbox',
      'clients',
    ],
  },
  {
    title: 'For data senders',
    guides: [
      'orders',
      'shipments',
      'tariffs',
      'price-list-examples',
      'tariff-history',
      'simulation',
      'invoices',
      'carriers',
    ],
  },
  {
    title: 'For operators',
    guides: [
      'install',
      'settings',
      'command-line',
      'running',
      'scaling',
      'backup',
      'upgrades',
      'security',
      'conformance',
    ],
  },
];

/** Pages of earlier versions, and the new places of their content. */
export const MOVED: Readonly<Record<string, string>> = { typescript: 'clients' };

const ROOT = new URL('../../../', import.meta.url);

/** The Markdown file of each page, by the page's name in its address; from the root of the project. */
export const SOURCES: Readonly<Record<string, string>> = Object.fromEntries([
  ...GUIDE_GROUPS.flatMap(({ guides }) => guides.map(name => [name, `src/docs/${name}.md`])),
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
