import { BATCH_ITEM, CARRIER_CALL_WORK, MUTATION, QUOTE, TARIFF_DOCUMENT, TARIFF_IMPORT } from '../../graphql/costs.ts';
import { RATE_CLASSES, type RateClass } from '../../platform/limits/rates.ts';
import { code, count, table } from './markdown.ts';

const COUNTS: Readonly<Record<RateClass, string>> = {
  reads: 'requests that read',
  quotes: 'quotes, address checks and refreshes of tracking',
  writes: 'requests that change something; in GraphQL each mutation of a document',
  cost: 'the work of all requests, in [units of cost](#cost)',
};

/** The rates of a key, and of a company with all its keys. */
export function rates(): string {
  return table(
    ['Limit', 'A minute', 'Counts'],
    Object.entries(RATE_CLASSES).map(([name, { perMinute }]) => [
      code(name),
      count(perMinute),
      COUNTS[name as RateClass],
    ]),
  );
}

export function costs(): string {
  return table(
    ['Work', 'Units of cost'],
    [
      ['A value or an object in the response', '1'],
      ['32 characters of text in the response, or in the body of a GraphQL request', '1'],
      ['An item of a batch, such as an order of `upsertOrders`', count(BATCH_ITEM)],
      ['A mutation', count(MUTATION)],
      ['A quote, on all carrier connections', count(QUOTE)],
      ['An address check, a refresh of tracking or a test of a carrier connection', count(CARRIER_CALL_WORK)],
      ['A whole tariff document in the response', count(TARIFF_DOCUMENT)],
      ['The import of a tariff', count(TARIFF_IMPORT)],
    ],
  );
}
