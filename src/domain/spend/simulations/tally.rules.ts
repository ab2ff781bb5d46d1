import type { Component } from '../../pricing/tariffs/compile/tariff-lines.rules.ts';
import type { Exclusion } from '../../pricing/tariffs/exclusion.rules.ts';
import type { Price } from '../../pricing/tariffs/price.rules.ts';
import type { Shipment } from '../../pricing/tariffs/shipment-terms.rules.ts';
import { NOT_CHARGED } from '../../pricing/tariffs/units.rules.ts';
import type { NotPriceable, Shipped } from '../shipped.rules.ts';
import { countInMonth, type MonthSums, NO_ACCOUNT, type SimulatedAccount } from './account-sums.rules.ts';
import { type Counted, cheapestOf, increase, type NotPriced, notPricedOf, type Sum } from './sums.rules.ts';

/** The results of a simulation so far, in a form that is stored as JSON, so that a worker can continue. */

/** The limit on stored shipments with the largest changes, for each tariff. */
const MOST_MOVED = 20;

export interface ZoneSum extends Counted {
  readonly code: string;
  readonly name: string;
  /** By their upper limit in grams; 0 for pallets. */
  readonly bands: Record<number, BandSum>;
}

/** Shipments whose weight is in a band, or above the last one. */
export interface BandSum extends Counted {
  readonly over: number;
  /** Shipments above the last band, which are counted in it too. */
  beyond: number;
}

export interface LineSum extends Counted {
  readonly component: Component;
  readonly description: string;
}

export interface ServiceSum extends Counted {
  readonly name: string;
}

/** A shipment whose cost changes. */
export interface Move {
  readonly id: number;
  readonly trackingNumber: string;
  readonly orderNumber: string | null;
  /** The id of its carrier connection; results are stored by this name. */
  readonly carrierCompanyId: number;
  /** Position of its new tariff. */
  readonly tariff: number;
  readonly beforeCents: number;
  readonly afterCents: number;
  /** As it was priced, on the day of its departure. */
  readonly shipment: Shipment;
}

/** The basis of a comparison: shipments that have both prices. */
export interface Compared {
  shipments: number;
  beforeCents: number;
  afterCents: number;
  readonly savings: Move[];
  readonly increases: Move[];
}

/** The cost of all shipments by one tariff. */
export interface TariffTally {
  readonly all: Sum;
  readonly compared: Compared;
  readonly zones: Record<string, ZoneSum>;
  readonly lines: Record<string, LineSum>;
  readonly services: Record<string, ServiceSum>;
  readonly notPriced: NotPriced;
  /** The sum over shipments for which it is the cheapest. */
  readonly cheapest: Sum;
  readonly months: MonthSums;
  account: SimulatedAccount;
}

/** The shipments of a connection by its own tariff in force. */
export interface BookedSum extends Sum {
  readonly months: MonthSums;
  account: SimulatedAccount;
}

export interface Tally {
  shipments: number;
  /** By connection: the cost of its shipments by its own tariff in force. */
  readonly booked: Record<number, BookedSum>;
  readonly bookedNotPriced: NotPriced;
  /** Shipments that no tariff can price, by their missing data. */
  readonly notPriceable: NotPriced;
  readonly tariffs: readonly TariffTally[];
  readonly mix: { readonly all: Sum; readonly compared: Compared };
}

const noSum = (): Sum => ({ shipments: 0, netCents: 0, grossCents: 0 });
const nothingCompared = (): Compared => ({
  shipments: 0,
  beforeCents: 0,
  afterCents: 0,
  savings: [],
  increases: [],
});

/** @param tariffs their number */
export function emptyTally(tariffs: number): Tally {
  return {
    shipments: 0,
    booked: {},
    bookedNotPriced: {},
    notPriceable: {},
    tariffs: Array.from({ length: tariffs }, () => ({
      all: noSum(),
      compared: nothingCompared(),
      zones: {},
      lines: {},
      notPriced: {},
      cheapest: noSum(),
      services: {},
      months: {},
      account: NO_ACCOUNT,
    })),
    mix: { all: noSum(), compared: nothingCompared() },
  };
}

export function countNotPriceable(tally: Tally, shipped: NotPriceable): void {
  tally.shipments++;
  notPricedOf(tally.notPriceable, shipped.missing, shipped.trackingNumber, shipped.detail);
}

/**
 * Counts a shipment.
 *
 * @param before its price by the tariff in force of its own connection
 * @param prices by each of the tariffs
 * @returns the position of the cheapest; −1 if none applies
 */
export function countShipped(
  tally: Tally,
  shipped: Shipped,
  before: Price | Exclusion,
  prices: readonly (Price | Exclusion)[],
): number {
  tally.shipments++;
  const { carrierConnectionId, trackingNumber } = shipped;
  if (before.ok) {
    tally.booked[carrierConnectionId] ??= { ...noSum(), months: {}, account: NO_ACCOUNT };
    const booked = tally.booked[carrierConnectionId];
    increase(booked, before);
    countInMonth(booked.months, shipped, before);
  } else notPricedOf(tally.bookedNotPriced, before.code, trackingNumber);
  for (const [position, price] of prices.entries()) {
    const of = tally.tariffs[position] as TariffTally;
    if (!price.ok) {
      notPricedOf(of.notPriced, price.code, trackingNumber);
      continue;
    }
    increase(of.all, price);
    countInMonth(of.months, shipped, price);
    countZone(of, price);
    countLines(of, price);
    countService(of, price);
    if (before.ok) compare(of.compared, shipped, position, before, price);
  }
  const cheapest = cheapestOf(prices);
  const chosen = prices[cheapest];
  if (chosen?.ok) {
    increase((tally.tariffs[cheapest] as TariffTally).cheapest, chosen);
    increase(tally.mix.all, chosen);
    if (before.ok) compare(tally.mix.compared, shipped, cheapest, before, chosen);
  }
  return cheapest;
}

function countZone(of: TariffTally, { zone, base, components }: Price): void {
  const { code, name } = zone;
  of.zones[code] ??= { code, name, shipments: 0, netCents: 0, bands: {} };
  const sum = of.zones[code];
  const { band, steps } = base;
  const cents = components.base;
  sum.shipments++;
  sum.netCents += cents;
  const upTo = band < 0 ? 0 : (zone.upTo[band] as number);
  let inBand = sum.bands[upTo];
  if (inBand === undefined) {
    inBand = { over: band > 0 ? (zone.upTo[band - 1] as number) : 0, shipments: 0, netCents: 0, beyond: 0 };
    sum.bands[upTo] = inBand;
  }
  inBand.shipments++;
  inBand.netCents += cents;
  if (steps > 0) inBand.beyond++;
}

function countLines(of: TariffTally, { version, amounts }: Price): void {
  for (let position = 0; position < amounts.length; position++) {
    const amount = amounts[position] as number;
    if (amount === NOT_CHARGED) continue;
    const line = version.lines[position];
    if (line === undefined) continue;
    const { code, component, description } = line;
    of.lines[code] ??= { component, description, shipments: 0, netCents: 0 };
    const sum = of.lines[code];
    sum.shipments++;
    sum.netCents += amount;
  }
}

function countService(of: TariffTally, { version: { service }, totalCents }: Price): void {
  if (service === undefined) return;
  of.services[service.code] ??= { name: service.name, shipments: 0, netCents: 0 };
  const sum = of.services[service.code] as ServiceSum;
  sum.shipments++;
  sum.netCents += totalCents;
}

function compare(compared: Compared, shipped: Shipped, tariff: number, before: Price, after: Price): void {
  compared.shipments++;
  compared.beforeCents += before.totalCents;
  compared.afterCents += after.totalCents;
  const difference = after.totalCents - before.totalCents;
  if (difference === 0) return;
  const moves = difference < 0 ? compared.savings : compared.increases;
  const least = moves[MOST_MOVED - 1];
  if (least !== undefined && Math.abs(difference) <= movedBy(least)) return;
  moves.push(moveOf(shipped, tariff, before, after));
  // The first of equal ones stay, so that equal shipments give an equal list.
  moves.sort((one, other) => movedBy(other) - movedBy(one));
  if (moves.length > MOST_MOVED) moves.length = MOST_MOVED;
}

const movedBy = ({ beforeCents, afterCents }: Move) => Math.abs(afterCents - beforeCents);

function moveOf(
  { id, trackingNumber, orderNumber, carrierConnectionId, shipment }: Shipped,
  tariff: number,
  before: Price,
  after: Price,
): Move {
  const { warehouseId, country, place } = shipment.origin;
  return {
    id,
    trackingNumber,
    orderNumber,
    carrierCompanyId: carrierConnectionId,
    tariff,
    beforeCents: before.totalCents,
    afterCents: after.totalCents,
    shipment: { ...shipment, origin: { warehouseId, country, place } },
  };
}
