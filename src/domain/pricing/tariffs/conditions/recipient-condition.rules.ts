import { z } from 'zod';
import { RECIPIENT_TYPES } from '../../../common/places/recipient.rules.ts';
import { conditionKind } from './condition-kind.rules.ts';

/** A recipient that is known to be a business, or a private person. */
export const recipientCondition = conditionKind({
  form: {
    recipientType: z
      .enum(RECIPIENT_TYPES)
      .describe('The recipient is of this type; where nothing says what it is, neither holds.')
      .optional(),
  },
  isEarly: false,
  isCostly: false,
  guide: [
    '`recipientType`',
    'the recipient is a `business` or a `private` person, as this says; where neither the quote nor its order says, it is neither',
  ],
  words: { recipientType: 'type of recipient' },
  check: () => undefined,
  compile: ({ recipientType }) => recipientType,
  holds: (type, { shipment }) => shipment.recipientType === type,
});
