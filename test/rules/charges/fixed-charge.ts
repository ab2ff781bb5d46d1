import { maybe } from '../dice.ts';
import { signed } from '../fractions.ts';
import type { ReferenceCharge } from '../reference-charge.ts';

export const charge: ReferenceCharge = {
  cases: [
    { name: 'an amount', price: { fixed: 3.25 }, is: '3.25', why: 'for the shipment' },
    { name: 'a discount', price: { fixed: -1.5 }, is: '-1.50', why: 'a surcharge can be negative' },
  ],
  amount: ({ fixed }) => signed(fixed),
  random: (dice, { sign }) => maybe(dice, 35, 'fixed', () => sign * dice.decimal(12, 2)),
};
