import {
  type GraphQLObjectType,
  getNamedType,
  getNullableType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { beforeAll, expect, test } from 'vitest';
import { MAX_ESTIMATES } from '../../src/domain/shipping/tracking/estimates/estimates.rules.ts';
import { COUNT } from '../../src/graphql/costs.ts';
import { literalArguments } from '../security/support/literals.ts';
import { type Field, type Kind, SDL, validArguments } from '../security/support/sdl.ts';
import { documentAlong, type Step, wayTo } from '../security/support/way.ts';
import { statementsOf } from '../support/statements.ts';
import { useWorld } from '../support/world.ts';
import { furnishLists, MAX_OF_TARIFF, MAX_SERVICES, type Sample, sampledArguments } from './list-sample.ts';

/** Every list of the graph, found in its SDL: the data of its elements are read for all of them at once. */

// Without the jobs of a worker, whose statements belong to no query.
const world = useWorld({ ROLE: 'api', GRAPHQL_MAX_COST: '1000000000' });

const [FEW, MANY] = [2, 60];

/** Lists whose entries are not rows of the database, and which cannot be made as long as the others. */
const NO_ROWS: Readonly<Record<string, string>> = {
  'AfterShipmentQuote.charges': 'They are found in the tariff, for at most 20 events.',
  'AfterShipmentQuote.vatBreakdown': 'It is a part of a price.',
  'AddressCheckResult.suggestions': 'A carrier gives them with its response.',
  'QuoteExplanation.pallets': 'They are a part of a price, of at most 100 kinds of parcels.',
  'CarrierInvoiceRowCounts.leftOut': 'They are found in the rows of a file.',
  'ImportOrdersPayload.leftOut': 'They are found in the rows of a file.',
  'ImportOrdersPayload.problems': 'They are found in the rows of a file.',
  'Query.carrierScorecard': 'One statement counts the deliveries of all connections, which have a row each.',
  'Quote.vatBreakdown': 'It is a part of a price.',
  'SavedQuote.vatBreakdown': 'It is a part of a price.',
  'ShippedAsBooked.byConnection': 'It is a part of its simulation.',
  'ShippedAsBooked.notPriced': 'It is a part of its simulation.',
  'SimulatedAccount.charges': 'It is a part of its simulation.',
  'SimulatedComparison.largestIncreases': 'It is a part of its simulation.',
  'SimulatedComparison.largestSavings': 'It is a part of its simulation.',
  'SimulatedTariff.lines': 'It is a part of its simulation.',
  'SimulatedTariff.notPriced': 'It is a part of its simulation.',
  'SimulatedTariff.services': 'It is a part of its simulation.',
  'SimulatedTariff.zones': 'It is a part of its simulation.',
  'SimulatedZone.bands': 'It is a part of its simulation.',
  'SimulationCsvPageConnection.edges': 'A page has three at most.',
  'SimulationCsvPageConnection.nodes': 'A page has three at most.',
  'TableMapping.columns': 'They are found in the header of a file.',
  'TableMapping.fields': 'They are the fields of a mapping.',
  'TableMapping.problems': 'They are found in the header of a file.',
  'TariffChangeConnection.edges': 'They are found in two documents.',
  'TariffChangeConnection.nodes': 'They are found in two documents.',
  'TariffDiff.warnings': 'They are found in two documents.',
  'TariffPrices.prices': 'They are calculated.',
  'TariffSimulation.notPriceable': 'It is a part of its simulation.',
  'TariffSimulation.tariffs': 'It is a part of its simulation.',
  'WebhookEndpoint.selectionErrors': 'They are found in the text of its selection.',
  'Order.metadata': 'It is a column of its order.',
  'Shipment.metadata': 'It is a column of its shipment.',
  'WebhookFilter.metadata': 'It is a part of its endpoint.',
};
/** Lists that may not have as many elements. */
const SHORTER: Readonly<Record<string, number>> = {
  'CarrierConnection.options': MAX_OF_TARIFF,
  'CarrierConnection.services': MAX_SERVICES,
  'CarrierInvoice.lineTotals': 1,
  'CarrierInvoice.totals': 1,
  'CarrierInvoiceLine.charges': MAX_OF_TARIFF,
  'ItemResult.errors': 50,
  'Query.quoteOrders': 50,
  'Query.quoteShipments': 50,
  // The shipments of the sample have one state.
  'Query.shipmentCounts': 1,
  'Quote.carrierOptionsDetail': MAX_OF_TARIFF,
  // By orders that are not there.
  'QuoteOutcome.errors': 1,
  'Shipment.carrierEstimates': MAX_ESTIMATES,
  'Tariff.versions': MAX_OF_TARIFF,
};

/** Read from time to time, for all callers. */
const CACHED: ReadonlySet<string> = new Set(['quoted-connections']);

/** Reads the timelines of more than 50 events of a whole page at once; a list reads the shorter ones with its shipments. */
const LONG_TIMELINES = 'shipment-timeline';

interface ListField {
  readonly name: string;
  readonly owner: GraphQLObjectType;
  readonly field: Field;
  readonly element: GraphQLObjectType;
}

const isList = ({ type }: Field) => isListType(getNullableType(type));
const needsArguments = ({ args }: Field) =>
  args.some(({ type, defaultValue }) => isNonNullType(type) && defaultValue === undefined);

/** Lists of values that have no fields lead to nothing more. */
const LISTS: readonly ListField[] = Object.values(SDL.getTypeMap()).flatMap(owner => {
  if (!isObjectType(owner) || owner.name.startsWith('__')) return [];
  return Object.values(owner.getFields()).flatMap(field => {
    const element = getNamedType(field.type);
    const name = `${owner.name}.${field.name}`;
    const isOfRows = !(name in NO_ROWS) && field.name !== 'userErrors';
    return isList(field) && isObjectType(element) && isOfRows ? [{ name, owner, field, element }] : [];
  });
});

let samples: readonly Sample[];
beforeAll(async () => {
  samples = [await furnishLists(world, FEW), await furnishLists(world, MANY)];
}, 120_000);

test('The check finds the lists of the SDL', () => {
  expect(LISTS.length).toBeGreaterThan(20);
  const names = LISTS.map(({ name }) => name);
  for (const name of ['ShipmentConnection.nodes', 'WebhookDeliveryConnection.edges']) expect(names).toContain(name);
  for (const name of Object.keys(SHORTER)) expect(names).toContain(name);
});

/** The fields from a type to a value. */
type Path = readonly Field[];

/** The ways to all values of a type and of the things in it, so many levels deep; those far away by one value of each. */
function pathsIn(type: GraphQLObjectType, levels: number, isNear = true): Path[] {
  // A related shipment is read alone, so that its timeline is read with it as long as it is short: see statements.test.ts.
  const isAlone = ({ name }: Field) => type.name === 'RelatedShipment' && name === 'shipment';
  const fields = Object.values(type.getFields()).filter(field => !needsArguments(field) && !isAlone(field));
  const values = fields.filter(({ type: of }) => isLeafType(getNamedType(of)));
  const own = (isNear ? values : values.slice(0, 1)).map(field => [field]);
  if (levels === 0) return own;
  const deeper = fields.flatMap(field => {
    const to = getNamedType(field.type);
    // A page is its edges, and an edge its record.
    const isFrame = /(Connection|Edge)$/.test(type.name);
    const next = (of: GraphQLObjectType) => pathsIn(of, isFrame ? levels : levels - 1, isFrame && isNear);
    return isObjectType(to) ? next(to).map(path => [field, ...path]) : [];
  });
  return [...own, ...deeper];
}

/** Fields that a document selects, by their text. */
interface Tree extends Map<string, Tree> {}

/**
 * The limit on the cost of a row, so that a document with all rows is done in one turn of the event loop. In several
 * turns, several statements are right. There are twice as many rows of shipments as of anything else.
 */
const MAX_COST = 7;

function grown(tree: Tree, path: Path): Tree {
  const copy: Tree = new Map([...tree].map(([text, inner]) => [text, inner]));
  const [field, ...rest] = path;
  if (field === undefined) return copy;
  const size = field.args.find(({ name }) => name === 'first' || name === 'last')?.name;
  const text = size === undefined ? field.name : `${field.name}(${size}: ${FEW})`;
  copy.set(text, grown(tree.get(text) ?? new Map(), rest));
  return copy;
}

function costOf(tree: Tree): number {
  const each = [...tree].map(([text, inner]) => {
    if (inner.size === 0) return /otalCount/.test(text) ? COUNT : 1;
    return (1 + costOf(inner)) * (/\(/.test(text) ? FEW : 1);
  });
  return each.reduce((sum, cost) => sum + cost, 0);
}

const textOf = (tree: Tree): string =>
  [...tree].map(([text, inner]) => (inner.size === 0 ? text : `${text} { ${textOf(inner)} }`)).join(' ');

/** Selections that have all paths between them. */
function selectionsOf(paths: readonly Path[]): string[] {
  const trees: Tree[] = [];
  for (const path of paths) {
    const last = trees.at(-1);
    const more = last && grown(last, path);
    if (more && costOf(more) <= MAX_COST) trees[trees.length - 1] = more;
    else trees.push(grown(new Map(), path));
  }
  return trees.map(textOf);
}

/** Lists on the way to another are as long as they are. */
const sized = (field: Field, size: number) => {
  const name = field.args.find(({ name }) => name === 'first' || name === 'last')?.name;
  return name === undefined ? {} : { [name]: size };
};

/** The document that asks a company for a list, and how to find the list in the response. */
function documentOf({ name, owner, field }: ListField, selection: string, sample: Sample) {
  const argumentsOf = (of: Field) => ({
    ...validArguments(of, sample.ids),
    ...sized(of, 250),
    ...sampledArguments(sample, of.name, name),
  });
  const isOpen = (at: string, { name: step }: Field) => {
    // Only with arguments that change nothing which another test goes by.
    if (at === 'Mutation') return sampledArguments(sample, step, name) !== undefined;
    // A single shipment is read with its related shipments; the shipments of a page are not.
    return at !== 'Query' || !/^(tracking|shipment$)/.test(step) || owner.name === 'Query';
  };
  const found = (['query', 'mutation'] as const).flatMap((kind): [Kind, readonly Step[]][] => {
    const way = wayTo(owner.name, sample.ids, { kind, isOpen, argumentsOf });
    return way ? [[kind, way]] : [];
  });
  const [[kind, way] = [undefined, []]] = found;
  if (kind === undefined) throw new Error(`${name} cannot be reached: it needs a sample`);
  const call = `${field.name}${literalArguments(field, argumentsOf(field))} { ${selection} }`;
  return {
    query: documentAlong(way, call, kind),
    steps: [...way.map(step => step.name), field.name].filter(step => step !== ''),
  };
}

/** The longest of the lists at the end of some steps. */
function lengthAt(value: unknown, [step, ...rest]: readonly string[]): number {
  if (step === undefined) return Array.isArray(value) ? value.length : 0;
  const each = Array.isArray(value) ? value : [value];
  return Math.max(0, ...each.map(one => lengthAt((one as Record<string, unknown> | null)?.[step], rest)));
}

test.each(LISTS)('The list $name takes as many statements with 60 elements as with 2', async list => {
  for (const selection of selectionsOf(pathsIn(list.element, 2))) {
    const counted: string[][] = [];
    for (const sample of samples) {
      const { query, steps } = documentOf(list, selection, sample);
      const asked = async () => {
        const { data, errors } = await sample.caller.graphql(query);
        expect(errors, query).toBeUndefined();
        const wanted = Math.min(sample.count, SHORTER[list.name] ?? sample.count);
        expect(lengthAt(data, steps), `${list.name} needs a sample`).toBeGreaterThanOrEqual(wanted);
      };
      // Tariffs are compiled when they are first used.
      if (/quoteShipment|quoteAfterShipment|quoteOrders|(options|services) \{/.test(query)) await asked();
      const statements = await statementsOf(world, asked);
      counted.push(statements.filter(statement => !CACHED.has(statement)).toSorted());
    }
    const [few = [], many = []] = counted;
    const hasLong = many.includes(LONG_TIMELINES) && !few.includes(LONG_TIMELINES);
    expect(many, selection).toEqual(hasLong ? [...few, LONG_TIMELINES].toSorted() : few);
  }
});
