import { maybe } from '../dice.ts';
import type { ReferenceCondition } from '../reference-condition.ts';

const when = { recipientType: 'private' as const };

export const condition: ReferenceCondition = {
  isEarly: false,
  cases: [
    { name: 'a private recipient', when, ask: { recipient: 'private' }, holds: true },
    { name: 'a business', when, ask: { recipient: 'business' }, holds: false },
    { name: 'a recipient of whom nothing is said', when, holds: false },
    {
      name: 'one that is not known to be a business',
      when: { noneOf: [{ recipientType: 'business' }] },
      holds: true,
    },
  ],
  holds: ({ recipientType }, { ask }) => recipientType === undefined || recipientType === ask.recipient,
  random: dice => maybe(dice, 8, 'recipientType', () => dice.of(['private', 'business'])),
  ask: dice => maybe(dice, 70, 'recipient', () => dice.of(['private', 'business'] as const)),
};
