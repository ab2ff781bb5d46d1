import { type Cell, textOf } from '../../../platform/tables/sent-table.ts';

/** Weights and lengths with the units that people write, behind the number or in the header. */

export type Measure = 'kg' | 'cm';

/** How many kilograms or centimetres a unit has. The pound and the inch have the lengths and weights that were agreed in 1959. */
const UNITS: Readonly<Record<Measure, ReadonlyMap<string, number>>> = {
  kg: new Map([
    ...['kg', 'kgs', 'kilo', 'chili', 'kilogrammi'].map(unit => [unit, 1] as const),
    ...['g', 'gr', 'grammi', 'grams'].map(unit => [unit, 0.001] as const),
    ...['lb', 'lbs', 'libbre', 'pounds'].map(unit => [unit, 0.45359237] as const),
    ...['oz', 'once', 'ounces'].map(unit => [unit, 0.028349523125] as const),
  ]),
  cm: new Map([
    ...['cm'].map(unit => [unit, 1] as const),
    ...['mm'].map(unit => [unit, 0.1] as const),
    ...['m', 'mt'].map(unit => [unit, 100] as const),
    ...['in', 'inch', 'inches', 'pollici', '"'].map(unit => [unit, 2.54] as const),
  ]),
};

/** Grams and tenths of a millimetre; more is not measured. */
const DECIMALS: Readonly<Record<Measure, number>> = { kg: 3, cm: 2 };
/** The longest unit is at the end of a text, behind a digit, a blank or a bracket. */
const UNIT_AT_END = /(?<=[\d\s([])([a-z]{1,10}|")\.?[)\]]?$/i;

/** The factor of the unit at the end of a text such as `5 lb` or `Weight (lb)`; undefined without a known one. */
export function unitAtEnd(text: string, measure: Measure): number | undefined {
  const [, unit = ''] = UNIT_AT_END.exec(text.slice(-MAX_END).trim()) ?? [];
  return UNITS[measure].get(unit.toLowerCase());
}

const MAX_END = 40;

/** A cell without its unit. */
export function withoutUnit(cell: Cell, measure: Measure): Cell {
  const text = textOf(cell);
  return unitAtEnd(text, measure) === undefined ? cell : text.replace(UNIT_AT_END, '').trim();
}

/** A decimal in another unit as kilograms or centimetres. */
export function inUnit(decimal: string, factor: number, measure: Measure): string {
  if (factor === 1) return decimal;
  return (Number(decimal) * factor).toFixed(DECIMALS[measure]).replace(/(?<![.0])0+$|\.0+$/, '') || '0';
}
