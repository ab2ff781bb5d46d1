import type { Charge } from './charge.format.rules.ts';
import type { Condition, Test } from './condition.format.rules.ts';
import type { FirstCondition, FirstLine, FirstTariff, FirstVersion } from './first.format.rules.ts';
import type { Line, SecondTariff, Tariff, TariffVersion } from './tariff.format.rules.ts';

/**
 * The first format in terms of the second. Everything that works with tariffs works with the second alone, so that there is
 * one checker and one engine; what is said of a tariff of the first is said in its own paths.
 */

type Path = readonly (string | number)[];

export function isFirst(tariff: Tariff): tariff is FirstTariff {
  return !('format' in tariff);
}

/** A tariff that prices the same, in the second format. */
export function secondOf(tariff: Tariff): SecondTariff {
  if (!isFirst(tariff)) return tariff;
  const { name, currency, versions } = tariff;
  return { format: 2, name, currency, versions: versions.map(secondVersion) };
}

/** The same as a person would write it: without lists that have nothing in them. */
export function upgradedTariff(tariff: Tariff): object {
  return withoutEmptyLists(secondOf(tariff)) as object;
}

function withoutEmptyLists(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmptyLists);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).filter(([, inner]) => !(Array.isArray(inner) && inner.length === 0));
  return Object.fromEntries(fields.map(([name, inner]) => [name, withoutEmptyLists(inner)]));
}

function secondVersion(first: FirstVersion): TariffVersion {
  const { label, validFrom, validUntil, originCountries, weight, limits, zones, surcharges, options, vat } = first;
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
    surcharges: surcharges.map(secondLine),
    fuel: fuelOf(first),
    options: options.map(secondLine),
    cod: codOf(first),
    insurance: insuranceOf(first),
    afterShipment: [],
    ...(vat && { vat }),
  };
}

function secondLine({ code, description, when, price }: FirstLine): Line {
  const condition = when && secondCondition(when);
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

/** Conditions of the first format on several things of parcels may be met by different parcels. */
function secondCondition(first: FirstCondition): Condition {
  const { zones, to, fromKg, parcelFromKg, longestSideOverCm, sumOfSidesOverCm } = first;
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

function fuelOf({ fuel }: FirstVersion): Line[] {
  if (!fuel) return [];
  const { description, of, rates } = fuel;
  return [{ code: 'fuel', description, price: { rates, of } }];
}

function codOf({ cod }: FirstVersion): Line[] {
  if (!cod) return [];
  const { description = 'Contrassegno', fixed, percent, minimum, maximumAmount } = cod;
  const price: Charge = {
    ...(fixed !== undefined && { fixed }),
    ...(percent !== undefined && { percent, of: ['codAmount'] }),
    // A minimum is no price by itself.
    ...(minimum !== undefined && { ...(fixed === undefined && percent === undefined && { fixed: 0 }), minimum }),
  };
  return [{ code: 'cod', description, ...upTo('codAmount', maximumAmount), price }];
}

function insuranceOf({ insurance }: FirstVersion): Line[] {
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

/** Where something of a compiled version stands in the document of its tariff. */
export function pathIn(version: { readonly isFirst: boolean }, path: Path): Path {
  return version.isFirst ? firstPath(path) : path;
}

/** Where something of a version of `secondOf` stands in the first format. */
export function firstPath([field, ...rest]: Path): Path {
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
