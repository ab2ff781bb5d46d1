/** Decimals as callers write them, read exactly. */

/** Decimal text without exponent: sign, digits, fraction. */
const DECIMAL = /^(-?)(\d+)(?:\.(\d*))?$/;
/** The limit on texts, so that reading stays cheap. */
const MAX_DECIMAL_LENGTH = 100;
/** How languages write numbers next to 0, such as 0.1 + 0.2 - 0.3: `5.551115123125783e-17`. */
const NEXT_TO_ZERO = /^-?\d(?:\.\d{1,20})?e-\d{1,3}$/i;
/**
 * Programs that calculate in binary fractions write 0.30000000000000004 for 0.3. A number that differs from one of the
 * permitted places by less than 1e-9 is that number; anything farther has too many decimals.
 */
const EXACT_PLACES = 9;

/** A decimal in its shortest form and as a count of its last place; undefined for any other text. */
export function readDecimal(value: string, decimals: number): { text: string; count: number } | undefined {
  const [, sign, digits = '', places = ''] = partsOf(value) ?? [];
  if (sign === undefined) return undefined;
  const rounded = roundedPlaces(digits, places, decimals);
  if (rounded === undefined) return undefined;
  const whole = rounded.whole.replace(/^0+(?=\d)/, '');
  const fraction = rounded.fraction.replace(/(?<!0)0+$/, '');
  const count = Number(`${whole}${fraction.padEnd(decimals, '0')}`);
  const bare = fraction === '' ? whole : `${whole}.${fraction}`;
  return sign === '-' && count > 0 ? { text: `-${bare}`, count: -count } : { text: bare, count };
}

/** The digits before and after the point, with at most `decimals` after it; undefined if the number has more. */
function roundedPlaces(whole: string, places: string, decimals: number) {
  const fraction = places.slice(0, decimals);
  const rest = places.slice(decimals).replace(/(?<!0)0+$/, '');
  if (rest === '') return { whole, fraction };
  const near = places.slice(decimals, EXACT_PLACES);
  if (/^0*$/.test(near) && decimals + rest.length > EXACT_PLACES) return { whole, fraction };
  if (!/^9+$/.test(near) || decimals + rest.length <= EXACT_PLACES) return undefined;
  const next = String(BigInt(whole + fraction) + 1n).padStart(decimals + 1, '0');
  return { whole: next.slice(0, next.length - decimals), fraction: next.slice(next.length - decimals) };
}

function partsOf(value: string): RegExpExecArray | null {
  const text = value.length > MAX_DECIMAL_LENGTH ? '' : value.trim();
  const isZero = NEXT_TO_ZERO.test(text) && Math.abs(Number(text)) < 10 ** -EXACT_PLACES;
  return DECIMAL.exec(isZero ? '0' : text);
}

/** Whether a text is a number outside of the bounds or with too many decimals, and not in another format. */
export function isOutside(value: string, min: number, max: number): boolean {
  const [isNumber, exponent] = /^\s*-?\d+(?:\.\d*)?(e[+-]?\d+)?\s*$/i.exec(value) ?? [];
  if (isNumber === undefined) return false;
  return exponent === undefined || Number(value) < min || Number(value) > max || exponent.includes('-');
}

/** Whether a text is a number with more decimals than are allowed. */
export function isTooPrecise(value: string, decimals: number): boolean {
  const [, sign, digits = '', places = ''] = partsOf(value) ?? [];
  return sign !== undefined && roundedPlaces(digits, places, decimals) === undefined;
}
