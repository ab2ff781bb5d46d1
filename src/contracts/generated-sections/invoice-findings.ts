import { FINDING_CODES } from '../../domain/spend/invoices/check/finding-codes.rules.ts';
import { code, table } from './markdown.ts';

/** The errors of an invoice's line. */
export function invoiceFindings(): string {
  return table(
    ['`code`', 'Meaning', 'For the carrier'],
    Object.entries(FINDING_CODES).map(([name, { description, reason }]) => [
      code(name.toUpperCase()),
      description,
      reason,
    ]),
  );
}
