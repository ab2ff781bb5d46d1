import { accountFees } from '../account/account-fees.rules.ts';
import { parcelBands } from '../bands/parcel-bands.rules.ts';
import { stepsBeyond } from '../bands/steps-beyond.rules.ts';
import { weightBands } from '../bands/weight-bands.rules.ts';
import { chargeRule } from '../charges/charge.rules.ts';
import { CHARGE_KINDS } from '../charges/charge-kinds.rules.ts';
import { CONDITION_KINDS } from '../conditions/condition-kinds.rules.ts';
import { decimalsOfMeasures } from '../conditions/measures.rules.ts';
import { PARCEL_MEASURES } from '../conditions/parcel-condition.rules.ts';
import { shipmentLimits } from '../limits.rules.ts';
import { palletClasses } from '../pallets/pallet-classes.rules.ts';
import { palletPrices } from '../pallets/pallet-prices.rules.ts';
import { DECIMALS, type Unit } from '../units.rules.ts';
import { chargeableWeight } from '../weight/chargeable-weight.rules.ts';

/** Rules of a tariff that know their fields by name. */
const RULES = [
  ...CHARGE_KINDS,
  chargeRule,
  weightBands,
  stepsBeyond,
  parcelBands,
  palletPrices,
  palletClasses,
  chargeableWeight,
  shipmentLimits,
  accountFees,
];

/** The words for fields in a comparison of two tariffs. */
export const WORDS_OF: Readonly<Record<string, string>> = Object.assign(
  {},
  ...[...CONDITION_KINDS, ...RULES].map(({ words }) => words),
);

/** Units of the numbers of a tariff, by their fields. */
export const UNITS_OF: Readonly<Record<string, Unit>> = Object.assign({}, ...RULES.map(({ units }) => units));

/** Most decimals of a number of a tariff, by its field. */
export function decimalsOfField(name: string): number | undefined {
  const unit = UNITS_OF[name];
  return unit && DECIMALS[unit];
}

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
  const decimals = isNumber ? decimalsOfField(name) : isRange ? OF_RANGES[name] : undefined;
  const inner = withDecimals(field) as object;
  return decimals === undefined ? inner : { ...inner, 'x-decimals': decimals };
}
