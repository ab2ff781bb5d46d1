import { z } from 'zod';
import { COD_PAYMENTS } from '../shipment-terms.rules.ts';
import { conditionKind } from './condition-kind.rules.ts';

/** An amount that is collected in some way. */
export const paymentsCondition = conditionKind({
  form: { codPayments: z.array(z.enum(COD_PAYMENTS)).min(1).max(COD_PAYMENTS.length).optional() },
  isEarly: false,
  isCostly: false,
  guide: [
    '`codPayments`',
    'an amount is collected, by one of `cash`, `bank_cheque`, `personal_cheque`, `card`; `cash` where the quote does not say',
  ],
  words: {},
  check: () => undefined,
  compile: ({ codPayments }) => codPayments && new Set<string>(codPayments),
  holds: (payments, { shipment }) => shipment.codCents > 0 && payments.has(shipment.codPayment),
});
