import { csvCell } from '../../csv.rules.ts';
import { money } from '../../tariffs/units.rules.ts';
import { FINDING_CODES } from './finding-codes.rules.ts';
import type { ClaimRow } from './invoice-findings.repository.ts';

/** What is disputed of an invoice, as CSV for the carrier: one line a claim, as an Italian spreadsheet opens it. */

const COLUMNS = [
  ...['fattura', 'data_fattura', 'riga', 'numero', 'spedizione', 'data_spedizione', 'codice', 'motivo'],
  ...['addebitato', 'dovuto', 'differenza', 'regola', 'calcolo'],
];

export const CLAIMS_HEADER = `${COLUMNS.join(';')}\r\n`;

export function claimLine(invoice: { readonly number: string; readonly date: string }, claim: ClaimRow): string {
  const amount = (cents: number) => money(cents).replace('.', ',');
  const cells = [
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
    claim.explanation,
  ];
  return `${cells.map(csvCell).join(';')}\r\n`;
}
