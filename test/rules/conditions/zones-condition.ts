import { maybe } from '../dice.ts';
import type { ReferenceCondition } from '../reference-condition.ts';

export const condition: ReferenceCondition = {
  isEarly: true,
  cases: [{ name: 'the zone of the shipment', when: { zones: ['all'] }, holds: true }],
  holds: ({ zones }, { zone }) => zones === undefined || zones.includes(zone),
  random: dice => maybe(dice, 15, 'zones', () => ['z0']),
};
