import { quotableOrder } from '../pricing/quotes/quote.input.ts';

/** The fields that shipments need to be priced, as in a quote. */

const { recipient, parcels } = quotableOrder.shape;

export const quotableRecipient = recipient;
export const quotableParcels = parcels;
export const quotableAmounts = quotableOrder.pick({ codAmount: true, insuranceAmount: true, goodsValue: true });
