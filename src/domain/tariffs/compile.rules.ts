import type { Steps } from '../../platform/limits/slices.ts';
import { EU_COUNTRIES } from '../places/places.rules.ts';
import { atOnce } from '../steps.rules.ts';
import { AreaTable } from './area.rules.ts';
import type { Charge, Condition, Sum, Tariff, TariffVersion, Zone } from './tariff.format.rules.ts';
import { type Component, linesOf, namedIn } from './tariff-lines.rules.ts';
import { cents, DECIMALS, grams, MAX_GRAMS, MICRO, ppmOf, scaled, side } from './units.rules.ts';
import { VAT_TABLE, type VatRow } from './vat.rules.ts';

/** A tariff made ready for pricing: integers in place of decimals, positions in place of codes, tables in place of lists. */
export interface CompiledTariff {
  readonly name: string;
  /** By date, ascending. */
  readonly versions: readonly CompiledVersion[];
  /** About how many bytes of memory it takes. */
  readonly bytes: number;
}

export interface CompiledVersion {
  /** Position in the tariff. */
  readonly index: number;
  readonly label: string;
  readonly validFrom: string;
  /** Last day; `9999-12-31` for none. */
  readonly validUntil: string;
  readonly originCountries: ReadonlySet<string> | undefined;
  readonly weight: CompiledWeight;
  readonly limits: CompiledLimits;
  readonly zones: readonly CompiledZone[];
  readonly zoneTable: AreaTable;
  /** In the order in which they are shown; the first is the base price. */
  readonly lines: readonly CompiledLine[];
  /** Positions of all lines but the base, each after those it is a percentage of. */
  readonly order: readonly number[];
  /** Positions of the options, by code. */
  readonly optionPositions: ReadonlyMap<string, number>;
  readonly codMaximum: number;
  readonly insuranceMaximum: number;
  readonly vatTable: AreaTable;
  readonly vat: readonly CompiledVat[];
}

/** Volumetric grams are cm³ × `numerator` / `denominator`. */
export interface CompiledWeight {
  readonly perParcel: boolean;
  readonly stepGrams: number;
  readonly numerator: number;
  readonly denominator: number;
}

/** `Infinity` where there is none. */
interface CompiledLimits {
  readonly parcelGrams: number;
  readonly shipmentGrams: number;
  readonly longestSide: number;
  readonly sumOfSides: number;
  readonly parcels: number;
}

export interface CompiledZone {
  readonly index: number;
  readonly code: string;
  readonly name: string;
  readonly deliveryDays: number | null;
  readonly notServed: string | undefined;
  /** Grams up to and including, ascending, and the price in cents of each. */
  readonly upTo: Float64Array;
  readonly prices: Float64Array;
  /** 0 where nothing is carried beyond the last band. */
  readonly stepGrams: number;
  readonly stepCents: number;
}

export interface CompiledLine {
  readonly component: Component;
  readonly code: string;
  readonly description: string;
  /** Where it stands in the version. */
  readonly path: readonly (string | number)[];
  readonly condition: CompiledCondition | undefined;
  readonly charge: CompiledCharge;
  /** Percentages by date, ascending: fuel only. */
  readonly rates: readonly { readonly from: string; readonly ppm: number }[];
  /** Whether the price follows from weight, value or a percentage, rather than being a fixed amount. */
  readonly calculated: boolean;
  /** Value in cents that the percentage leaves out: insurance only. */
  readonly allowance: number;
}

/** Millionths of a cent; `of` are positions of lines. */
export interface CompiledSum {
  readonly fixed: number;
  readonly perGram: number;
  readonly perParcel: number;
  readonly ppm: number;
  readonly of: readonly number[];
}

export interface CompiledCharge {
  /** One, or two of which the greater counts. */
  readonly sums: readonly CompiledSum[];
  readonly minimum: number;
  readonly maximum: number;
}

export interface CompiledCondition {
  /** By index; undefined for all. */
  readonly zones: ReadonlySet<number> | undefined;
  readonly table: AreaTable | undefined;
  readonly fromGrams: number;
  readonly parcelFromGrams: number;
  readonly longestSideOver: number;
  readonly sumOfSidesOver: number;
}

interface CompiledVat {
  readonly ppm: number;
  readonly note: string | null;
}

/** Compiles a tariff that was checked. */
export function compileTariff(tariff: Tariff): CompiledTariff {
  return atOnce(compileTariffSteps(tariff));
}

export function* compileTariffSteps(tariff: Tariff): Steps<CompiledTariff> {
  const versions: CompiledVersion[] = [];
  for (const [index, version] of tariff.versions.entries()) {
    versions.push(yield* compileVersion(version, index, tariff.versions[index + 1]?.validFrom));
  }
  return { name: tariff.name, versions, bytes: versions.reduce((sum, version) => sum + bytesOf(version), 0) };
}

/** Measured on the heap, like those of tables: a little more than it is. */
const BYTES = { version: 2_000, zone: 650, band: 16, line: 1_000 } as const;

function bytesOf({ zoneTable, vatTable, zones, lines }: CompiledVersion): number {
  const inZones = zones.reduce((sum, { upTo }) => sum + BYTES.zone + upTo.length * BYTES.band, 0);
  const inLines = lines.reduce((sum, { condition }) => sum + BYTES.line + (condition?.table?.bytes ?? 0), 0);
  return BYTES.version + zoneTable.bytes + vatTable.bytes + inZones + inLines;
}

let vatOfService: AreaTable | undefined;

/** Of the service's own table; compiled once for all tariffs. */
function serviceVatTable(): AreaTable {
  vatOfService ??= AreaTable.of(VAT_TABLE.map(({ to }) => to));
  return vatOfService;
}

function* compileVersion(version: TariffVersion, index: number, nextFrom: string | undefined): Steps<CompiledVersion> {
  const { label, validFrom, originCountries } = version;
  const { lines, order } = yield* compileLines(version);
  const zones: CompiledZone[] = [];
  for (const [i, zone] of version.zones.entries()) {
    zones.push(compileZone(zone, i));
    yield;
  }
  const vat: readonly VatRow[] = version.vat ?? VAT_TABLE;
  return {
    index,
    label,
    validFrom,
    validUntil: version.validUntil ?? (nextFrom === undefined ? '9999-12-31' : dayBefore(nextFrom)),
    originCountries:
      originCountries && new Set(originCountries.flatMap(code => (code === 'EU' ? [...EU_COUNTRIES] : code))),
    weight: compileWeight(version.weight),
    limits: compileLimits(version.limits),
    zones,
    zoneTable: yield* AreaTable.steps(version.zones.map(({ to }) => to)),
    lines,
    order,
    optionPositions: new Map(
      lines.flatMap(({ component, code }, position) => (component === 'options' ? [[code, position] as const] : [])),
    ),
    codMaximum: version.cod ? cents(version.cod.maximumAmount) || Number.POSITIVE_INFINITY : -1,
    insuranceMaximum: version.insurance ? cents(version.insurance.maximumAmount) || Number.POSITIVE_INFINITY : -1,
    vatTable: version.vat ? yield* AreaTable.steps(vat.map(({ to }) => to)) : serviceVatTable(),
    vat: vat.map(({ percent, note = null }) => ({ ppm: ppmOf(percent), note })),
  };
}

/** The day before a calendar day. */
export function dayBefore(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10);
}

function compileWeight({ volumetric, per, roundUpToKg }: TariffVersion['weight']): CompiledWeight {
  // 1 kg/m³ is a thousandth of a gram a cm³; a divisor of 1 cm³/kg is 1,000 g a cm³.
  const [numerator, denominator] =
    volumetric === undefined
      ? [0, 1]
      : 'kgPerM3' in volumetric
        ? [volumetric.kgPerM3, 1000]
        : [1000, volumetric.cm3PerKg];
  return { perParcel: per === 'parcel', stepGrams: grams(roundUpToKg), numerator, denominator };
}

function compileLimits(limits: TariffVersion['limits']): CompiledLimits {
  return {
    parcelGrams: grams(limits.parcelKg) || MAX_GRAMS,
    shipmentGrams: grams(limits.shipmentKg) || MAX_GRAMS,
    longestSide: side(limits.longestSideCm) || Number.POSITIVE_INFINITY,
    sumOfSides: side(limits.sumOfSidesCm) || Number.POSITIVE_INFINITY,
    parcels: limits.parcels ?? Number.POSITIVE_INFINITY,
  };
}

function compileZone({ code, name, deliveryDays, notServed, bands, beyond }: Zone, index: number): CompiledZone {
  return {
    index,
    code,
    name,
    deliveryDays: deliveryDays ?? null,
    notServed,
    upTo: Float64Array.from(bands, ({ upToKg }) => grams(upToKg)),
    prices: Float64Array.from(bands, ({ price }) => cents(price)),
    stepGrams: grams(beyond?.everyKg),
    stepCents: cents(beyond?.price),
  };
}

function* compileLines(version: TariffVersion): Steps<{ lines: CompiledLine[]; order: number[] }> {
  const named = linesOf(version);
  const positions = new Map(named.map(({ code }, position) => [code, position]));
  const zones = new Map(version.zones.map(({ code }, index) => [code, index]));
  const lines: CompiledLine[] = [];
  for (const { charge, when, ...line } of named) {
    lines.push({
      ...line,
      condition: when && (yield* compileCondition(when, zones)),
      charge: compileCharge(charge, of => namedIn(of, named).map(code => positions.get(code) ?? -1)),
    });
    yield;
  }
  return { lines, order: orderOf(lines) };
}

function* compileCondition(when: Condition, zones: ReadonlyMap<string, number>): Steps<CompiledCondition> {
  return {
    zones: when.zones && new Set(when.zones.map(code => zones.get(code) ?? -1)),
    table: when.to && (yield* AreaTable.steps([when.to])),
    fromGrams: grams(when.fromKg),
    parcelFromGrams: grams(when.parcelFromKg),
    longestSideOver: when.longestSideOverCm === undefined ? -1 : side(when.longestSideOverCm),
    sumOfSidesOver: when.sumOfSidesOverCm === undefined ? -1 : side(when.sumOfSidesOverCm),
  };
}

function compileCharge(charge: Charge, positionsOf: (of: readonly string[]) => number[]): CompiledCharge {
  return {
    sums: (charge.greaterOf ?? [charge]).map(sum => compileSum(sum, positionsOf)),
    minimum: cents(charge.minimum) * MICRO,
    maximum: charge.maximum === undefined ? Number.POSITIVE_INFINITY : cents(charge.maximum) * MICRO,
  };
}

function compileSum(
  { fixed, perKg, perParcel, percent, of = [] }: Sum,
  positionsOf: (of: readonly string[]) => number[],
): CompiledSum {
  return {
    fixed: cents(fixed) * MICRO,
    perGram: scaled(perKg ?? 0, DECIMALS.eurPerKg) ?? Number.NaN,
    perParcel: cents(perParcel) * MICRO,
    ppm: ppmOf(percent),
    of: positionsOf(of),
  };
}

/** Positions in an order in which each line comes after those it is a percentage of. */
function orderOf(lines: readonly CompiledLine[]): number[] {
  const order: number[] = [];
  const seen = new Set([0]);
  const visit = (position: number) => {
    if (seen.has(position)) return;
    seen.add(position);
    for (const sum of lines[position]?.charge.sums ?? []) for (const other of sum.of) visit(other);
    order.push(position);
  };
  for (const position of lines.keys()) visit(position);
  return order;
}
