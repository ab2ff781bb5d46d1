import { readDecimal } from '../../common/decimal.rules.ts';

/**
 * The integers with which prices are calculated. Money is whole cents, weight whole grams, volume whole cubic
 * centimetres, a side hundredths of a centimetre, a percentage millionths, a price per kilogram thousandths of a cent.
 * So cents × millionths, and thousandths of a cent × grams, are both millionths of a cent: everything that makes up one
 * line can be added before it is rounded, and nothing is calculated in floating-point fractions.
 *
 * The bounds below keep every intermediate value under 2^53, where JavaScript's numbers are exact integers.
 */
export const DECIMALS = { money: 2, kg: 3, cm: 2, percent: 4, eurPerKg: 5 } as const;
export type Unit = keyof typeof DECIMALS;

/** The amount of a line that is not charged: less than any discount. */
export const NOT_CHARGED = -(2 ** 30);

/** Millionths of a cent in a cent. */
export const MICRO = 1_000_000;

/**
 * The dearest shipment that is priced, in cents: 10,000,000.00. 300 % of this and the dearest price for each kilogram
 * make 8.3 × 10^15.
 */
export const MAX_TOTAL_CENTS = 1_000_000_000;
/** The most that is insured or collected, in cents: 1,000,000.00. */
export const MAX_VALUE_CENTS = 100_000_000;
/** 100,000 kg. */
export const MAX_GRAMS = 100_000_000;
/** 1,000 m³. */
export const MAX_VOLUME_CM3 = 1_000_000_000;

/** More digits before the point than any amount has. */
const MAX_WHOLE = 1e12;

/**
 * Converts a decimal to a count of its last place: `scaled('26.34', 2)` is 2634. Returns undefined where it has more
 * places, is negative, or is not a plain decimal.
 */
export function scaled(value: number | string, decimals: number): number | undefined {
  const count = scaledSigned(value, decimals);
  return count === undefined || count < 0 ? undefined : count;
}

/** Converts a decimal that may be negative to a count of its last place. */
export function scaledSigned(value: number | string, decimals: number): number | undefined {
  const count = readDecimal(String(value), decimals)?.count;
  return count === undefined || Math.abs(count) >= MAX_WHOLE * 10 ** decimals ? undefined : count;
}

/** Converts a count back to a decimal with all its places: `decimalText(2634, 2)` is `"26.34"`. */
export function decimalText(count: number, decimals: number): string {
  const digits = String(Math.abs(count)).padStart(decimals + 1, '0');
  return `${count < 0 ? '-' : ''}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** Converts a count back to the nearest number, which prints in its shortest form: 2634 is 26.34. */
export function decimalNumber(count: number, decimals: number): number {
  return count / 10 ** decimals;
}

/** Cents as EUR with two decimals: `"26.34"`. */
export const money = (cents: number): string => decimalText(cents, DECIMALS.money);

/** Cents as EUR, grams as kilograms, millionths as percent: the nearest number. */
export const euro = (cents: number): number => decimalNumber(cents, DECIMALS.money);
export const kilograms = (grams: number): number => decimalNumber(grams, DECIMALS.kg);
export const percent = (ppm: number): number => decimalNumber(ppm, DECIMALS.percent);
export const kgText = (grams: number): string => `${kilograms(grams)} kg`;

/**
 * Millionths of a cent to whole cents, half up, and a discount like what it is taken off. Exact for everything below
 * 2^53.
 */
export function roundToCents(microCents: number): number {
  // Subtracting from 0 avoids -0, which comparisons with `Object.is` take for another number.
  if (microCents < 0) return 0 - roundToCents(-microCents);
  return Math.floor((microCents + MICRO / 2) / MICRO);
}

/** `value` rounded up to a multiple of `step`. */
export function roundUpTo(value: number, step: number): number {
  return Math.ceil(value / step) * step;
}

// Amounts of a tariff that was checked, in the engine's units; nothing is 0.

export const cents = (euro: number | undefined) => scaledSigned(euro ?? 0, DECIMALS.money) ?? Number.NaN;
export const grams = (kg: number | undefined) => scaled(kg ?? 0, DECIMALS.kg) ?? Number.NaN;
export const side = (cm: number | undefined) => scaled(cm ?? 0, DECIMALS.cm) ?? Number.NaN;
export const ppmOf = (percent: number | undefined) => scaledSigned(percent ?? 0, DECIMALS.percent) ?? Number.NaN;
