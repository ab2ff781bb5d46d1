/**
 * What fields cost that are more than a read: a value read costs 1, a list ten times its selection, a page its size.
 * A document may cost `GRAPHQL_MAX_COST`, so that aliases can't turn one request into many of these.
 */

/** Three a document by default: each holds a connection to a carrier for up to some seconds. */
export const CARRIER_CALL = 60_000;

/** Pricing on every connection of the company, about a millisecond. */
export const QUOTE = 1_000;

/** The number of all entries of a list: a statement that counts them, for each record that has the list. */
export const COUNT = 10;

/** A field of a mutation: its transaction takes some milliseconds. */
export const MUTATION = 500;

/** A record of a batch. */
export const BATCH_ITEM = 25;

/** The work of a field that takes a batch. */
export function batchCost(items: readonly unknown[]): number {
  return BATCH_ITEM * items.length;
}

/**
 * What a call of a carrier counts as once it is carried out. Its price for documents is that of what it keeps waiting;
 * the service itself does little.
 */
export const CARRIER_CALL_WORK = 1_000;

/** A whole tariff, of up to some MB: ten a document by default. */
export const TARIFF_DOCUMENT = 18_000;

/** Checking, compiling and writing a tariff: up to a second or two, and three a document by default. */
export const TARIFF_IMPORT = 50_000;
