import type { z } from 'zod';
import type { Issue } from '../../../platform/fault.ts';
import {
  decimal,
  flag,
  inputObject,
  list,
  optionalText,
  quantity,
  soughtText,
  text,
  WEIGHT_KG,
} from '../../common/fields.input.ts';
import { metadata } from '../../common/metadata.input.ts';
import type { MetadataPatch } from '../../common/metadata.rules.ts';
import { keyOf } from '../../common/number.rules.ts';
import { oneOf } from '../../common/one-of.input.ts';
import { recipientInput, recipientParts } from '../../common/places/recipient.input.ts';
import type { Contact } from '../../common/places/recipient.rules.ts';
import { recordId, soughtId } from '../../common/record-id.input.ts';
import { MAX_PARCEL_KINDS, MAX_PARCELS, type OrderFields, type Parcel, parcelCountIssues } from './orders.rules.ts';

const SIDE_CM = { max: 99_999.99, decimals: 2 };
const MONEY = { max: 999_999_999.99, decimals: 2 };

const parcelPalletInput = inputObject('ParcelPalletInput', 'What pallets are.', {
  type: optionalText(40).describe('Type, such as `EUR`, as tariffs name it. Without it, classes of tariffs decide.'),
  isStackable: flag().default(false).describe('Whether something can stand on them.'),
});

const parcelInput = inputObject('ParcelInput', 'Equal parcels.', {
  weight: decimal(WEIGHT_KG).describe('Kilograms, each; at most three decimals.'),
  length: decimal(SIDE_CM).nullish().describe('Centimetres.'),
  width: decimal(SIDE_CM).nullish().describe('Centimetres.'),
  height: decimal(SIDE_CM).nullish().describe('Centimetres.'),
  quantity: quantity(MAX_PARCELS).describe('How many of this kind; at most 500 parcels an order.'),
  pallet: parcelPalletInput
    .nullish()
    .describe('The pallet, if the parcels are pallets. Pallets need length, width and height.'),
});

export const orderInput = inputObject(
  'OrderInput',
  'An order to create or to update. A field that is left out stays as it is. Null empties it.',
  {
    orderNumber: text().describe("The platform's internal order number: the key."),
    marketplace: optionalText().describe('The marketplace the order came from.'),
    marketplaceOrderId: optionalText().describe("The marketplace's identifier of the order."),
    marketplaceOrderNumber: optionalText().describe('Order number on the marketplace.'),
    warehouseId: recordId('Warehouse').nullish().describe('The warehouse that it is shipped from.'),
    recipient: recipientInput.describe('The recipient, which is replaced as a whole.'),
    parcels: list(parcelInput, { max: MAX_PARCEL_KINDS })
      .nullish()
      .describe('The parcels, at most 100 kinds. They are replaced as a whole.'),
    codAmount: decimal(MONEY).nullish().describe('Cash on delivery, EUR.'),
    insuranceAmount: decimal(MONEY).nullish().describe('Insured value, EUR.'),
    service: optionalText(40).describe(
      'Code of the service by which it is to be shipped, such as `express`, as tariffs name it.',
    ),
    goodsValue: decimal(MONEY).nullish().describe('What the goods are worth, EUR, for customs.'),
    metadata: metadata(),
  },
  ({ parcels }): readonly Issue[] => parcelCountIssues(['parcels'], parcels ?? []),
);

export const orderBy = oneOf('OrderBy', 'What names an order.', {
  id: soughtId('Order').nullish().describe('Its global id, or its `databaseId`.'),
  orderNumber: soughtText().describe("The platform's internal order number."),
});

export type OrderInput = z.input<typeof orderInput>;

/** An order's fields as they are stored, without fields that were not sent. */
export function orderFields(input: z.output<typeof orderInput>): {
  fields: Partial<OrderFields> & { orderNumber: string };
  contact: Contact;
  metadata: MetadataPatch | undefined;
} {
  const { recipient: sent, parcels, marketplaceOrderId, marketplaceOrderNumber, metadata: patch, ...others } = input;
  const { recipient, contact } = recipientParts(sent);
  const fields = {
    ...(others as Partial<OrderFields> & { orderNumber: string }),
    recipient,
    ...(marketplaceOrderId !== undefined && { marketplaceOrderId, marketplaceOrderIdKey: keyOf(marketplaceOrderId) }),
    ...(marketplaceOrderNumber !== undefined && {
      marketplaceOrderNumber,
      marketplaceOrderNumberKey: keyOf(marketplaceOrderNumber),
    }),
    ...(parcels !== undefined && { parcels: (parcels ?? []).map(storedParcel) }),
  };
  return { fields, contact, metadata: patch };
}

function storedParcel(parcel: z.output<typeof parcelInput>): Parcel {
  const { weight, length = null, width = null, height = null, quantity: count, pallet } = parcel;
  const { type = null, isStackable } = pallet ?? {};
  // Left out rather than null, as it is stored, so that a parcel that is sent again has not changed.
  return {
    weight,
    length,
    width,
    height,
    quantity: count,
    ...(isStackable !== undefined && { pallet: { type, isStackable } }),
  };
}
