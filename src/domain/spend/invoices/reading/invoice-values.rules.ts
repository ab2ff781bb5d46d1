/** Reads the cells of an invoice: numbers as Italians and others write them, and days. */

export type Decimals = 'comma' | 'point' | undefined;

/** Digits in groups of three, or without groups. */
const WHOLE: Readonly<Record<'.' | ',', RegExp>> = {
  '.': /^\d{1,3}(\.\d{3})+$|^\d+$/,
  ',': /^\d{1,3}(,\d{3})+$|^\d+$/,
};
const NOISE = /[\s ]|€|EUR/gi;
const THOUSANDS_OR_DECIMALS = /^[1-9]\d{0,2}[.,]\d{3}$/;
const MAX_LENGTH = 40;

/**
 * A decimal as a count of its last place, like `scaled`; undefined for an invalid one. A minus may stand before or
 * after it. More decimals than `decimals` are rounded half up, because some carriers write four for an amount.
 * `ambiguous` if three digits follow the only sign, which may be decimals or thousands, and `decimals` is less than
 * three.
 */
export function readNumber(cell: string, decimals: number, written: Decimals): number | 'ambiguous' | undefined {
  if (cell.length > MAX_LENGTH) return undefined;
  const bare = cell.replace(NOISE, '');
  const [, before, digits = '', behind] = /^([-+]?)([\d.,]+)(-?)$/.exec(bare) ?? [];
  if (digits === '' || (before !== '' && behind !== '')) return undefined;
  if (written === undefined && decimals < 3 && THOUSANDS_OR_DECIMALS.test(digits)) return 'ambiguous';
  const parts = partsOf(digits, written);
  if (parts === undefined) return undefined;
  const [whole, fraction] = parts;
  if (whole.length > 12) return undefined;
  const exact = fraction.padEnd(decimals, '0');
  const count = Number(whole + exact.slice(0, decimals)) + (Number(exact[decimals] ?? 0) >= 5 ? 1 : 0);
  return before === '-' || behind === '-' ? 0 - count : count;
}

/** The digits before and after the decimal sign. */
function partsOf(digits: string, written: Decimals): [string, string] | undefined {
  const sign = written === undefined ? likelySign(digits) : written === 'comma' ? ',' : '.';
  const group = sign === ',' ? '.' : ',';
  const at = digits.lastIndexOf(sign);
  const whole = at < 0 ? digits : digits.slice(0, at);
  const fraction = at < 0 ? '' : digits.slice(at + 1);
  if (!/^\d*$/.test(fraction) || !(WHOLE[group].test(whole) || (whole === '' && fraction !== ''))) return undefined;
  return [whole.replaceAll(group, '') || '0', fraction];
}

/** The last of the signs; a sign that occurs several times groups digits. */
function likelySign(digits: string): '.' | ',' {
  const [comma, point] = [digits.lastIndexOf(','), digits.lastIndexOf('.')];
  if (comma < 0) return digits.indexOf('.') === point ? '.' : ',';
  if (point < 0) return digits.indexOf(',') === comma ? ',' : '.';
  return comma > point ? ',' : '.';
}

/** A day as `YYYY-MM-DD`, from that form, `31/12/2026`, `31.12.26` or `20261231`; a time after it is dropped. */
export function readDay(cell: string): string | undefined {
  const [day = ''] = cell.trim().split(/[T ]/);
  const found =
    /^(?<year>20\d\d)[-/]?(?<month>\d\d)[-/]?(?<day>\d\d)$/.exec(day) ??
    /^(?<day>\d{1,2})[./-](?<month>\d{1,2})[./-](?<year>(20)?\d\d)$/.exec(day);
  if (!found?.groups) return undefined;
  const { year = '', month = '', day: of = '' } = found.groups;
  const text = `${year.padStart(4, '20')}-${month.padStart(2, '0')}-${of.padStart(2, '0')}`;
  const at = new Date(`${text}T00:00:00Z`);
  return Number.isNaN(at.getTime()) || at.toISOString().slice(0, 10) !== text ? undefined : text;
}
