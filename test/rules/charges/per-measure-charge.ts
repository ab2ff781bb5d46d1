import { maybe } from '../dice.ts';
import { Q, q, signed, ZERO } from '../fractions.ts';
import type { ReferenceCharge } from '../reference-charge.ts';
import { parcels } from '../tariff-cases.ts';

const per = (fields: object) => ({ per: [{ measure: 'realKg' as const, every: 5, price: 2, ...fields }] });
const twelve = parcels([2, 6, 10, 10, 10]);

export const charge: ReferenceCharge = {
  cases: [
    { name: 'each begun 5 kg', price: per({}), ask: twelve, is: '6.00', why: '12 kg are 3 begun' },
    { name: 'of what lies above 2 kg', price: per({ above: 2 }), ask: twelve, is: '4.00', why: '10 kg are 2' },
    { name: 'of nothing', price: per({ above: 12 }), ask: twelve, is: '0.00', why: 'nothing lies above 12 kg' },
  ],
  amount: ({ per: steps = [] }, { measures }) =>
    steps.reduce((sum, { measure, every, above, price }) => {
      const begun = (measures[measure] as Q).minus(q(above)).max(ZERO).over(q(every)).ceil();
      return sum.plus(begun.times(signed(price)));
    }, new Q(0)),
  random: (dice, { sign, measures }) =>
    maybe(dice, 20, 'per', () => {
      const [measure, limit, places] = dice.of(measures);
      const unit = 10 ** places;
      const every = (1 + dice.roll(Math.max(1, Math.floor((limit * unit) / 3)))) / unit;
      const above = () => dice.roll(Math.ceil((limit * unit) / 2)) / unit;
      return [{ measure, every, price: sign * dice.decimal(3, 2), ...maybe(dice, 40, 'above', above) }];
    }),
};
