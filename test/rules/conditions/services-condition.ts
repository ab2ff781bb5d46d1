import type { ReferenceCondition } from '../reference-condition.ts';

const services = [
  { code: 'express', name: 'Express' },
  { code: 'economy', name: 'Economy' },
];

export const condition: ReferenceCondition = {
  cases: [
    {
      name: 'the service',
      when: { services: ['economy', 'express'] },
      version: { services },
      ask: { service: 'express' },
      holds: true,
    },
    {
      name: 'another service',
      when: { services: ['economy'] },
      version: { services },
      ask: { service: 'express' },
      holds: false,
    },
  ],
  isEarly: true,
  holds: (when, { service }) =>
    when.services === undefined || (service !== undefined && when.services.includes(service)),
  random: (dice, { services: all }) => {
    if (all.length === 0 || !dice.chance(20)) return {};
    const some = dice.some(all, 50);
    return { services: some.length > 0 ? some : [dice.of(all)] };
  },
};
