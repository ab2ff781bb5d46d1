import { maybe } from '../dice.ts';
import { Q, signed } from '../fractions.ts';
import type { ReferenceCharge } from '../reference-charge.ts';
import { parcels } from '../tariff-cases.ts';

const three = parcels([2, 1, 10, 10, 10], [1, 12, 160, 45, 40]);
const long = { parcel: { longestSideCm: { over: 150 } } };

export const charge: ReferenceCharge = {
  cases: [
    { name: 'each parcel', price: { perParcel: 1.1 }, ask: three, is: '3.30', why: '3 × 1.10' },
    { name: 'from the second', price: { perParcel: 1.1, afterParcels: 1 }, ask: three, is: '2.20', why: '2 × 1.10' },
    { name: 'the long one', price: { perParcel: 18 }, when: long, ask: three, is: '18.00', why: 'one is over 150 cm' },
    {
      name: 'all for a long one',
      price: { perParcel: 18, parcels: 'all' },
      when: long,
      ask: three,
      is: '54.00',
      why: '3 × 18.00',
    },
  ],
  amount: ({ perParcel, parcels: which, afterParcels = 0 }, { parcels: count }) =>
    signed(perParcel).times(new Q(Math.max(0, (which === 'all' ? count.all : count.matching) - afterParcels))),
  random: (dice, { sign }) =>
    dice.chance(40)
      ? {
          perParcel: sign * dice.decimal(5, 2),
          ...maybe(dice, 25, 'parcels', () => dice.of(['all', 'matching'])),
          ...maybe(dice, 30, 'afterParcels', () => 1 + dice.roll(2)),
        }
      : {},
};
