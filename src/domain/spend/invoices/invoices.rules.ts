import type { FindingCode } from './check/finding-codes.rules.ts';

/** The states of an invoice and its lines, for the database, the graph and the command line. */

export type InvoiceState = 'checking' | 'checked';

export const LINE_STATES = {
  unchecked: 'It is not checked yet.',
  agrees: 'The billed amount is due.',
  differs: 'There are findings.',
  unknown: 'No shipment of the connection has the number.',
  ambiguous: 'Several shipments of the connection have the number, and the date does not distinguish them.',
  not_priced: 'The shipment cannot be priced by the tariff: `reason` says why.',
  credit: 'Less than zero was billed; such a line is not checked.',
} as const satisfies Readonly<Record<string, string>>;
export type LineState = keyof typeof LINE_STATES;

/** The number of findings with a code, and their sum. */
export interface CodeTotal {
  readonly code: FindingCode;
  readonly count: number;
  readonly cents: number;
}

export interface InvoiceTotals {
  readonly codes: readonly CodeTotal[];
  readonly states: readonly { readonly state: LineState; readonly count: number }[];
  /** The overbilled and the underbilled amounts, before VAT. */
  readonly overCents: number;
  readonly underCents: number;
  /** The billed amount of unchecked charges and lines, credits as positive. Missing in checks that a version before 1.0.0 has stored. */
  readonly uncheckedCents?: number;
}

export const NO_TOTALS: InvoiceTotals = { codes: [], states: [], overCents: 0, underCents: 0 };

/** Smaller invoices are checked by the request that imports them. */
export const MAX_INLINE = 1_000;
