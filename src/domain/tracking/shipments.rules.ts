import { type Checks, WEIGHT_KG } from '../checks.rules.ts';
import { keyOf, trackingKey } from '../number.rules.ts';
import { type Contact, checkRecipient, type Recipient, type RecipientInput } from '../places/recipient.rules.ts';

export const RELATION_TYPES = ['parent', 'forward', 'return', 'child'] as const;
export type RelationType = (typeof RELATION_TYPES)[number];

/** Most characters of a tracking number. */
export const MAX_NUMBER = 100;

/** What the platform sends of a shipment. A field left out stays as it is; null empties it. */
export interface ShipmentInput {
  carrierCompanyId: number;
  trackingNumber: string;
  orderNumber?: string | null;
  warehouseId?: number | null;
  recipient?: RecipientInput | null;
  reference?: string | null;
  parcelId?: string | null;
  labels?: string[] | null;
  parcelNumber?: number | null;
  weight?: string | null;
  volume?: string | null;
  trackingUrl?: string | null;
  shipmentDate?: string | null;
  expectedDeliveryDate?: string | null;
  related?: { trackingNumber: string; type: string }[] | null;
}

/** A shipment's own columns as they are stored; those not sent are absent. */
export interface ShipmentFields {
  carrierConnectionId: number;
  trackingNumber: string;
  trackingKey: string;
  warehouseId: number | null;
  recipient: Recipient | null;
  reference: string | null;
  referenceKey: string | null;
  parcelId: string | null;
  parcelIdKey: string | null;
  parcelNumber: number;
  weight: string | null;
  volume: string | null;
  trackingUrl: string | null;
  shipmentDate: Date | null;
  expectedDeliveryDate: Date | null;
}

/** What belongs to a shipment in tables of its own; absent where not sent. */
export interface ShipmentParts {
  contact?: Contact;
  labels?: readonly string[];
  relations?: Readonly<Record<string, RelationType>>;
}

export interface CheckedShipment {
  readonly fields: Partial<ShipmentFields> &
    Pick<ShipmentFields, 'carrierConnectionId' | 'trackingNumber' | 'trackingKey'>;
  readonly parts: ShipmentParts;
  /** Absent where not sent, null where the shipment is to have no order. */
  readonly orderNumber?: string | null;
}

const MAX_LABELS = 500;
const MAX_RELATED = 50;
const VOLUME_CM3 = { integerDigits: 12, decimals: 3 };
const NO_CONTACT: Contact = { email: null, telephone: null };

export function checkShipment(checks: Checks, input: ShipmentInput): CheckedShipment {
  const trackingNumber = checks.text(['trackingNumber'], input.trackingNumber, MAX_NUMBER);
  const fields: CheckedShipment['fields'] = {
    carrierConnectionId: input.carrierCompanyId,
    trackingNumber,
    trackingKey: trackingKey(trackingNumber),
  };
  const parts: ShipmentParts = {};
  if (input.warehouseId !== undefined) fields.warehouseId = input.warehouseId;
  if (input.recipient !== undefined) {
    const checked = input.recipient && checkRecipient(checks, ['recipient'], input.recipient);
    fields.recipient = checked?.recipient ?? null;
    parts.contact = checked?.contact ?? NO_CONTACT;
  }
  if (input.reference !== undefined) {
    fields.reference = checks.optionalText(['reference'], input.reference);
    fields.referenceKey = keyOf(fields.reference);
  }
  if (input.parcelId !== undefined) {
    fields.parcelId = checks.optionalText(['parcelId'], input.parcelId);
    fields.parcelIdKey = keyOf(fields.parcelId);
  }
  if (input.parcelNumber !== undefined) {
    fields.parcelNumber = checks.integer(['parcelNumber'], input.parcelNumber ?? 1, 1, 10_000);
  }
  if (input.weight !== undefined) fields.weight = checks.decimal(['weight'], input.weight, WEIGHT_KG);
  if (input.volume !== undefined) fields.volume = checks.decimal(['volume'], input.volume, VOLUME_CM3);
  if (input.trackingUrl !== undefined) fields.trackingUrl = checks.httpUrl(['trackingUrl'], input.trackingUrl);
  if (input.shipmentDate !== undefined) fields.shipmentDate = checks.dateTime(['shipmentDate'], input.shipmentDate);
  if (input.expectedDeliveryDate !== undefined) {
    fields.expectedDeliveryDate = checks.dateTime(['expectedDeliveryDate'], input.expectedDeliveryDate);
  }
  if (input.labels !== undefined) parts.labels = checkLabels(checks, input.labels ?? []);
  if (input.related !== undefined) parts.relations = checkRelated(checks, input.related ?? [], fields.trackingKey);
  return input.orderNumber === undefined
    ? { fields, parts }
    : { fields, parts, orderNumber: checks.optionalText(['orderNumber'], input.orderNumber) };
}

function checkLabels(checks: Checks, labels: readonly string[]): readonly string[] {
  if (labels.length > MAX_LABELS) {
    checks.add(['labels'], 'too_many', `must have at most ${MAX_LABELS} entries, has ${labels.length}`);
    return [];
  }
  return labels.map((label, i) => checks.text(['labels', i], label, MAX_NUMBER));
}

function checkRelated(
  checks: Checks,
  related: readonly { trackingNumber: string; type: string }[],
  ownKey: string,
): Readonly<Record<string, RelationType>> {
  if (related.length > MAX_RELATED) {
    checks.add(['related'], 'too_many', `must have at most ${MAX_RELATED} entries, has ${related.length}`);
    return {};
  }
  const relations: Record<string, RelationType> = {};
  for (const [i, { trackingNumber, type }] of related.entries()) {
    const key = trackingKey(checks.text(['related', i, 'trackingNumber'], trackingNumber, MAX_NUMBER));
    if (key === ownKey) checks.add(['related', i, 'trackingNumber'], 'not_allowed', 'must not be the shipment itself');
    const known = RELATION_TYPES.find(candidate => candidate === type);
    if (known) relations[key] = known;
    else checks.add(['related', i, 'type'], 'not_allowed', `must be one of ${RELATION_TYPES.join(', ')}`);
  }
  return relations;
}
