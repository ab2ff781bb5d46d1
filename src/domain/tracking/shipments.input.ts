import type { z } from 'zod';
import type { Issue } from '../../platform/fault.ts';
import {
  dateTime,
  decimal,
  enumOf,
  httpUrl,
  identifier,
  inputObject,
  integer,
  list,
  optionalText,
  text,
  WEIGHT_KG,
} from '../fields.input.ts';
import { metadata } from '../metadata.input.ts';
import { keyOf, trackingKey } from '../number.rules.ts';
import { recipientInput, recipientParts } from '../places/recipient.input.ts';
import {
  type CheckedShipment,
  MAX_NUMBER,
  MAX_RELATED,
  NO_CONTACT,
  RELATION_TYPES,
  type ShipmentParts,
} from './shipments.rules.ts';

/** What the platform sends of shipments. */

const MAX_LABELS = 500;
const MAX_PARCELS = 10_000;
const VOLUME_CM3 = { max: 999_999_999_999.999, decimals: 3 };

const relatedShipmentInput = inputObject(
  'RelatedShipmentInput',
  'A shipment that belongs to this one. It need not be known yet.',
  {
    trackingNumber: text(MAX_NUMBER).describe('Its main tracking number.'),
    type: enumOf('RelatedShipmentType', RELATION_TYPES).describe(
      `What it is to this one: ${RELATION_TYPES.join(', ')}.`,
    ),
  },
);

export const shipmentInput = inputObject(
  'ShipmentInput',
  'A shipment to create, or to bring up to date. A field left out stays as it is; null empties it.',
  {
    carrierCompanyId: identifier().describe('Identifier of the carrier connection; part of the key.'),
    trackingNumber: text(MAX_NUMBER).describe(
      'Main tracking number; part of the key, compared without spaces, dots, case and a leading MUL.',
    ),
    orderNumber: optionalText().describe('Internal number of the order it is of.'),
    warehouseId: identifier().nullish().describe('The warehouse it leaves from.'),
    recipient: recipientInput.nullish().describe("Whom it goes to, replaced as a whole; by default the order's."),
    reference: optionalText().describe("The sender's reference; finds the shipment."),
    parcelId: optionalText().describe("The carrier's identifier of the parcel; finds the shipment."),
    labels: list(text(MAX_NUMBER), { max: MAX_LABELS })
      .nullish()
      .describe('Tracking numbers of secondary labels, which find the shipment; replaced as a whole.'),
    parcelNumber: integer(1, MAX_PARCELS)
      .nullish()
      .describe('Number of parcels; 1 for a new shipment that does not say.'),
    weight: decimal(WEIGHT_KG).nullish().describe('Kilograms; at most three decimals.'),
    volume: decimal(VOLUME_CM3).nullish().describe('Cubic centimetres; at most three decimals.'),
    trackingUrl: httpUrl().describe("The carrier's public tracking page."),
    shipmentDate: dateTime()
      .nullish()
      .describe('When it was shipped; by default at the time of the first `shipped` event.'),
    expectedDeliveryDate: dateTime()
      .nullish()
      .describe(
        "When it is expected, by the platform; the carrier's estimate is shown in its place once there is one.",
      ),
    related: list(relatedShipmentInput, { max: MAX_RELATED })
      .nullish()
      .describe('Shipments that belong to it; replaced as a whole.'),
    metadata: metadata(),
  },
  ({ trackingNumber, related }): readonly Issue[] =>
    (related ?? []).flatMap((one, i) =>
      trackingNumber !== undefined && trackingKey(one.trackingNumber) === trackingKey(trackingNumber)
        ? [{ path: ['related', i, 'trackingNumber'], code: 'not_allowed', message: 'must not be the shipment itself' }]
        : [],
    ),
);

export type ShipmentInput = z.input<typeof shipmentInput>;

/** A shipment's columns and what belongs to it in other tables; what was not sent is absent. */
export function shipmentFields(input: z.output<typeof shipmentInput>): CheckedShipment {
  const { carrierCompanyId, trackingNumber, orderNumber, recipient: sent, labels, related, ...others } = input;
  const { reference, parcelId, parcelNumber, metadata: patch, ...columns } = others;
  const parts: ShipmentParts = {};
  const recipient = sent && recipientParts(sent);
  if (sent !== undefined) parts.contact = recipient?.contact ?? NO_CONTACT;
  if (labels !== undefined) parts.labels = labels ?? [];
  if (related !== undefined) {
    parts.relations = Object.fromEntries((related ?? []).map(one => [trackingKey(one.trackingNumber), one.type]));
  }
  const fields = {
    ...(columns as Partial<CheckedShipment['fields']>),
    carrierConnectionId: carrierCompanyId,
    trackingNumber,
    trackingKey: trackingKey(trackingNumber),
    ...(sent !== undefined && { recipient: recipient?.recipient ?? null }),
    ...(reference !== undefined && { reference, referenceKey: keyOf(reference) }),
    ...(parcelId !== undefined && { parcelId, parcelIdKey: keyOf(parcelId) }),
    ...(parcelNumber !== undefined && { parcelNumber: parcelNumber ?? 1 }),
  };
  return {
    fields,
    parts,
    ...(orderNumber !== undefined && { orderNumber }),
    ...(patch !== undefined && { metadata: patch }),
  };
}
