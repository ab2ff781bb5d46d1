import type { FindingCode } from './finding-codes.rules.ts';

/** What an invoice and its lines can be, for the database, the graph and the command line. */

export type InvoiceState = 'checking' | 'checked';

export const LINE_STATES = {
  unchecked: 'It is not checked yet.',
  agrees: 'What was billed is due.',
  differs: 'There are findings.',
  unknown: 'No shipment of the connection has the number.',
  ambiguous: 'Several shipments of the connection have the number, and the date does not tell them apart.',
  not_priced: 'The shipment cannot be priced by the tariff: `reason` says why.',
  credit: 'Less than zero was billed; such a line is not checked.',
} as const satisfies Readonly<Record<string, string>>;
export type LineState = keyof typeof LINE_STATES;

/** How many findings have a code, and what they come to. */
export interface CodeTotal {
  readonly code: FindingCode;
  readonly count: number;
  readonly cents: number;
}

/** What came of a check. */
export interface InvoiceTotals {
  readonly codes: readonly CodeTotal[];
  readonly states: readonly { readonly state: LineState; readonly count: number }[];
  /** What was billed too much, and too little, before VAT. */
  readonly overCents: number;
  readonly underCents: number;
  /** What was billed in charges and lines that could not be checked, credits without their sign. Missing in checks before version 0.2. */
  readonly uncheckedCents?: number;
}

export const NO_TOTALS: InvoiceTotals = { codes: [], states: [], overCents: 0, underCents: 0 };

/** Invoices with no more lines are checked by the request that imports them. */
export const MAX_INLINE = 1_000;
