import { invalid, requireNone } from '../../platform/fault.ts';
import { sharesOf } from '../orders/orders.rules.ts';
import { DECIMALS, scaled } from '../tariffs/units.rules.ts';
import {
  centsOf,
  type Destinations,
  destinationNotices,
  destinationsOf,
  type Load,
  loadOf,
  loadOfEqual,
  type Notice,
  type QuoteDestination,
  totalIssues,
} from './price/shipment.rules.ts';
import type { QuoteInput } from './quote.input.ts';

/** The content of a quote's input, in the units of the engine. */

/** The fields of both modes: requested services, carriers, and the day. */
interface QuoteTerms {
  /** Undefined if it was not sent: in mode A the order's value is used. */
  readonly codCents: number | undefined;
  readonly insuredCents: number | undefined;
  readonly options: readonly string[];
  readonly carrierConnectionIds: readonly number[] | undefined;
  readonly date: string;
}

export type QuoteRequest = QuoteTerms &
  (
    | { readonly mode: 'order'; readonly orderId: number }
    | {
        readonly mode: 'manual';
        readonly warehouseId: number;
        readonly destination: QuoteDestination;
        readonly destinations: Destinations;
        readonly load: Load;
        readonly notices: readonly Notice[];
      }
  );

/**
 * Converts an input without reading the database.
 *
 * @param input as its schema reads it, so one of the two modes is complete
 * @param today in Italy
 * @param box the default parcel of the company, if `needsBox` and it has one
 * @throws Fault `validation_failed` for totals without a volume, and no box or one that is too large for them
 */
export function quoteRequest(input: QuoteInput, today: string, box?: Box): QuoteRequest {
  const { orderId, warehouseId, destination, parcels } = input;
  const terms: QuoteTerms = {
    codCents: centsOf(input.codAmount),
    insuredCents: centsOf(input.insuranceAmount),
    options: [...new Set(input.options)].toSorted(),
    carrierConnectionIds: input.carrierConnectionIds ?? undefined,
    date: input.shipmentDate ?? today,
  };
  if (orderId != null) return { mode: 'order', orderId, ...terms };
  return {
    mode: 'manual',
    warehouseId: warehouseId as number,
    destination: destination as QuoteDestination,
    destinations: destinationsOf(destination as QuoteDestination),
    load: parcels ? loadOf(parcels) : loadOfTotals(input, box),
    notices: destinationNotices(['destination'], destination as QuoteDestination),
    ...terms,
  };
}

/** The sides of parcels that state none, in centimetres. */
export interface Box {
  readonly length: string;
  readonly width: string;
  readonly height: string;
}

/** Whether the parcels of an input take their sides from the default parcel of the company. */
export function needsBox({ totalWeight, totalVolume }: QuoteInput): boolean {
  return totalWeight != null && totalVolume == null;
}

/** The totals of equal parcels. */
function loadOfTotals({ totalWeight, totalVolume, parcelNumber }: QuoteInput, box: Box | undefined): Load {
  const count = parcelNumber ?? 1;
  if (totalVolume == null) {
    const shares = sharesOf(totalWeight ?? '', count);
    const { length, width, height } = box ?? {};
    if (length && width && height && shares) {
      const parcels = shares.map(share => ({ ...share, length, width, height }));
      requireNone(totalIssues(['totalVolume'], parcels));
      return loadOf(parcels);
    }
    const message = 'must be given with totalWeight, since the company has no default parcel';
    throw invalid([{ path: ['totalVolume'], code: 'required', message }]);
  }
  const grams = scaled(totalWeight ?? '', DECIMALS.kg) ?? 0;
  const volumeCm3 = Math.ceil((scaled(totalVolume ?? '', 2) ?? 0) / 100);
  return loadOfEqual(grams, volumeCm3, count);
}
