import { parse } from 'graphql';
import { type Outline, rootFields } from '../../graphql/outline.ts';
import type { Limited, RateLimits } from '../../platform/limits/rate-limits.ts';
import type { RequestClass } from '../../platform/limits/rates.ts';
import { ENDPOINTS, type Endpoint } from '../rest/endpoints.ts';
import { OPERATIONS } from '../rest/operations.ts';

/** The class of an endpoint: a question with a body is a quote or an address check. */
export function rateClassOf({ method, operation }: Endpoint): RequestClass {
  if (method === 'GET') return 'reads';
  return OPERATIONS[operation].startsWith('query') ? 'quotes' : 'writes';
}

/** The fields of the graph behind these, and one that has no endpoint. */
const QUOTES: ReadonlySet<string> = new Set([
  'quoteAfterShipment',
  ...ENDPOINTS.filter(endpoint => rateClassOf(endpoint) === 'quotes').flatMap(({ operation }) => {
    const { definitions } = parse(OPERATIONS[operation]);
    return definitions.flatMap(node => ('operation' in node ? rootFields(node, definitions) : []));
  }),
]);

const CLASSES = ['reads', 'writes', 'quotes'] as const;

/** A class with room, in which a request counts before its body is read: its own class is known only afterwards. */
export function classAtFirst(limits: RateLimits, limited: Limited): RequestClass {
  return CLASSES.find(rateClass => limits.hasRoom(limited, rateClass)) ?? 'reads';
}

interface Counted {
  readonly rateClass: RequestClass;
  readonly count: number;
}

/** Mutations that only ask a carrier: they record its response, and repeating them is harmless. */
const QUESTIONS: ReadonlySet<string> = new Set(['refreshTracking']);

/** Fields that quote several shipments, each of which counts as a quote. */
const QUOTE_LISTS: ReadonlySet<string> = new Set(['quoteShipments', 'quoteOrders']);

/** The class of a GraphQL operation: each field of a mutation is a write, or a quote if all only ask. */
export function countOf({ isMutation, names, items }: Outline, variables: Readonly<Record<string, unknown>>): Counted {
  if (isMutation) {
    const onlyAsks = names.length > 0 && names.every(name => QUESTIONS.has(name));
    return { rateClass: onlyAsks ? 'quotes' : 'writes', count: Math.max(1, names.length) };
  }
  if (names.some(name => QUOTE_LISTS.has(name))) return { rateClass: 'quotes', count: items(QUOTE_LISTS, variables) };
  return { rateClass: names.some(name => QUOTES.has(name)) ? 'quotes' : 'reads', count: 1 };
}
