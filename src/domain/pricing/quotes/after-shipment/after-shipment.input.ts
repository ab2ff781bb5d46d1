import type { z } from 'zod';
import { enumOf, inputObject, integer } from '../../../common/fields.input.ts';
import { SHIPMENT_EVENTS } from '../../tariffs/conditions/condition.format.rules.ts';

/** The events of a shipment after it was quoted. */

export const shipmentEventInput = inputObject(
  'ShipmentEventInput',
  'What happened to a shipment, and how long it took.',
  {
    kind: enumOf('ShipmentEventKind', SHIPMENT_EVENTS).describe('What happened.'),
    storageDays: integer(0, 10_000).nullish().describe('Days in storage (giacenza). 0 where not given.'),
    waitingMinutes: integer(0, 100_000).nullish().describe('Minutes that the courier waited. 0 where not given.'),
  },
);

export type ShipmentEventInput = z.output<typeof shipmentEventInput>;
