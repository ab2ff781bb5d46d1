import { type Dice, maybe } from '../dice.ts';
import { Q, q, signed, ZERO } from '../fractions.ts';
import type { RandomKind, ReferenceCharge } from '../reference-charge.ts';
import { parcels } from '../tariff-cases.ts';

const product = (fields: object = {}) => ({
  product: {
    price: 0.5,
    measures: [
      { measure: 'realKg' as const, every: 5, ...fields },
      { measure: 'parcels' as const, every: 1 },
    ],
  },
});
const twelve = parcels([2, 6, 10, 10, 10]);

function randomFactor(dice: Dice, { measures }: RandomKind) {
  const [measure, limit, places] = dice.of(measures);
  const unit = 10 ** places;
  const every = (1 + dice.roll(Math.max(1, Math.floor((limit * unit) / 3)))) / unit;
  return { measure, every, ...maybe(dice, 40, 'above', () => dice.roll(Math.ceil((limit * unit) / 2)) / unit) };
}

export const charge: ReferenceCharge = {
  cases: [
    { name: 'each begun 5 kg and parcel', price: product(), ask: twelve, is: '3.00', why: '0.50 × 3 begun × 2' },
    { name: 'above 2 kg', price: product({ above: 2 }), ask: twelve, is: '2.00', why: '0.50 × 2 begun × 2' },
    { name: 'of nothing', price: product({ above: 12 }), ask: twelve, is: '0.00', why: '0.50 × 0 × 2' },
  ],
  amount: ({ product: one }, { measures }) => {
    if (!one) return new Q(0);
    const counts = one.measures.map(({ measure, every, above }) =>
      (measures[measure] as Q).minus(q(above)).max(ZERO).over(q(every)).ceil(),
    );
    return counts.reduce((amount, count) => amount.times(count), signed(one.price));
  },
  random: (dice, kind) =>
    maybe(dice, 12, 'product', () => ({
      price: kind.sign * dice.decimal(2, 2),
      measures: [randomFactor(dice, kind), randomFactor(dice, kind)],
    })),
};
