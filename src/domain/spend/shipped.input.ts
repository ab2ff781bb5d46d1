import { quotableOrder } from '../quotes/quote.input.ts';

/** What shipments must have to be priced: the same as in a quote. */

const { recipient, parcels } = quotableOrder.shape;

export const quotableRecipient = recipient;
export const quotableParcels = parcels;
export const quotableAmounts = quotableOrder.pick({ codAmount: true, insuranceAmount: true });
