import { CHARGE_KINDS } from '../charges/charge-kinds.rules.ts';
import { decimalsOfMeasures } from '../conditions/measures.rules.ts';
import { PARCEL_MEASURES } from '../conditions/parcel-condition.rules.ts';
import { DECIMALS } from '../units.rules.ts';

/** Most decimals of each number of a tariff, by its field. */
export const DECIMALS_OF: Readonly<Record<string, number>> = {
  ...(Object.assign({}, ...CHARGE_KINDS.map(({ decimals }) => decimals)) as Record<string, number>),
  price: DECIMALS.money,
  per100Kg: DECIMALS.money,
  furtherParcelsDiscount: DECIMALS.percent,
  each: DECIMALS.money,
  minimum: DECIMALS.money,
  maximum: DECIMALS.money,
  maximumAmount: DECIMALS.money,
  allowance: DECIMALS.money,
  above: DECIMALS.money,
  overKg: DECIMALS.kg,
  upToKg: DECIMALS.kg,
  everyKg: DECIMALS.kg,
  toKg: DECIMALS.kg,
  fromKg: DECIMALS.kg,
  parcelFromKg: DECIMALS.kg,
  parcelKg: DECIMALS.kg,
  shipmentKg: DECIMALS.kg,
  roundUpToKg: DECIMALS.kg,
  longestSideCm: DECIMALS.cm,
  sumOfSidesCm: DECIMALS.cm,
  girthCm: DECIMALS.cm,
  heightCm: DECIMALS.cm,
  lengthCm: DECIMALS.cm,
  widthCm: DECIMALS.cm,
  longestSideOverCm: DECIMALS.cm,
  sumOfSidesOverCm: DECIMALS.cm,
};

const OF_RANGES: Readonly<Record<string, number>> = { ...decimalsOfMeasures(), ...PARCEL_MEASURES };

/**
 * Writes into a JSON Schema how many decimals each number may have, as `x-decimals`. `multipleOf` could say it, but
 * most editors and validators calculate it in floating point, and reject 4.35.
 */
export function withDecimals(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withDecimals);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (keyword !== 'properties') return [keyword, withDecimals(value)];
      const properties = Object.entries(value as object).map(([name, field]) => [name, stated(name, field)] as const);
      return [keyword, Object.fromEntries(properties)];
    }),
  );
}

function stated(name: string, field: Record<string, unknown>): unknown {
  const isNumber = field.type === 'number';
  const isRange = '$ref' in field && name in OF_RANGES;
  const decimals = isNumber ? DECIMALS_OF[name] : isRange ? OF_RANGES[name] : undefined;
  const inner = withDecimals(field) as object;
  return decimals === undefined ? inner : { ...inner, 'x-decimals': decimals };
}
