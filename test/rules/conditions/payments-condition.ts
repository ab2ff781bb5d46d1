import { maybe } from '../dice.ts';
import type { ReferenceCondition } from '../reference-condition.ts';

const cod = [{ code: 'cod', description: 'Contrassegno', price: { fixed: 0 } }];
const when = { codPayments: ['card' as const] };

export const condition: ReferenceCondition = {
  isEarly: false,
  cases: [
    { name: 'paid by card', when, version: { cod }, ask: { cod: 10, payment: 'card' }, holds: true },
    { name: 'paid in cash', when, version: { cod }, ask: { cod: 10 }, holds: false },
    { name: 'nothing collected', when, ask: { payment: 'card' }, holds: false },
  ],
  holds: ({ codPayments }, { payment }) =>
    codPayments === undefined || (codPayments as readonly (string | undefined)[]).includes(payment),
  random: dice => maybe(dice, 8, 'codPayments', () => dice.of([['cash'], ['bank_cheque', 'card']])),
};
