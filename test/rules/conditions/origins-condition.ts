import { maybe } from '../dice.ts';
import type { ReferenceCondition } from '../reference-condition.ts';

const version = { origins: [{ code: 'magazzino', warehouses: [7] }] };
const when = { origins: ['magazzino'] };

export const condition: ReferenceCondition = {
  isEarly: true,
  cases: [
    { name: 'the origin of the warehouse', when, version, ask: { warehouse: 7 }, holds: true },
    { name: 'no origin', when, version, ask: { warehouse: 8 }, holds: false },
  ],
  holds: ({ origins }, { origin }) => origins === undefined || (origin !== undefined && origins.includes(origin)),
  random: dice => maybe(dice, 12, 'origins', () => [dice.of(['sud', 'magazzino'])]),
};
