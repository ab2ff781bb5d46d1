import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  buildSchema,
  type GraphQLField,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  parse,
  validate,
} from 'graphql';
import { expect, test } from 'vitest';
import { webhooks } from '../../src/domain/exchange/webhooks/webhooks.feature.ts';
import { polling } from '../../src/domain/shipping/polling/polling.feature.ts';
import { FEATURES } from '../../src/features.ts';
import { schema } from '../../src/graphql/schema.ts';
import { offeredTools, TOOLS, type Tool } from '../../src/http/mcp/tools.ts';
import { RETENTION_RULES } from '../../src/migrate.ts';

const root = new URL('../../', import.meta.url).pathname;

interface Contract {
  readonly graph: GraphQLSchema;
  readonly tools: readonly Tool[];
}

/** The contract of the service with one feature left out, from a process of its own, since the graph is built once. */
async function contractWithout(feature: string): Promise<Contract> {
  const script = `
    import { printSchema } from 'graphql';
    const { schema } = await import('./src/graphql/schema.ts');
    const { offeredTools } = await import('./src/http/mcp/tools.ts');
    console.log(JSON.stringify({ sdl: printSchema(schema), tools: offeredTools(schema) }));`;
  const hook = ['--import', './test/support/without-feature.ts', '--input-type=module', '-e', script];
  const env = { ...process.env, WITHOUT_FEATURE: feature };
  const { stdout } = await promisify(execFile)(process.execPath, hook, { cwd: root, env, maxBuffer: 10_000_000 });
  const { sdl, tools } = JSON.parse(stdout) as { sdl: string; tools: Tool[] };
  return { graph: buildSchema(sdl), tools };
}

/** Every type, and every field with its type and arguments. */
function partsOf(graph: GraphQLSchema): Map<string, string> {
  const parts = new Map<string, string>();
  for (const type of Object.values(graph.getTypeMap())) {
    parts.set(
      type.name,
      isEnumType(type)
        ? type
            .getValues()
            .map(({ name }) => name)
            .join()
        : type.name,
    );
    if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      const args = 'args' in field ? (field as GraphQLField<unknown, unknown>).args : [];
      const taken = args.map(arg => `${arg.name}: ${arg.type}`).join();
      parts.set(`${type.name}.${field.name}`, `(${taken}): ${field.type}`);
    }
  }
  return parts;
}

const whole = partsOf(schema);

/** Fields of types that remain, and tools of assistants, that go with an optional feature. */
const LOST: Readonly<Record<string, { readonly fields: readonly string[]; readonly tools: readonly string[] }>> = {
  spend: {
    fields: [
      'Mutation.deleteCarrierInvoice',
      'Mutation.deleteTariffSimulation',
      'Mutation.importCarrierInvoice',
      'Mutation.recheckCarrierInvoice',
      'Mutation.simulateTariffs',
      'Query.carrierClaimsCsv',
      'Query.carrierInvoice',
      'Query.carrierInvoiceTable',
      'Query.carrierInvoices',
      'Query.openCarrierClaims',
      'Query.tariffSimulation',
      'Query.tariffSimulations',
    ],
    tools: ['simulate_tariffs', 'get_simulation', 'list_invoices', 'list_invoice_findings'],
  },
  promise: {
    fields: [
      'Query.carrierScorecard',
      'Query.deliveryAccuracy',
      'Query.deliveryEstimate',
      'Quote.deliveryEstimate',
      'Shipment.deliveryEstimate',
    ],
    tools: [],
  },
  savedQuotes: {
    fields: ['Mutation.saveQuote', 'Query.savedQuote', 'Query.savedQuotes', 'Shipment.quote'],
    tools: ['save_quote'],
  },
};

test.concurrent.each(Object.entries(LOST))(
  'Without %s the graph and the tools lack what it brings, and nothing else',
  async (feature, lost) => {
    const { graph, tools } = await contractWithout(feature);
    const left = partsOf(graph);
    expect([...left].filter(([name, shape]) => whole.get(name) !== shape)).toEqual([]);
    const gone = [...whole.keys()].filter(name => !left.has(name));
    expect(gone.filter(name => name.includes('.') && left.has(name.split('.')[0] ?? '')).toSorted()).toEqual(
      lost.fields,
    );
    for (const { operation } of tools) expect(validate(graph, parse(operation))).toEqual([]);
    const names = tools.map(({ name }) => name);
    expect(TOOLS.map(({ name }) => name).filter(name => !names.includes(name))).toEqual(lost.tools);
  },
);

test('With all features the tools match the table, word by word', () => {
  expect(offeredTools(schema)).toEqual(TOOLS);
});

test('Manifests name every entity, job, rule of retention and announcement, and the list names every manifest', () => {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' });
  const imported = (file: string) =>
    [...readFileSync(join(root, 'src', file), 'utf8').matchAll(/(?:from|import\() ?'([^']+)'/g)].map(([, name = '']) =>
      join(file, '..', name),
    );
  const manifests = files.filter(file => file.endsWith('.feature.ts')).toSorted();
  expect(
    imported('features.ts')
      .filter(file => file.endsWith('.feature.ts'))
      .toSorted(),
  ).toEqual(manifests);
  const named = new Set(manifests.flatMap(imported));
  const registered = files.filter(file => /\.(entity|jobs|announcements)\.ts$/.test(file));
  expect(registered.length).toBeGreaterThan(30);
  expect(registered.filter(file => !named.has(file))).toEqual([]);
});

test('Polling acts on a status before webhooks do, and expired rows leave fast-growing tables first', () => {
  expect(FEATURES.indexOf(polling)).toBeLessThan(FEATURES.indexOf(webhooks));
  expect(RETENTION_RULES.map(({ table }) => table).slice(0, 3)).toEqual([
    'idempotent_request',
    'webhook_attempt',
    'webhook_event',
  ]);
});
