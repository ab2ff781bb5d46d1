/** Decimals as callers write them, read exactly. */

/** Decimal text without exponent: sign, digits, fraction. */
const DECIMAL = /^(-?)(\d+)(?:\.(\d*))?$/;
/** The limit on texts, so that reading stays cheap. */
const MAX_DECIMAL_LENGTH = 100;

/** A decimal in its shortest form and as a count of its last place; undefined for any other text. */
export function readDecimal(value: string, decimals: number): { text: string; count: number } | undefined {
  const text = value.length > MAX_DECIMAL_LENGTH ? '' : value.trim();
  const [, sign, digits = '', places = ''] = DECIMAL.exec(text) ?? [];
  const whole = digits.replace(/^0+(?=\d)/, '');
  const fraction = places.replace(/(?<!0)0+$/, '');
  if (sign === undefined || fraction.length > decimals) return undefined;
  const count = Number(`${whole}${fraction.padEnd(decimals, '0')}`);
  const bare = fraction === '' ? whole : `${whole}.${fraction}`;
  return sign === '-' && count > 0 ? { text: `-${bare}`, count: -count } : { text: bare, count };
}

/** Whether a text is a number outside of the bounds or with too many decimals, and not in another format. */
export function isOutside(value: string, min: number, max: number): boolean {
  const [isNumber, exponent] = /^\s*-?\d+(?:\.\d*)?(e[+-]?\d+)?\s*$/i.exec(value) ?? [];
  if (isNumber === undefined) return false;
  return exponent === undefined || Number(value) < min || Number(value) > max || exponent.includes('-');
}

/** Whether a text is a number with more decimals than are allowed. */
export function isTooPrecise(value: string, decimals: number): boolean {
  const text = value.length > MAX_DECIMAL_LENGTH ? '' : value.trim();
  const [, , , places = ''] = DECIMAL.exec(text) ?? [];
  return places.replace(/(?<!0)0+$/, '').length > decimals;
}
