import type { Charge } from '../charges/charge.rules.ts';
import type { Condition, Test } from '../conditions/condition.format.rules.ts';
import type { Line, Tariff, TariffVersion } from '../format/tariff.format.rules.ts';
import type { LegacyCondition, LegacyLine, LegacyTariff, LegacyVersion } from './legacy.format.rules.ts';

/**
 * Tariffs of version 0.1 in the current format. They are translated where they enter, so that no other code handles
 * them.
 */

type Path = readonly (string | number)[];

/** Whether a document is a tariff of version 0.1, or empty. */
export function isLegacy(document: unknown): boolean {
  return !(typeof document === 'object' && document !== null && 'format' in document);
}

/** A tariff with equal prices, in the current format. */
export function translated({ name, currency, versions }: LegacyTariff): Tariff {
  return { format: 2, name, currency, versions: versions.map(translatedVersion) };
}

function translatedVersion(version: LegacyVersion): TariffVersion {
  const { label, validFrom, validUntil, originCountries, weight, limits, zones, surcharges, options, vat } = version;
  return {
    label,
    validFrom,
    ...(validUntil !== undefined && { validUntil }),
    ...(originCountries && { originCountries }),
    origins: [],
    weight: {
      per: weight.per,
      volumetric: weight.volumetric ? [weight.volumetric] : [],
      minimums: [],
      roundUp: [{ toKg: weight.roundUpToKg }],
    },
    limits,
    zones: zones.map(({ beyond, ...zone }) => ({ ...zone, beyond: beyond ? [beyond] : [], pallets: [] })),
    surcharges: surcharges.map(translatedLine),
    fuel: fuelOf(version),
    options: options.map(translatedLine),
    cod: codOf(version),
    insurance: insuranceOf(version),
    afterShipment: [],
    ...(vat && { vat }),
  };
}

function translatedLine({ code, description, when, price }: LegacyLine): Line {
  const condition = when && translatedCondition(when);
  if (!condition?.parcel) return { code, description, ...(condition && { when: condition }), price };
  const forAll = <Sum extends { perParcel?: number | undefined }>(sum: Sum) =>
    sum.perParcel === undefined ? sum : { ...sum, parcels: 'all' as const };
  const { greaterOf } = price;
  return {
    code,
    description,
    when: condition,
    price: { ...forAll(price), ...(greaterOf && { greaterOf: greaterOf.map(forAll) }) } as Charge,
  };
}

/** Conditions of version 0.1 on several things of parcels may be met by different parcels. */
function translatedCondition(condition: LegacyCondition): Condition {
  const { zones, to, fromKg, parcelFromKg, longestSideOverCm, sumOfSidesOverCm } = condition;
  const tests: Test[] = [];
  if (parcelFromKg !== undefined) tests.push({ parcel: { weightKg: { from: parcelFromKg } } });
  if (longestSideOverCm !== undefined) tests.push({ parcel: { longestSideCm: { over: longestSideOverCm } } });
  if (sumOfSidesOverCm !== undefined) tests.push({ parcel: { sumOfSidesCm: { over: sumOfSidesOverCm } } });
  return {
    ...(zones && { zones }),
    ...(to && { to }),
    ...(fromKg !== undefined && { chargeableKg: { from: fromKg } }),
    ...(tests.length === 1 ? tests[0] : tests.length > 1 && { allOf: tests }),
  };
}

function fuelOf({ fuel }: LegacyVersion): Line[] {
  if (!fuel) return [];
  const { description, of, rates } = fuel;
  return [{ code: 'fuel', description, price: { rates, of } }];
}

function codOf({ cod }: LegacyVersion): Line[] {
  if (!cod) return [];
  const { description = 'Contrassegno', fixed, percent, minimum, maximumAmount } = cod;
  const price: Charge = {
    ...(fixed !== undefined && { fixed }),
    ...(percent !== undefined && { percent, of: ['codAmount'] }),
    // A minimum alone is not a price, so a fixed amount of zero stands beside it.
    ...(minimum !== undefined && { ...(fixed === undefined && percent === undefined && { fixed: 0 }), minimum }),
  };
  return [{ code: 'cod', description, ...upTo('codAmount', maximumAmount), price }];
}

function insuranceOf({ insurance }: LegacyVersion): Line[] {
  if (!insurance) return [];
  const { description = 'Assicurazione', percent, minimum, allowance, maximumAmount } = insurance;
  const price: Charge = {
    percent,
    of: ['insuredValue'],
    ...(minimum !== undefined && { minimum }),
    ...(allowance !== undefined && allowance > 0 && { above: allowance }),
  };
  return [{ code: 'insurance', description, ...upTo('insuredValue', maximumAmount), price }];
}

function upTo(measure: 'codAmount' | 'insuredValue', most: number | undefined): { when?: Condition } {
  return most === undefined ? {} : { when: { [measure]: { upTo: most } } };
}

/** The place in the sent document of a part of a translated version, for messages. */
export function legacyPath([field, ...rest]: Path): Path {
  if (field === undefined) return [];
  if (field === 'fuel' || field === 'cod' || field === 'insurance') return [field, ...ofService(rest.slice(1))];
  if (field === 'weight' && rest[0] === 'volumetric') return [field, 'volumetric', ...rest.slice(2)];
  if (field === 'weight' && rest[0] === 'roundUp') return [field, 'roundUpToKg'];
  if (field === 'zones' && rest[1] === 'beyond') return [field, ...rest.slice(0, 2), ...rest.slice(3)];
  return [field, ...rest];
}

/** Within fuel, cash on delivery or insurance, which are one line without a price of its own. */
function ofService([field, ...rest]: Path): Path {
  if (field === 'when') return ['maximumAmount'];
  if (field !== 'price') return field === undefined ? [] : [field, ...rest];
  return rest[0] === 'above' ? ['allowance', ...rest.slice(1)] : rest;
}
