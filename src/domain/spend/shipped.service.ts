import type { Position } from '../../platform/database/lists/index-scan.ts';
import type { Tenant } from '../../platform/database/tenancy/tenancy.ts';
import { Fault } from '../../platform/fault.ts';
import { BACKGROUND_TURN_MS, inTurns } from '../../platform/limits/turns.ts';
import { dayInItaly } from '../common/date-time.rules.ts';
import type { Period } from '../common/period.rules.ts';
import { priceIn } from '../pricing/quotes/price/province.rules.ts';
import {
  centsOf,
  type Destinations,
  destinationsOf,
  type Load,
  loadOf,
  loadOfEqual,
  originAt,
  PLAIN_TERMS,
  totalIssues,
} from '../pricing/quotes/price/shipment.rules.ts';
import type { SavedShipment } from '../pricing/saved-quotes/saved-quote.rules.ts';
import { asOffered } from '../pricing/tariffs/engine/quote.rules.ts';
import type { Price } from '../pricing/tariffs/price.rules.ts';
import type { Origin, Shipment } from '../pricing/tariffs/shipment-terms.rules.ts';
import { uncachedTariffs } from '../pricing/tariffs/tariff-book.service.ts';
import { DECIMALS, MAX_GRAMS, MAX_VOLUME_CM3, scaled } from '../pricing/tariffs/units.rules.ts';
import { type DefaultParcel, withDefault } from '../shipping/orders/default-parcel/default-parcel.rules.ts';
import { defaultParcel } from '../shipping/orders/default-parcel/default-parcel.service.ts';
import { MAX_PARCELS, type Parcel, sharesOf } from '../shipping/orders/orders.rules.ts';
import { conditionsOf } from '../shipping/tracking/lists/shipment-conditions.rules.ts';
import type { ShipmentFilter } from '../shipping/tracking/lists/shipment-filter.input.ts';
import { warehousePlace } from '../shipping/warehouses/warehouses.service.ts';
import { quotableAmounts, quotableParcels, quotableRecipient } from './shipped.input.ts';
import { type ShippedRow, shippedByNumber, shippedInPeriod } from './shipped.repository.ts';
import {
  isPriceable,
  type MeasuredBy,
  type MissingForPrice,
  type NotPriceable,
  type NumberKind,
  type Shipped,
} from './shipped.rules.ts';

/** Shipments of a period, and the position to continue from; null at the end. */
export interface ShippedPage {
  readonly shipments: readonly (Shipped | NotPriceable)[];
  readonly next: Position | null;
}

const DAY_MS = 24 * 3_600_000;
/** The limit on days between creation and shipping, because labels are not valid for longer. */
const MAX_DAYS_AHEAD = 90;
/** Cached places; most shipments go to few. */
const MAX_PLACES = 20_000;

type Found<Value> = { readonly value: Value } | { readonly missing: MissingForPrice; readonly detail: string };

/** Reads a company's shipments for pricing. Common data of many shipments are read and checked once. */
export class ShippedShipments {
  readonly #tenant: Tenant;
  readonly #origins = new Map<number, Origin>();
  readonly #places = new Map<string, Found<Destinations>>();

  constructor(tenant: Tenant) {
    this.#tenant = tenant;
  }

  /**
   * Shipments that left within a period, in the order of their creation.
   *
   * @param after the end of the page before; null for the first one
   */
  async page(period: Period, filter: ShipmentFilter, after: Position | null): Promise<ShippedPage> {
    const now = new Date();
    const rows = await shippedInPeriod(this.#tenant, {
      createdFrom: new Date(period.from.getTime() - MAX_DAYS_AHEAD * DAY_MS),
      shippedFrom: period.from,
      shippedTo: period.to,
      conditions: { ...conditionsOf(filter, now), statuses: [] },
      after,
    });
    const [first] = rows;
    const next = first?.reachedId == null ? null : { key: first.reachedKey, id: first.reachedId };
    return { shipments: await this.#read(rows.filter(({ id }) => id !== null)), next };
  }

  /** Shipments with one of these numbers, by number; one number may find several. */
  async byNumber(kind: NumberKind, keys: readonly string[]): Promise<Map<string, (Shipped | NotPriceable)[]>> {
    const rows = await shippedByNumber(this.#tenant, kind, keys);
    const shipments = await this.#read(rows);
    const found = new Map<string, (Shipped | NotPriceable)[]>();
    for (const [i, { key }] of rows.entries()) {
      const one = shipments[i] as Shipped | NotPriceable;
      const known = found.get(key);
      if (known) known.push(one);
      else found.set(key, [one]);
    }
    return found;
  }

  async #read(rows: readonly ShippedRow[]): Promise<(Shipped | NotPriceable)[]> {
    const ids = new Set(rows.flatMap(({ warehouseId, quoted }) => quoted?.warehouseId ?? warehouseId ?? []));
    for (const id of ids) if (!this.#origins.has(id)) await this.#readOrigin(id);
    const box = rows.length > 0 ? await defaultParcel(this.#tenant) : undefined;
    const shipments: (Shipped | NotPriceable)[] = [];
    for await (const row of inTurns(this.#tenant.companyId, rows, BACKGROUND_TURN_MS)) {
      shipments.push(this.#shipped(row, box));
    }
    return shipments;
  }

  /** A warehouse that was deleted after the quote cannot be the origin. */
  async #readOrigin(id: number): Promise<void> {
    try {
      this.#origins.set(id, originAt(id, await warehousePlace(this.#tenant, id)));
    } catch (thrown) {
      if (!(thrown instanceof Fault && thrown.code === 'warehouse_not_found')) throw thrown;
    }
  }

  #shipped(row: ShippedRow, box: DefaultParcel | undefined): Shipped | NotPriceable {
    const { id, carrierConnectionId, trackingNumber, statusCode, orderNumber } = row;
    const known = { id, carrierConnectionId, trackingNumber, statusCode, orderNumber };
    const origin = this.#origins.get(row.quoted?.warehouseId ?? row.warehouseId ?? 0);
    if (origin === undefined) {
      return { ...known, missing: 'warehouse_missing', detail: 'neither the shipment nor its order has a warehouse' };
    }
    if (row.quoted) return { ...known, ...this.#quoted(row.quoted, row.shippedAt, origin) };
    const destinations = this.#destinations(row);
    if ('missing' in destinations) return { ...known, ...destinations };
    const measured = measuredOf(row, box);
    if ('missing' in measured) return { ...known, ...measured };
    const amounts = amountsOf(row);
    if ('missing' in amounts) return { ...known, ...amounts };
    return {
      ...known,
      destinations: destinations.value,
      measuredBy: measured.value.by,
      shipment: {
        ...measured.value.load,
        origin,
        destination: destinations.value[0],
        options: [],
        date: dayInItaly(new Date(row.shippedAt)),
        ...PLAIN_TERMS,
        ...amounts.value,
        recipientType: row.recipientType ?? undefined,
        service: row.service ?? undefined,
      },
    };
  }

  /** The shipment of the quote, on the day of its departure. */
  #quoted(
    { destination, load }: SavedShipment,
    shippedAt: number,
    origin: Origin,
  ): Pick<Shipped, 'destinations' | 'measuredBy' | 'shipment'> {
    const destinations = destinationsOf(destination);
    const date = dayInItaly(new Date(shippedAt));
    // A quote that was saved before a term existed lacks it.
    const shipment = { ...PLAIN_TERMS, ...(load as Shipment), origin, destination: destinations[0], date };
    return { destinations, measuredBy: 'quote', shipment };
  }

  #destinations({ country, postalCode, city, province }: ShippedRow): Found<Destinations> {
    const key = [country, postalCode, city, province].join('\n');
    const known = this.#places.get(key);
    if (known) return known;
    const read = quotableRecipient.safeParse({ country, postalCode, city, province });
    const found: Found<Destinations> = read.success
      ? { value: destinationsOf(read.data) }
      : { missing: 'recipient_not_quotable', detail: issuesText(read.error.issues) };
    if (this.#places.size >= MAX_PLACES) this.#places.clear();
    this.#places.set(key, found);
    return found;
  }
}

interface Measured {
  readonly load: Load;
  readonly by: MeasuredBy;
}

/**
 * The parcels of its order, if it has all of them with known sides, or else the shipment's own totals. The default parcel
 * takes the place of sides that neither has; a weight is never assumed, since a claim could rest on it.
 */
function measuredOf(row: ShippedRow, box: DefaultParcel | undefined): Found<Measured> {
  const parcels = row.parcels?.length ? parcelsOf(row.parcels) : undefined;
  if (parcels && 'value' in parcels) return { value: { load: parcels.value, by: 'order_parcels' } };
  const totals = totalsOf(row);
  if ('value' in totals) return { value: { load: totals.value, by: 'shipment_totals' } };
  const isIncomplete = row.weight === null || row.volume === null;
  for (const boxed of box && isIncomplete ? boxedParcels(row, box) : []) {
    const load = parcelsOf(boxed);
    if ('value' in load) return { value: { load: load.value, by: 'default_parcel' } };
  }
  return row.weight === null && row.volume === null ? (parcels ?? totals) : totals;
}

/** The parcels that a shipment has by the sides of the default parcel, the best known first. */
function boxedParcels({ parcels, weight, parcelCount }: ShippedRow, box: DefaultParcel): (readonly Parcel[])[] {
  const { weight: _, ...sides } = box;
  const shares = weight === null ? undefined : sharesOf(weight, parcelCount);
  return [
    ...(parcels !== null && parcels.length > 0 ? [withDefault(parcels, box)] : []),
    ...(shares ? [shares.map(share => ({ ...share, ...sides }))] : []),
  ];
}

function parcelsOf(parcels: NonNullable<ShippedRow['parcels']>): Found<Load> {
  const read = quotableParcels.safeParse(parcels);
  const issues = read.success ? totalIssues(['parcels'], read.data) : read.error.issues;
  if (!read.success || issues.length > 0) return { missing: 'parcels_not_quotable', detail: issuesText(issues) };
  return { value: loadOf(read.data) };
}

function totalsOf({ weight, volume, parcelCount }: ShippedRow): Found<Load> {
  const grams = scaled(weight ?? '', DECIMALS.kg) ?? 0;
  if (grams === 0) return { missing: 'weight_missing', detail: 'the shipment has no weight' };
  if (volume === null) return { missing: 'volume_missing', detail: 'the shipment has no volume' };
  // A shipment stores at most three decimals.
  const volumeCm3 = Math.ceil((scaled(volume, 3) ?? 0) / 1000);
  if (grams > MAX_GRAMS || volumeCm3 > MAX_VOLUME_CM3 || parcelCount > MAX_PARCELS) {
    return { missing: 'parcels_not_quotable', detail: 'the totals are greater than the largest priced amount' };
  }
  return { value: loadOfEqual(grams, volumeCm3, parcelCount) };
}

type Amounts = Pick<Shipment, 'codCents' | 'insuredCents' | 'goodsCents'>;

function amountsOf({ codAmount, insuranceAmount, goodsValue }: ShippedRow): Found<Amounts> {
  const read = quotableAmounts.safeParse({ codAmount, insuranceAmount, goodsValue });
  if (!read.success) return { missing: 'amount_not_quotable', detail: issuesText(read.error.issues) };
  const [codCents = 0, insuredCents = 0, goodsCents] = [codAmount, insuranceAmount, goodsValue].map(centsOf);
  return { value: { codCents, insuredCents, goodsCents } };
}

function issuesText(issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[]): string {
  return issues.map(({ path, message }) => `${path.join('/')} ${message}`).join('; ');
}

/** Prices of shipments by the current tariff of their connection, by tracking key, if they have a price. */
export async function pricesAsShipped(
  tenant: Tenant,
  carrierConnectionId: number,
  trackingKeys: readonly string[],
): Promise<ReadonlyMap<string, Price>> {
  const [connection] = await uncachedTariffs.connections(tenant, new Set([carrierConnectionId]));
  const prices = new Map<string, Price>();
  if (!connection?.tariff) return prices;
  const found = await new ShippedShipments(tenant).byNumber('tracking_number', trackingKeys);
  for (const [key, shipments] of found) {
    const shipped = shipments.filter(isPriceable).find(one => one.carrierConnectionId === carrierConnectionId);
    const priced =
      shipped && priceIn(connection.tariff, asOffered(connection.tariff, shipped.shipment), shipped.destinations);
    if (priced?.ok) prices.set(key, priced);
  }
  return prices;
}
