import { csvLine, decimalComma } from '../../common/csv.rules.ts';
import { money } from '../../pricing/tariffs/units.rules.ts';
import { type ExplainedFinding, FINDING_CODES } from './check/finding-codes.rules.ts';

/** The disputed findings of an invoice, as CSV for the carrier in the format of Italian spreadsheets. */

/** The days after which a carrier should have credited a claim. */
export const DAYS_TO_CREDIT = 60;

/** A finding with the carrier's identifiers of its line. */
export interface Claim extends Omit<ExplainedFinding, 'rule'> {
  /** RFC 6901 pointer into the tariff. */
  readonly rule: string | null;
  readonly number: string | null;
  readonly date: string | null;
  readonly row: number;
  readonly trackingNumber: string | null;
  /** The part of the amount that credits answer. */
  readonly creditedCents: number;
}

const COLUMNS = [
  ...['fattura', 'data_fattura', 'riga', 'numero', 'spedizione', 'data_spedizione', 'codice', 'motivo'],
  ...['addebitato', 'dovuto', 'differenza', 'regola', 'calcolo', 'accreditato'],
];

export const CLAIMS_HEADER = csvLine(COLUMNS);

export function claimLine(invoice: { readonly number: string; readonly date: string }, claim: Claim): string {
  const amount = (cents: number) => decimalComma(money(cents));
  return csvLine([
    invoice.number,
    invoice.date,
    String(claim.row),
    claim.number ?? '',
    claim.trackingNumber ?? '',
    claim.date ?? '',
    claim.code.toUpperCase(),
    FINDING_CODES[claim.code].reason,
    amount(claim.billedCents),
    amount(claim.dueCents),
    amount(claim.amountCents),
    claim.rule ?? '',
    claim.explanationIt,
    amount(claim.creditedCents),
  ]);
}
