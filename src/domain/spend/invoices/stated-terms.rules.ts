import type { RecipientType } from '../../common/places/recipient.rules.ts';
import { amountFields, type CodPayment, type StatedCents } from '../../pricing/tariffs/shipment-terms.rules.ts';

/** Terms of shipments that decide prices and that shipments may lack, as an invoice states them. */

/** The terms that a line states, or that an invoice states for all of its lines. */
export interface StatedTerms extends StatedCents<null> {
  readonly codPayment: CodPayment | null;
  /** Shipments of the month. */
  readonly monthlyShipments: number | null;
  /** How many parcels are pallets; null for all of them if `palletType` is given. */
  readonly pallets: number | null;
  readonly palletType: string | null;
  /** On how many of the pallets something can stand. */
  readonly stackablePallets: number | null;
  readonly recipientType: RecipientType | null;
}

export const NO_TERMS: StatedTerms = {
  codPayment: null,
  monthlyShipments: null,
  pallets: null,
  palletType: null,
  stackablePallets: null,
  recipientType: null,
  ...amountFields(() => null),
};
