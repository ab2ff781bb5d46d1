import { type Fault, type Issue, invalid, requireNone } from '../../../platform/fault.ts';
import { sharesOf } from '../../shipping/orders/orders.rules.ts';
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
  const { orderId, parcels, totals } = input.shipment;
  const terms: QuoteTerms = {
    codCents: centsOf(input.codAmount),
    insuredCents: centsOf(input.insuranceAmount),
    options: [...new Set(input.options)].toSorted(),
    carrierConnectionIds: input.carrierConnectionIds ?? undefined,
    date: input.shipmentDay ?? input.shipmentDate ?? today,
  };
  if (orderId != null) return { mode: 'order', orderId, ...terms };
  const { warehouseId, destination } = (parcels ?? totals) as Totals;
  return {
    mode: 'manual',
    warehouseId,
    destination,
    destinations: destinationsOf(destination),
    load: parcels ? loadOf(parcels.parcels) : loadOfTotals(totals as Totals, box),
    notices: destinationNotices(['shipment', formOf(input), 'destination'], destination),
    ...terms,
  };
}

type Totals = NonNullable<QuoteInput['shipment']['totals']>;

const formOf = ({ shipment }: QuoteInput) => (shipment.parcels ? 'parcels' : 'totals');

/** The sides of parcels that state none, in centimetres. */
interface Box {
  readonly length: string;
  readonly width: string;
  readonly height: string;
}

/** Whether the parcels of an input take their sides from the default parcel of the company. */
export function needsBox({ shipment: { totals } }: QuoteInput): boolean {
  return totals != null && totals.volume == null;
}

/** The totals of equal parcels. */
function loadOfTotals({ weight, volume, parcelCount }: Totals, box: Box | undefined): Load {
  const count = parcelCount ?? 1;
  if (volume == null) {
    const path = ['shipment', 'totals', 'volume'];
    const shares = sharesOf(weight, count);
    const { length, width, height } = box ?? {};
    if (length && width && height && shares) {
      const parcels = shares.map(share => ({ ...share, length, width, height }));
      requireNone(totalIssues(path, parcels));
      return loadOf(parcels);
    }
    throw invalid([{ path, code: 'required', message: 'must be given, since the company has no default parcel' }]);
  }
  const volumeCm3 = Math.ceil((scaled(volume, 2) ?? 0) / 100);
  return loadOfEqual(scaled(weight, DECIMALS.kg) ?? 0, volumeCm3, count);
}

/** Issues of missing records that an input names, by the code of the fault. */
const MISSING = {
  order_not_found: { field: 'orderId', message: 'must be the id of an order of the company' },
  warehouse_not_found: { field: 'warehouseId', message: 'must be the id of a warehouse of the company' },
} as const;

/** The issues of an input that a fault is about; undefined for any other fault. */
export function issuesOfInput({ code, options }: Fault, input?: QuoteInput): readonly Issue[] | undefined {
  if (options.issues) return options.issues;
  if (code !== 'order_not_found' && code !== 'warehouse_not_found') return undefined;
  const { field, message } = MISSING[code];
  const form = input && field === 'warehouseId' ? [formOf(input)] : [];
  return [{ path: ['shipment', ...form, field], code, message }];
}
