import { execFile } from 'node:child_process';
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
import { expect } from 'vitest';
import { schema } from '../../src/graphql/schema.ts';
import { TOOLS, type Tool } from '../../src/http/mcp/tools.ts';

// An optional feature that is left out takes these parts of the contract with it.

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
export const LOST: Readonly<Record<string, { readonly fields: readonly string[]; readonly tools: readonly string[] }>> =
  {
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

/** Expects that without the feature the graph and the tools lack what it brings, and nothing else. */
export async function expectNothingElseLost(feature: string): Promise<void> {
  const { graph, tools } = await contractWithout(feature);
  const left = partsOf(graph);
  expect([...left].filter(([name, shape]) => whole.get(name) !== shape)).toEqual([]);
  const gone = [...whole.keys()].filter(name => !left.has(name));
  expect(gone.filter(name => name.includes('.') && left.has(name.split('.')[0] ?? '')).toSorted()).toEqual(
    LOST[feature]?.fields,
  );
  for (const { operation } of tools) expect(validate(graph, parse(operation))).toEqual([]);
  const names = tools.map(({ name }) => name);
  expect(TOOLS.map(({ name }) => name).filter(name => !names.includes(name))).toEqual(LOST[feature]?.tools);
}
