import { randomRange } from '../dice.ts';
import type { ReferenceCondition } from '../reference-condition.ts';
import { lies, type Range } from '../reference-parcels.ts';

const ask = { totals: { kg: 6.2, parcels: 3 } };

export const condition: ReferenceCondition = {
  isEarly: false,
  cases: [
    { name: '7 kg chargeable, from 7', when: { chargeableKg: { from: 7 } }, ask, holds: true },
    { name: '7 kg chargeable, over 7', when: { chargeableKg: { over: 7 } }, ask, holds: false },
    { name: '6.2 kg real, up to 6.2', when: { realKg: { upTo: 6.2 } }, ask, holds: true },
    { name: '3 parcels, below 3', when: { parcels: { below: 3 } }, ask, holds: false },
    { name: '3 parcels and 7 kg', when: { parcels: { from: 3 }, chargeableKg: { from: 7.001 } }, ask, holds: false },
  ],
  holds: (when, { measures }) =>
    Object.entries(measures).every(([name, value]) => lies((when as Record<string, Range>)[name], value)),
  random: (dice, { measures }) => {
    const [measure, limit, places] = dice.of(measures);
    return dice.chance(25) ? { [measure]: randomRange(dice, limit, places) } : {};
  },
};
