import { CHARGE_KINDS } from '../../domain/tariffs/charges/charge-kinds.rules.ts';
import { table } from './markdown.ts';

/** The ways to charge, as a price can have them. */
export function charges(): string {
  return table(
    ['Part', 'Amount'],
    CHARGE_KINDS.map(({ guide: [fields, amount] }) => [fields, amount]),
  );
}
