import type { z } from 'zod';
import type { Issue } from '../../../platform/fault.ts';
import {
  decimal,
  enumOf,
  httpUrl,
  inputObject,
  integer,
  list,
  optionalText,
  text,
  WEIGHT_KG,
} from '../../common/fields.input.ts';
import { metadata } from '../../common/metadata.input.ts';
import type { MetadataPatch } from '../../common/metadata.rules.ts';
import { keyOf, trackingKey } from '../../common/number.rules.ts';
import { recipientInput, recipientParts } from '../../common/places/recipient.input.ts';
import type { Recipient } from '../../common/places/recipient.rules.ts';
import { recordId } from '../../common/record-id.input.ts';
import { dateTime, dateTimeOrDay } from '../../common/times.input.ts';
import { MAX_NUMBER, MAX_RELATED, NO_CONTACT, RELATION_TYPES, type ShipmentParts } from './shipments.rules.ts';

const MAX_LABELS = 500;
const MAX_PARCELS = 10_000;
const VOLUME_CM3 = { max: 999_999_999_999.999, decimals: 3 };

const relatedShipmentInput = inputObject(
  'RelatedShipmentInput',
  'A shipment that belongs to this one. It does not need to exist yet.',
  {
    trackingNumber: text(MAX_NUMBER).describe('Its main tracking number.'),
    type: enumOf('RelatedShipmentType', RELATION_TYPES).describe(
      `Its relation to this one: ${RELATION_TYPES.join(', ')}.`,
    ),
  },
);

export const shipmentInput = inputObject(
  'ShipmentInput',
  'A shipment to create or to update. A field that is left out stays as it is. Null empties it.',
  {
    carrierConnectionId: recordId('CarrierConnection')
      .describe('The carrier connection; part of the key.')
      .meta({ fileName: 'carrierCompanyId' }),
    trackingNumber: text(MAX_NUMBER).describe(
      'Main tracking number; part of the key, compared without spaces, dots, case and a leading MUL.',
    ),
    orderNumber: optionalText().describe('Internal number of its order.'),
    warehouseId: recordId('Warehouse').nullish().describe('The warehouse that it leaves.'),
    quoteId: recordId('SavedQuote').nullish().describe('The saved quote that it was booked with.'),
    recipient: recipientInput
      .nullish()
      .describe('The recipient, which is replaced as a whole. By default the recipient of the order.'),
    reference: optionalText().describe("The sender's reference. The shipment can be found by it."),
    parcelId: optionalText().describe("The carrier's identifier of the parcel. The shipment can be found by it."),
    labels: list(text(MAX_NUMBER), { max: MAX_LABELS })
      .nullish()
      .describe(
        'Tracking numbers of secondary labels. The shipment can be found by them. They are replaced as a whole.',
      ),
    parcelCount: integer(1, MAX_PARCELS).nullish().describe('Number of parcels. 1 by default for a new shipment.'),
    weight: decimal(WEIGHT_KG).nullish().describe('Kilograms; at most three decimals.'),
    volume: decimal(VOLUME_CM3).nullish().describe('Cubic centimetres; at most three decimals.'),
    trackingUrl: httpUrl().describe("The carrier's public tracking page."),
    shippedAt: dateTime().nullish().describe('When it was shipped. By default, the time of the first `shipped` event.'),
    expectedDeliveryAt: dateTimeOrDay()
      .nullish()
      .describe(
        'When the platform expects it. A day, such as 2026-11-21, means its end in Italy. Once there is an estimate of the carrier, that is shown instead.',
      ),
    relatedShipments: list(relatedShipmentInput, { max: MAX_RELATED })
      .nullish()
      .describe('Shipments that belong to it. They are replaced as a whole.'),
    metadata: metadata(),
  },
  ({ trackingNumber, relatedShipments }): readonly Issue[] =>
    (relatedShipments ?? []).flatMap((one, i) =>
      trackingNumber !== undefined && trackingKey(one.trackingNumber) === trackingKey(trackingNumber)
        ? [
            {
              path: ['relatedShipments', i, 'trackingNumber'],
              code: 'not_allowed',
              message: 'must not be the shipment itself',
            },
          ]
        : [],
    ),
);

export type ShipmentInput = z.input<typeof shipmentInput>;

type Sent = z.output<typeof shipmentInput>;
type OfOtherTables = 'orderNumber' | 'labels' | 'relatedShipments';

/** A shipment as columns and as parts in other tables, without fields that were not sent. */
export interface CheckedShipment {
  readonly fields: Omit<Sent, OfOtherTables | 'recipient' | 'parcelCount' | 'metadata'> & {
    readonly trackingKey: string;
    readonly referenceKey?: string | null;
    readonly parcelIdKey?: string | null;
    readonly recipient?: Recipient | null;
    readonly parcelCount?: number;
  };
  readonly parts: ShipmentParts;
  /** Null to remove the order. */
  readonly orderNumber?: string | null;
  readonly metadata?: MetadataPatch;
}

export function shipmentFields(input: Sent): CheckedShipment {
  const {
    orderNumber,
    recipient: sent,
    labels,
    relatedShipments: related,
    parcelCount,
    metadata: patch,
    ...columns
  } = input;
  const { trackingNumber, reference, parcelId } = columns;
  const parts: ShipmentParts = {};
  const recipient = sent && recipientParts(sent);
  if (sent !== undefined) parts.contact = recipient?.contact ?? NO_CONTACT;
  if (labels !== undefined) parts.labels = labels ?? [];
  if (related !== undefined) {
    parts.relatedShipments = Object.fromEntries(
      (related ?? []).map(one => [trackingKey(one.trackingNumber), one.type]),
    );
  }
  const fields = {
    ...columns,
    trackingKey: trackingKey(trackingNumber),
    ...(sent !== undefined && { recipient: recipient?.recipient ?? null }),
    ...(reference !== undefined && { referenceKey: keyOf(reference) }),
    ...(parcelId !== undefined && { parcelIdKey: keyOf(parcelId) }),
    ...(parcelCount !== undefined && { parcelCount: parcelCount ?? 1 }),
  };
  return {
    fields,
    parts,
    ...(orderNumber !== undefined && { orderNumber }),
    ...(patch !== undefined && { metadata: patch }),
  };
}

/** The fields behind changed columns and parts, in alphabetical order. A key changes with its field alone. */
export function changedFields(changed: readonly string[]): string[] {
  const fields = new Set(changed);
  if (fields.has('orderId')) fields.add('orderNumber');
  if (fields.has('contact')) fields.add('recipient');
  return [...fields].filter(name => name in shipmentInput.shape).sort();
}
