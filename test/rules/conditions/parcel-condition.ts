import { type Dice, maybe, randomRange } from '../dice.ts';
import type { ReferenceCondition } from '../reference-condition.ts';
import { parcelHolds } from '../reference-parcels.ts';
import { parcels } from '../tariff-cases.ts';

const ask = parcels([2, 5, 100, 10, 10], [1, 30, 20, 20, 20]);

function randomTests(dice: Dice): object {
  const tests = {
    ...maybe(dice, 30, 'weightKg', () => randomRange(dice, 20, 3)),
    ...maybe(dice, 15, 'volumeM3', () => randomRange(dice, 1, 6)),
    ...maybe(dice, 25, 'longestSideCm', () => randomRange(dice, 90, 1)),
    ...maybe(dice, 15, 'secondSideCm', () => randomRange(dice, 60, 1)),
    ...maybe(dice, 15, 'sumOfSidesCm', () => randomRange(dice, 150, 1)),
    ...maybe(dice, 20, 'girthCm', () => randomRange(dice, 220, 1)),
    ...maybe(dice, 8, 'palletTypes', () => dice.of([['EUR'], ['c1', 'c2']])),
    ...maybe(dice, 8, 'isPallet', () => dice.chance(50)),
    ...maybe(dice, 8, 'isStackable', () => dice.chance(50)),
  };
  return Object.keys(tests).length > 0 ? tests : { weightKg: randomRange(dice, 20, 3) };
}

export const condition: ReferenceCondition = {
  isEarly: true,
  cases: [
    { name: 'a heavy one', when: { parcel: { weightKg: { from: 30 } } }, ask, holds: true },
    { name: 'a long one', when: { parcel: { longestSideCm: { over: 99.99 } } }, ask, holds: true },
    { name: '120 cm in sum, from 120', when: { parcel: { sumOfSidesCm: { from: 120 } } }, ask, holds: true },
    { name: '120 cm in sum, over 120', when: { parcel: { sumOfSidesCm: { over: 120 } } }, ask, holds: false },
    {
      name: 'none that is both',
      when: { parcel: { weightKg: { from: 30 }, longestSideCm: { over: 99.99 } } },
      ask,
      holds: false,
    },
  ],
  holds: ({ parcel }, { parcels: those }) => parcel === undefined || those.some(one => parcelHolds(parcel, one)),
  random: dice =>
    maybe(dice, 30, 'parcel', () => ({
      ...randomTests(dice),
      ...maybe(dice, 15, 'anyOf', () => [randomTests(dice), randomTests(dice)]),
      ...maybe(dice, 15, 'noneOf', () => [randomTests(dice)]),
    })),
};
