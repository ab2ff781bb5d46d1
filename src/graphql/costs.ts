/**
 * Costs of fields that do more than read: a value costs 1, a list ten times its selection, a page its size. A document
 * may cost `GRAPHQL_MAX_COST`, so that aliases cannot multiply the expensive fields in one request.
 */

/** Three per document by default: each holds a connection to a carrier for up to some seconds. */
export const CARRIER_CALL = 60_000;

/** Pricing on every connection of the company, about a millisecond. */
export const QUOTE = 1_000;

/** The total of a list: a statement that counts, for each record that has the list. */
export const COUNT = 10;

/** A field of a mutation: its transaction takes some milliseconds. */
export const MUTATION = 500;

export const BATCH_ITEM = 25;

/** The work of a field that takes a batch. */
export function batchCost(items: readonly unknown[]): number {
  return BATCH_ITEM * items.length;
}

/** The work of a carrier call itself. Its price for documents also covers the wait. */
export const CARRIER_CALL_WORK = 1_000;

/** A whole tariff, of up to some MB: ten per document by default. */
export const TARIFF_DOCUMENT = 18_000;

/** Checking, compiling and writing a tariff takes up to two seconds: three per document by default. */
export const TARIFF_IMPORT = 50_000;
