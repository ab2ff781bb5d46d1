import { maybe } from '../dice.ts';
import type { ReferenceCondition } from '../reference-condition.ts';

export const condition: ReferenceCondition = {
  isEarly: true,
  cases: [
    { name: 'Palermo in Sicilia', when: { to: { regions: ['Sicilia'] } }, holds: true },
    {
      name: 'Palermo in Sicilia without PA',
      when: { to: { regions: ['Sicilia'], except: { provinces: ['PA'] } } },
      holds: false,
    },
  ],
  holds: ({ to }, { isAt }) => to === undefined || isAt(to),
  random: (dice, { someplaces }) =>
    maybe(dice, 15, 'to', () => ({ ...someplaces(), ...(dice.chance(30) && { except: someplaces() }) })),
};
