import { maybe } from '../dice.ts';
import type { ReferenceCondition } from '../reference-condition.ts';

const when = { dates: { from: '2026-06-01', until: '2026-06-15' } };

export const condition: ReferenceCondition = {
  isEarly: true,
  cases: [
    { name: 'the last day', when, ask: { date: '2026-06-15' }, holds: true },
    { name: 'the day after', when, ask: { date: '2026-06-16' }, holds: false },
    { name: 'the day before', when, ask: { date: '2026-05-31' }, holds: false },
  ],
  holds: ({ dates }, { date }) => dates === undefined || ((dates.from ?? '') <= date && date <= (dates.until ?? '9')),
  random: dice =>
    maybe(dice, 15, 'dates', () =>
      dice.of([{ from: '2026-06-01' }, { until: '2026-09-30' }, { from: '2026-05-01', until: '2026-10-09' }]),
    ),
};
