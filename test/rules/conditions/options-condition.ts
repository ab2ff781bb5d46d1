import { maybe } from '../dice.ts';
import type { ReferenceCondition } from '../reference-condition.ts';

const options = [{ code: 'piano', description: 'Al piano', price: { fixed: 0 } }];
const when = { options: ['piano'] };

export const condition: ReferenceCondition = {
  isEarly: false,
  cases: [
    { name: 'an option that is asked for', when, version: { options }, ask: { options: ['piano'] }, holds: true },
    { name: 'an option that is not', when, version: { options }, holds: false },
  ],
  holds: ({ options: some }, { asked }) => some === undefined || some.some(code => asked.includes(code)),
  random: dice => maybe(dice, 5, 'options', () => ['o0']),
};
