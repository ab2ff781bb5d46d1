import { areaOf, findRule } from '../areas/area.rules.ts';
import { basePrice } from '../bands/base-price.rules.ts';
import { amountOf } from '../charges/charge.rules.ts';
import type {
  CompiledLine,
  CompiledOrigins,
  CompiledTariff,
  CompiledVersion,
} from '../compile/compiled-tariff.rules.ts';
import { holds } from '../conditions/condition.rules.ts';
import { type Exclusion, excluded } from '../exclusion.rules.ts';
import { checkLimits } from '../limits.rules.ts';
import { withPalletClasses } from '../pallets/pallet-classes.rules.ts';
import type { Price } from '../price.rules.ts';
import { NO_ZONE, type Origin, type Shipment, type Situation } from '../shipment-terms.rules.ts';
import { euro, MAX_TOTAL_CENTS, NOT_CHARGED, percent, roundToCents } from '../units.rules.ts';
import { weigh } from '../weight/chargeable-weight.rules.ts';
import { checkServices, isAsked } from './offer.rules.ts';

/** Prices a shipment by a tariff: by the service that is asked for, or by the cheapest that fits. */
export function price(tariff: Pick<CompiledTariff, 'versions'>, asked: Shipment): Price | Exclusion {
  const version = versionAt(tariff.versions, asked.date);
  if (version === undefined) return excluded(undefined, 'NO_TARIFF_IN_FORCE', ['versions'], { is: 'not_in_force' });
  const shipment = withPalletClasses(version.palletClasses, asked);
  if (version.service === undefined && shipment.service === undefined) return priceBy(version, shipment);
  const versions = servicesAt(tariff.versions, shipment.date);
  if (shipment.service === undefined) return cheapest(versions, shipment);
  const serviceVersion = versions.find(({ service }) => service?.code === shipment.service);
  return serviceVersion ? priceBy(serviceVersion, shipment) : withoutService(versions, shipment);
}

/** The first of equal prices counts. Without a price, the reason comes from the first service that is offered. */
function cheapest(versions: readonly CompiledVersion[], shipment: Shipment): Price | Exclusion {
  let least: Price | undefined;
  const reasons: { readonly by: CompiledVersion; readonly reason: Exclusion }[] = [];
  for (const version of versions) {
    const found = priceBy(version, shipment);
    if (!found.ok) reasons.push({ by: version, reason: found });
    else if (least === undefined || compareCost(found, least) < 0) least = found;
  }
  if (least !== undefined) return least;
  const [first] = reasons;
  return (reasons.find(({ by }) => isOffered(by, shipment)) ?? first)?.reason as Exclusion;
}

/** Whether the condition of a service holds, wherever the shipment goes: to no zone of the service too. */
function isOffered(version: CompiledVersion, shipment: Shipment): boolean {
  const condition = version.service?.condition;
  if (condition === undefined) return true;
  const { origin, zone } = zoneOf(version, shipment);
  const { chargeableGrams } = weigh(version, zone, shipment, origin);
  return holds(condition, { shipment, zone: zone?.index ?? NO_ZONE, origin, chargeableGrams });
}

/** The reason of a shipment by a service that the tariff lacks: the first in the order of the document. */
function withoutService(versions: readonly CompiledVersion[], shipment: Shipment): Exclusion {
  const found = cheapest(versions, { ...shipment, service: undefined });
  if (!found.ok && EARLIER_REASONS.has(found.code) && found.reason.is !== 'too_dear') return found;
  const offered = versions.flatMap(({ service }) => service?.code ?? []);
  const unknown = { is: 'unknown_service', service: shipment.service ?? '', offered } as const;
  return excluded(versions[0], 'OPTION_NOT_SUPPORTED', ['services'], unknown);
}

/** The reasons that the document checks before the service. */
const EARLIER_REASONS: ReadonlySet<Exclusion['code']> = new Set([
  'DESTINATION_NOT_SERVED',
  'WEIGHT_OUT_OF_RANGE',
  'DIMENSIONS_OUT_OF_RANGE',
]);

/** Which price is lower: with VAT, and then without it. */
export function compareCost(one: Price, other: Price): number {
  return one.grossCents - other.grossCents || one.totalCents - other.totalCents;
}

/** In the order of the document: zone, weight, limits, band, lines, VAT. */
function priceBy(version: CompiledVersion, shipment: Shipment): Price | Exclusion {
  const { originCountries } = version;
  if (originCountries !== undefined && !originCountries.has(shipment.origin.country)) {
    const reason = { is: 'origin', country: shipment.origin.country } as const;
    return excluded(version, 'DESTINATION_NOT_SERVED', ['originCountries'], reason);
  }
  const { origin, zoneTable, zoneRule, zone } = zoneOf(version, shipment);
  if (zone === undefined) return excluded(version, 'DESTINATION_NOT_SERVED', ['zones'], { is: 'no_zone' });
  if (zone.notServed !== undefined) {
    const rule = ['zones', zone.index, 'notServed'];
    return excluded(version, 'DESTINATION_NOT_SERVED', rule, { is: 'not_served', why: zone.notServed });
  }
  const beyondLimits = checkLimits(version, shipment);
  if (beyondLimits !== undefined) return beyondLimits;

  const { volumetricGrams, chargeableGrams } = weigh(version, zone, shipment, origin);
  const situation: Situation = { shipment, zone: zone.index, origin, chargeableGrams };
  const base = basePrice(version, zone, situation);
  if (!base.ok) return base;
  const unsupported = checkServices(version, situation);
  if (unsupported !== undefined) return unsupported;

  const amounts: number[] = new Array(version.lines.length).fill(NOT_CHARGED);
  amounts[0] = base.cents;
  const components = { base: base.cents, surcharges: 0, fuel: 0, options: 0, cod: 0, insurance: 0 };
  let charged = base.cents;
  let discounted = 0;
  for (const position of version.order) {
    if (charged > MAX_TOTAL_CENTS || discounted > MAX_TOTAL_CENTS) break;
    const line = version.lines[position] as CompiledLine;
    if (!isAsked(line, shipment) || !holds(line.condition, situation)) continue;
    if (line.rivals !== undefined && isReplaced(line.rivals, version, situation)) continue;
    const amount = amountOf(line.charge, amounts, situation);
    amounts[position] = amount;
    components[line.component] += amount;
    if (amount > 0) charged += amount;
    else discounted -= amount;
  }
  if (charged > MAX_TOTAL_CENTS || discounted > MAX_TOTAL_CENTS)
    return excluded(version, 'WEIGHT_OUT_OF_RANGE', ['zones', zone.index], { is: 'too_dear' });
  const cutCents = Math.max(0, discounted - charged);
  if (cutCents > 0) cutDiscounts(amounts, cutCents, components);
  const totalCents = charged - discounted + cutCents;

  const vatRule = findRule(version.vatTable, shipment.destination, shipment.origin);
  const vatPpm = version.vat[areaOf(version.vatTable, vatRule)]?.ppm ?? 0;
  const vatCents = version.hasLineVat
    ? vatByRate(version, amounts, vatPpm).reduce((sum, { vat }) => sum + vat, 0)
    : roundToCents(totalCents * vatPpm);
  return {
    ok: true,
    version,
    zone,
    zoneTable,
    zoneRule,
    origin,
    realGrams: shipment.grams,
    volumetricGrams,
    chargeableGrams,
    base,
    amounts,
    components,
    totalCents,
    cutCents,
    vatPpm,
    vatRule,
    vatCents,
    grossCents: totalCents + vatCents,
  };
}

/** The zone of a destination, if there is one. The zones for its origin come first, then those for any origin. */
function zoneOf(version: CompiledVersion, shipment: Shipment) {
  const origin = version.origins === undefined ? -1 : originOf(version.origins, shipment.origin);
  const originTable = version.origins?.zoneTables[origin];
  let zoneTable = originTable ?? version.zoneTable;
  let zoneRule = findRule(zoneTable, shipment.destination, shipment.origin);
  if (originTable !== undefined && zoneRule < 0) {
    zoneTable = version.zoneTable;
    zoneRule = findRule(zoneTable, shipment.destination, shipment.origin);
  }
  return { origin, zoneTable, zoneRule, zone: version.zones[areaOf(zoneTable, zoneRule)] };
}

/** Whether a line that replaces another one applies. Separate, because a closure slows down its function. */
function isReplaced(rivals: readonly number[], { lines }: CompiledVersion, situation: Situation): boolean {
  return rivals.some(rival => holds(lines[rival]?.condition, situation));
}

/** The version's origin of a shipment: by its warehouse, or by the most specific place. */
function originOf({ warehouses, table }: CompiledOrigins, { warehouseId, place }: Origin): number {
  return warehouses.get(warehouseId) ?? areaOf(table, findRule(table, place));
}

/** Reduces the last discounts by an amount. */
function cutDiscounts(amounts: number[], cents: number, components: { surcharges: number }): void {
  let left = cents;
  for (let position = amounts.length - 1; position > 0 && left > 0; position--) {
    const amount = amounts[position] as number;
    if (amount >= 0 || amount === NOT_CHARGED) continue;
    const cut = Math.min(left, -amount);
    amounts[position] = amount + cut;
    // Only surcharges can be discounts.
    components.surcharges += cut;
    left -= cut;
  }
}

/** The VAT of all lines with one rate, in cents. */
export interface VatOfRate {
  readonly ppm: number;
  readonly net: number;
  readonly vat: number;
}

/** The VAT of a price by rate, starting with the rate of the destination, which is the rate of the base price. */
export function vatByRate(
  { lines }: Pick<CompiledVersion, 'lines'>,
  amounts: readonly number[],
  ppmOfDestination: number,
): VatOfRate[] {
  const nets: RateNet[] = [{ ppm: ppmOfDestination, net: 0 }];
  for (let position = 0; position < amounts.length; position++) {
    const amount = amounts[position] as number;
    if (amount !== NOT_CHARGED) addNet(nets, lines[position]?.vat?.ppm ?? ppmOfDestination, amount);
  }
  return vatOn(nets);
}

/** The sum of the amounts with one rate, in cents. */
export interface RateNet {
  readonly ppm: number;
  net: number;
}

/** Adds an amount to the sum of its rate. There are few rates, so that a list is faster than a map. */
export function addNet(nets: RateNet[], ppm: number, cents: number): void {
  for (const rate of nets) {
    if (rate.ppm !== ppm) continue;
    rate.net += cents;
    return;
  }
  nets.push({ ppm, net: cents });
}

/** The VAT on the sum of each rate, rounded half up once. */
export function vatOn(nets: readonly RateNet[]): VatOfRate[] {
  return nets.map(({ ppm, net }) => ({ ppm, net, vat: roundToCents(net * ppm) }));
}

/** The version in force on a day: of several services the first. */
export function versionAt(versions: readonly CompiledVersion[], date: string): CompiledVersion | undefined {
  return versions.find(({ validFrom, validUntil }) => validFrom <= date && date <= validUntil);
}

/** The version in force on a day, once for each of its services. */
export function servicesAt(versions: readonly CompiledVersion[], date: string): CompiledVersion[] {
  return versions.filter(({ validFrom, validUntil }) => validFrom <= date && date <= validUntil);
}

/** A shipment for a tariff: by its service if the tariff has that, or else by the cheapest that fits. */
export function asOffered(tariff: CompiledTariff, shipment: Shipment): Shipment {
  const { service: code, date } = shipment;
  if (code === undefined || servicesAt(tariff.versions, date).some(({ service }) => service?.code === code))
    return shipment;
  return { ...shipment, service: undefined };
}

/** The VAT of a price by rate, in percent and EUR. The amounts add up to the VAT, and the taxable sums to the price. */
export interface VatShare {
  readonly rate: number;
  readonly taxable: number;
  readonly amount: number;
}

export function vatBreakdown(rates: readonly VatOfRate[]): readonly VatShare[] {
  return rates.map(({ ppm, net, vat }) => ({ rate: percent(ppm), taxable: euro(net), amount: euro(vat) }));
}
