import { builder } from '../../../graphql/builder.ts';
import type { RequestContext } from '../../../graphql/context.ts';
import { QUOTE } from '../../../graphql/costs.ts';
import { rawInputType } from '../../../graphql/input-type.ts';
import { numberSought } from '../../../graphql/node-id.ts';
import { requireAtMost } from '../../../graphql/nodes.ts';
import { query } from '../../../graphql/query.ts';
import { Fault, type Issue } from '../../../platform/fault.ts';
import { ItemErrorRef } from '../../common/batch.graphql.ts';
import { QuoteResultRef } from './quote.graphql.ts';
import { type QuoteInput, quoteInput } from './quote.input.ts';
import { type QuoteOutcome, quoteEach, readQuote, type TermedQuote } from './quote.service.ts';
import { issuesOfInput } from './quote-request.rules.ts';
import { quoteTermsInput } from './quote-terms.input.ts';

/** Quotes of several shipments: each has the result of `quoteShipment`, or its errors. */

const MAX_QUOTES = 50;

interface ListedQuote {
  readonly index: number;
  readonly outcome: QuoteOutcome;
  /** The path of the input in the request. */
  readonly path: Issue['path'];
  readonly input?: QuoteInput | undefined;
}

const OutcomeRef = builder.objectRef<ListedQuote>('QuoteOutcome').implement({
  description: 'The result for one shipment of the request.',
  fields: t => ({
    index: t.exposeInt('index', { description: 'Position in the list, from 0.' }),
    quote: t.nullable(
      QuoteResultRef,
      'What `quoteShipment` returns for it. Null if `errors` say why there is no quote.',
      ({ outcome }) => (outcome instanceof Fault ? null : outcome),
    ),
    code: t.nullable(
      'String',
      'Code of the error that `quoteShipment` would return, such as `order_not_found`. Null if there is a quote.',
      ({ outcome }) => (outcome instanceof Fault ? outcome.code : null),
    ),
    errors: t.value([ItemErrorRef], 'The errors: wrong fields, and for an order the missing data.', issuesOf),
  }),
});

function issuesOf({ outcome, path, input }: ListedQuote): Issue[] {
  if (!(outcome instanceof Fault)) return [];
  const [list, index] = path;
  const within = (inner: Issue['path']): Issue['path'] => {
    if (list === 'ids') return path;
    // The terms of an input are in a list of their own.
    return inner[0] === 'terms' ? ['terms', index ?? 0, ...inner.slice(1)] : [...path, ...inner];
  };
  return (issuesOfInput(outcome, input) ?? []).map(issue => ({ ...issue, path: within(issue.path) }));
}

const count = (list: readonly unknown[]) => Math.min(list.length, MAX_QUOTES);

async function outcomes(
  { tenant, tariffs, promiseBook: promises }: RequestContext,
  name: 'inputs' | 'ids',
  inputs: readonly (TermedQuote | Fault)[],
): Promise<ListedQuote[]> {
  const found = await quoteEach(tenant, { tariffs, promises }, inputs);
  return found.map((outcome, index) => {
    const quote = inputs[index];
    return { index, outcome, path: [name, index], input: quote instanceof Fault ? undefined : quote?.input };
  });
}

query('quoteShipments', {
  type: [OutcomeRef],
  description: `Quotes of at most ${MAX_QUOTES} shipments, in their order, each as \`quoteShipment\` returns it. An error in one does not stop the others. Each counts as one of the key's quotes a minute.`,
  authScopes: { scope: 'shipments:quote' },
  args: builder.args(t => ({
    inputs: t.field({ type: [rawInputType(quoteInput)], required: true, description: 'The shipments.' }),
    terms: t.field({
      type: [rawInputType(quoteTermsInput)],
      required: { list: false, items: false },
      description:
        'What else the price of each can depend on, in the order of `inputs`; null for nothing. It may be shorter.',
    }),
  })),
  complexity: ({ inputs }) => ({ field: QUOTE * count(inputs), multiplier: count(inputs) }),
  extensions: { work: ({ inputs }: { inputs: readonly unknown[] }) => QUOTE * count(inputs) },
  resolve: (_root, { inputs, terms }, context) => {
    requireAtMost(MAX_QUOTES, 'inputs', inputs);
    requireAtMost(inputs.length, 'terms', terms ?? []);
    const read = inputs.map((input, i) => orOwnFault(() => readQuote(input, terms?.[i])));
    return outcomes(context, 'inputs', read);
  },
});

query('quoteOrders', {
  type: [OutcomeRef],
  description: `Quotes of at most ${MAX_QUOTES} orders, in their order, as \`quoteShipment\` with \`orderId\` returns them: from the order's warehouse to its recipient, with its parcels, cash on delivery and insured value. \`order_not_quotable\` says what an order lacks. Each counts as one of the key's quotes a minute.`,
  authScopes: { scope: 'shipments:quote' },
  args: builder.args(t => ({
    ids: t.idList({ required: true, description: 'Global ids of the orders, or their `databaseId`.' }),
  })),
  complexity: ({ ids }) => ({ field: QUOTE * count(ids), multiplier: count(ids) }),
  extensions: { work: ({ ids }: { ids: readonly unknown[] }) => QUOTE * count(ids) },
  resolve: (_root, { ids }, context) => {
    requireAtMost(MAX_QUOTES, 'ids', ids);
    return outcomes(context, 'ids', ids.map(orderInput));
  },
});

function orderInput(id: string | number): TermedQuote | Fault {
  return orOwnFault(() => ({ input: { shipment: { orderId: numberSought('Order', String(id)) } } }));
}

/** The input, or its errors: the others of the list are still quoted. */
function orOwnFault(read: () => TermedQuote): TermedQuote | Fault {
  try {
    return read();
  } catch (thrown) {
    if (thrown instanceof Fault) return thrown;
    throw thrown;
  }
}
