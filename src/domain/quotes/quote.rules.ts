import type { Destination } from '../tariffs/area.rules.ts';
import type {
  CompiledCondition,
  CompiledLine,
  CompiledTariff,
  CompiledVersion,
  CompiledWeight,
  CompiledZone,
} from '../tariffs/compile.rules.ts';
import type { Component } from '../tariffs/tariff-lines.rules.ts';
import { MAX_TOTAL_CENTS, roundToCents, roundUpTo } from '../tariffs/units.rules.ts';
import { amountOf } from './amount.rules.ts';

/** Parcels of one kind. One of them weighs `grams / share`, so that totals stand for `quantity` equal parcels exactly. */
export interface ParcelKind {
  readonly grams: number;
  readonly volumeCm3: number;
  readonly share: number;
  readonly quantity: number;
}

/** What is priced, checked and in the units of `units.rules.ts`. */
export interface Shipment {
  readonly originCountry: string;
  readonly destination: Destination;
  readonly parcels: readonly ParcelKind[];
  readonly parcelCount: number;
  readonly grams: number;
  readonly volumeCm3: number;
  /** Real weight of the heaviest parcel, whole grams. */
  readonly heaviestGrams: number;
  /** Greatest of any parcel, hundredths of a cm; 0 where only totals are known. */
  readonly longestSide: number;
  readonly sumOfSides: number;
  /** 0 for none. */
  readonly codCents: number;
  readonly insuredCents: number;
  /** Codes, each once. */
  readonly options: readonly string[];
  /** `YYYY-MM-DD`, in Italy. */
  readonly date: string;
}

/** A shipment's price on a tariff, in whole cents and grams, with everything that led to it. */
export interface Price {
  readonly ok: true;
  readonly version: CompiledVersion;
  readonly zone: CompiledZone;
  /** Index into `version.zoneTable.rules`. */
  readonly zoneRule: number;
  readonly realGrams: number;
  readonly volumetricGrams: number;
  readonly chargeableGrams: number;
  /** Index into the zone's bands: the one it falls in, or the last where `steps` go beyond it. */
  readonly band: number;
  readonly steps: number;
  /** By position of `version.lines`; `NOT_CHARGED` for a line that does not apply. */
  readonly amounts: readonly number[];
  readonly components: Readonly<Record<Component, number>>;
  readonly totalCents: number;
  readonly vatPpm: number;
  /** Index into `version.vatTable.rules`. */
  readonly vatRule: number;
  readonly vatCents: number;
  readonly grossCents: number;
}

export const NOT_CHARGED = -1;

export type ExclusionCode =
  | 'DESTINATION_NOT_SERVED'
  | 'WEIGHT_OUT_OF_RANGE'
  | 'DIMENSIONS_OUT_OF_RANGE'
  | 'COD_NOT_SUPPORTED'
  | 'INSURANCE_NOT_SUPPORTED'
  | 'OPTION_NOT_SUPPORTED'
  | 'NO_TARIFF_IN_FORCE';

/** Why a tariff does not apply: the rule that says so, and the sentence for people, in Italian. */
export interface Exclusion {
  readonly ok: false;
  readonly code: ExclusionCode;
  /** Path of the rule in the tariff. */
  readonly rule: readonly (string | number)[];
  readonly version: CompiledVersion | undefined;
  readonly reason: ExclusionReason;
}

/** What an exclusion is about; `exclusion.rules.ts` makes sentences of it. */
export type ExclusionReason =
  | { readonly is: 'no_tariff' | 'not_in_force' | 'no_zone' | 'too_dear' | 'no_cod' | 'no_insurance' }
  | { readonly is: 'origin'; readonly country: string }
  | { readonly is: 'not_served'; readonly why: string }
  | { readonly is: 'parcel_weight' | 'shipment_weight' | 'last_band'; readonly grams: number; readonly limit: number }
  | { readonly is: 'longest_side' | 'sum_of_sides'; readonly side: number; readonly limit: number }
  | { readonly is: 'parcel_count'; readonly count: number; readonly limit: number }
  | { readonly is: 'cod_amount' | 'insured_value'; readonly cents: number; readonly limit: number }
  | { readonly is: 'unknown_option'; readonly option: string; readonly offered: readonly string[] }
  | { readonly is: 'option_not_offered'; readonly option: string };

/** Prices a shipment on a tariff: the version in force, zone, weight, limits, band, lines, VAT, as the tariff is read. */
export function price(tariff: CompiledTariff, shipment: Shipment): Price | Exclusion {
  const version = versionAt(tariff.versions, shipment.date);
  if (version === undefined) return excluded(undefined, 'NO_TARIFF_IN_FORCE', ['versions'], { is: 'not_in_force' });
  const { destination, originCountry } = shipment;
  const { originCountries, zoneTable, weight } = version;
  if (originCountries !== undefined && !originCountries.has(originCountry)) {
    return excluded(version, 'DESTINATION_NOT_SERVED', ['originCountries'], { is: 'origin', country: originCountry });
  }
  const zoneRule = zoneTable.find(destination);
  const zone = version.zones[zoneTable.areaOf(zoneRule)];
  if (zone === undefined) return excluded(version, 'DESTINATION_NOT_SERVED', ['zones'], { is: 'no_zone' });
  if (zone.notServed !== undefined) {
    const rule = ['zones', zone.index, 'notServed'];
    return excluded(version, 'DESTINATION_NOT_SERVED', rule, { is: 'not_served', why: zone.notServed });
  }
  const beyondLimits = checkLimits(version, shipment);
  if (beyondLimits !== undefined) return beyondLimits;

  const { volumetricGrams, chargeableGrams } = weigh(weight, shipment);
  const band = bandOf(zone, chargeableGrams);
  const last = zone.upTo.length - 1;
  const lastGrams = zone.upTo[last] ?? 0;
  if (band > last && zone.stepGrams === 0) {
    const reason = { is: 'last_band', grams: chargeableGrams, limit: lastGrams } as const;
    return excluded(version, 'WEIGHT_OUT_OF_RANGE', ['zones', zone.index, 'bands'], reason);
  }
  const unsupported = checkServices(version, shipment, zone.index, chargeableGrams);
  if (unsupported !== undefined) return unsupported;

  const steps = band > last ? Math.ceil((chargeableGrams - lastGrams) / zone.stepGrams) : 0;
  const inBand = Math.min(band, last);
  const amounts: number[] = new Array(version.lines.length).fill(NOT_CHARGED);
  amounts[0] = (zone.prices[inBand] ?? 0) + steps * zone.stepCents;
  const components = { base: amounts[0], surcharges: 0, fuel: 0, options: 0, cod: 0, insurance: 0 };
  let totalCents = amounts[0];
  for (const position of version.order) {
    if (totalCents > MAX_TOTAL_CENTS) break;
    const line = version.lines[position] as CompiledLine;
    if (!isAsked(line, shipment) || !holds(line.condition, shipment, zone.index, chargeableGrams)) continue;
    const amount = amountOf(line, amounts, shipment, chargeableGrams);
    amounts[position] = amount;
    components[line.component] += amount;
    totalCents += amount;
  }
  if (totalCents > MAX_TOTAL_CENTS)
    return excluded(version, 'WEIGHT_OUT_OF_RANGE', ['zones', zone.index], { is: 'too_dear' });

  const vatRule = version.vatTable.find(destination);
  const vatPpm = version.vat[version.vatTable.areaOf(vatRule)]?.ppm ?? 0;
  const vatCents = roundToCents(totalCents * vatPpm);
  return {
    ok: true,
    version,
    zone,
    zoneRule,
    realGrams: shipment.grams,
    volumetricGrams,
    chargeableGrams,
    band: inBand,
    steps,
    amounts,
    components,
    totalCents,
    vatPpm,
    vatRule,
    vatCents,
    grossCents: totalCents + vatCents,
  };
}

function excluded(
  version: CompiledVersion | undefined,
  code: ExclusionCode,
  rule: readonly (string | number)[],
  reason: ExclusionReason,
): Exclusion {
  return {
    ok: false,
    code,
    version,
    rule: version === undefined ? rule : ['versions', version.index, ...rule],
    reason,
  };
}

/** The version in force on a day. */
export function versionAt(versions: readonly CompiledVersion[], date: string): CompiledVersion | undefined {
  return versions.find(({ validFrom, validUntil }) => validFrom <= date && date <= validUntil);
}

/** Volumetric and chargeable weight: of the whole shipment, or of each parcel and then added. */
function weigh(
  { perParcel, stepGrams, numerator, denominator }: CompiledWeight,
  { parcels, grams, volumeCm3 }: Shipment,
): { volumetricGrams: number; chargeableGrams: number } {
  if (!perParcel) {
    const volumetricGrams = Math.ceil((volumeCm3 * numerator) / denominator);
    return { volumetricGrams, chargeableGrams: roundUpTo(Math.max(grams, volumetricGrams), stepGrams) };
  }
  let volumetricGrams = 0;
  let chargeableGrams = 0;
  for (const parcel of parcels) {
    // Rounding up to whole grams first changes nothing: the step is a whole number of them.
    const volumetric = Math.ceil((parcel.volumeCm3 * numerator) / (denominator * parcel.share));
    const real = Math.ceil(parcel.grams / parcel.share);
    volumetricGrams += volumetric * parcel.quantity;
    chargeableGrams += roundUpTo(Math.max(real, volumetric), stepGrams) * parcel.quantity;
  }
  return { volumetricGrams, chargeableGrams };
}

/** Whether two destinations of one shipment make no difference on a tariff. */
export function samePrice(one: Price | Exclusion, other: Price | Exclusion): boolean {
  if (!one.ok || !other.ok) {
    return !one.ok && !other.ok && one.code === other.code && one.rule.join('/') === other.rule.join('/');
  }
  const vatOf = ({ version, vatRule }: Price) => version.vatTable.areaOf(vatRule);
  return (
    one.zone === other.zone &&
    vatOf(one) === vatOf(other) &&
    one.amounts.every((amount, position) => amount === other.amounts[position])
  );
}

function checkLimits(version: CompiledVersion, shipment: Shipment): Exclusion | undefined {
  const { limits } = version;
  const { heaviestGrams, grams, longestSide, sumOfSides, parcelCount } = shipment;
  if (heaviestGrams > limits.parcelGrams) {
    const reason = { is: 'parcel_weight', grams: heaviestGrams, limit: limits.parcelGrams } as const;
    return excluded(version, 'WEIGHT_OUT_OF_RANGE', ['limits', 'parcelKg'], reason);
  }
  if (grams > limits.shipmentGrams) {
    const reason = { is: 'shipment_weight', grams, limit: limits.shipmentGrams } as const;
    return excluded(version, 'WEIGHT_OUT_OF_RANGE', ['limits', 'shipmentKg'], reason);
  }
  if (longestSide > limits.longestSide) {
    const reason = { is: 'longest_side', side: longestSide, limit: limits.longestSide } as const;
    return excluded(version, 'DIMENSIONS_OUT_OF_RANGE', ['limits', 'longestSideCm'], reason);
  }
  if (sumOfSides > limits.sumOfSides) {
    const reason = { is: 'sum_of_sides', side: sumOfSides, limit: limits.sumOfSides } as const;
    return excluded(version, 'DIMENSIONS_OUT_OF_RANGE', ['limits', 'sumOfSidesCm'], reason);
  }
  if (parcelCount > limits.parcels) {
    const reason = { is: 'parcel_count', count: parcelCount, limit: limits.parcels } as const;
    return excluded(version, 'DIMENSIONS_OUT_OF_RANGE', ['limits', 'parcels'], reason);
  }
  return undefined;
}

/** Whether cash on delivery, insurance and every option asked for are offered for this shipment. */
function checkServices(
  version: CompiledVersion,
  shipment: Shipment,
  zone: number,
  chargeableGrams: number,
): Exclusion | undefined {
  const { codCents, insuredCents, options } = shipment;
  const { codMaximum, insuranceMaximum, optionPositions, lines } = version;
  if (codCents > 0 && codMaximum < 0) return excluded(version, 'COD_NOT_SUPPORTED', ['cod'], { is: 'no_cod' });
  if (codCents > 0 && codCents > codMaximum) {
    const reason = { is: 'cod_amount', cents: codCents, limit: codMaximum } as const;
    return excluded(version, 'COD_NOT_SUPPORTED', ['cod', 'maximumAmount'], reason);
  }
  if (insuredCents > 0 && insuranceMaximum < 0) {
    return excluded(version, 'INSURANCE_NOT_SUPPORTED', ['insurance'], { is: 'no_insurance' });
  }
  if (insuredCents > 0 && insuredCents > insuranceMaximum) {
    const reason = { is: 'insured_value', cents: insuredCents, limit: insuranceMaximum } as const;
    return excluded(version, 'INSURANCE_NOT_SUPPORTED', ['insurance', 'maximumAmount'], reason);
  }
  for (const option of options) {
    const line = lines[optionPositions.get(option) ?? -1];
    if (line === undefined) {
      const reason = { is: 'unknown_option', option, offered: [...optionPositions.keys()] } as const;
      return excluded(version, 'OPTION_NOT_SUPPORTED', ['options'], reason);
    }
    if (!holds(line.condition, shipment, zone, chargeableGrams)) {
      return excluded(version, 'OPTION_NOT_SUPPORTED', [...line.path, 'when'], { is: 'option_not_offered', option });
    }
  }
  return undefined;
}

/** The first band whose limit is not below the weight; the number of bands where all are. */
function bandOf({ upTo }: CompiledZone, grams: number): number {
  let low = 0;
  let high = upTo.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((upTo[middle] as number) < grams) low = middle + 1;
    else high = middle;
  }
  return low;
}

function isAsked({ component, code }: CompiledLine, { codCents, insuredCents, options }: Shipment): boolean {
  if (component === 'cod') return codCents > 0;
  if (component === 'insurance') return insuredCents > 0;
  return component !== 'options' || options.includes(code);
}

function holds(
  condition: CompiledCondition | undefined,
  shipment: Shipment,
  zone: number,
  chargeableGrams: number,
): boolean {
  if (condition === undefined) return true;
  return (
    (condition.zones?.has(zone) ?? true) &&
    chargeableGrams >= condition.fromGrams &&
    shipment.heaviestGrams >= condition.parcelFromGrams &&
    shipment.longestSide > condition.longestSideOver &&
    shipment.sumOfSides > condition.sumOfSidesOver &&
    (condition.table === undefined || condition.table.find(shipment.destination) >= 0)
  );
}
