import { maybe } from '../dice.ts';
import { q, signed, ZERO } from '../fractions.ts';
import type { ReferenceCharge } from '../reference-charge.ts';

const seven = { totals: { kg: 6.2 } };

export const charge: ReferenceCharge = {
  cases: [
    { name: 'each kilogram', price: { perKg: 0.155 }, ask: seven, is: '1.09', why: '7 × 0.155 = 1.085' },
    { name: 'those above 5 kg', price: { perKg: 0.5, aboveKg: 5 }, ask: seven, is: '1.00', why: '2 × 0.50' },
    { name: 'none above 7 kg', price: { perKg: 0.5, aboveKg: 7 }, ask: seven, is: '0.00', why: '7 is not above 7' },
  ],
  amount: ({ perKg, aboveKg }, { chargeable }) => signed(perKg).times(chargeable.minus(q(aboveKg)).max(ZERO)),
  random: (dice, { sign }) =>
    dice.chance(25)
      ? { perKg: sign * dice.decimal(1, 5), ...maybe(dice, 40, 'aboveKg', () => (1000 + dice.roll(30_000)) / 1000) }
      : {},
};
