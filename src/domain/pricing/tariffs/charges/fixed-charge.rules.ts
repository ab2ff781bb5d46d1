import { euro } from '../format/parts.format.rules.ts';
import { cents, MICRO, money } from '../units.rules.ts';
import { chargeKind, rejectNegative } from './charge-kind.rules.ts';

/** An amount for the shipment, in millionths of a cent. */
export const fixedCharge = chargeKind({
  form: { fixed: euro.describe('EUR a shipment.').optional() },
  parts: ['fixed'],
  needs: {},
  units: { fixed: 'money' },
  guide: ['`fixed`', 'EUR for the shipment'],
  words: { fixed: 'fixed amount' },
  isCalculated: () => false,
  check: (issues, path, { fixed }, rules) => rejectNegative(issues, [...path, 'fixed'], fixed, rules),
  compile: ({ fixed = 0 }) => (fixed === 0 ? undefined : cents(fixed) * MICRO),
  apply: microCents => microCents,
  pricing: (microCents, { words }) => words.aShipment(money(microCents / MICRO)),
  explain: microCents => money(microCents / MICRO),
});
