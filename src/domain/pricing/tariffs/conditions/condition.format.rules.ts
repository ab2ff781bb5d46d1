import { z } from 'zod';
import { conditionFields, earlyFields } from './condition-kinds.rules.ts';

/** Conditions, in the one form that they have everywhere in a tariff. */

/** Events after the quote for which a carrier charges. */
export const SHIPMENT_EVENTS = ['storage', 'redelivery', 'return', 'address_change', 'waiting'] as const;
export type ShipmentEvent = (typeof SHIPMENT_EVENTS)[number];

/** A condition on which the weight depends. */
export const setting = z
  .strictObject(earlyFields)
  .describe('When it counts: all that is given must hold.')
  .meta({ id: 'WeightCondition' });

const test = z.strictObject(conditionFields).meta({ id: 'Test', minProperties: 1 });

export const condition = z
  .strictObject({
    ...conditionFields,
    allOf: z.array(test).min(1).max(20).describe('Each of these holds.').optional(),
    anyOf: z.array(test).min(1).max(20).describe('At least one of these holds.').optional(),
    noneOf: z.array(test).min(1).max(20).describe('None of these holds.').optional(),
  })
  .describe('When it applies: all that is given must hold.')
  .meta({ id: 'Condition' });

export type Setting = z.infer<typeof setting>;
export type Test = z.infer<typeof test>;
export type Condition = z.infer<typeof condition>;
