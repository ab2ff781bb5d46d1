import { plainPostalCode } from './postal-patterns.rules.ts';

/**
 * Postal codes with letters, written so that texts in alphabetical order are codes in the order of their country. British
 * districts are numbers of one or two digits (`AB9` comes before `AB31`), and the district 6W of Dublin follows the sixth.
 * Elsewhere the alphabet is the order.
 */

interface Ends {
  readonly from: string;
  readonly to: string;
}

const BRITISH = /^([A-Z]{1,2})(\d{1,2})([A-Z]?)(\d[A-Z]{2})$/;
const BRITISH_DISTRICT = /^([A-Z]{1,2})(\d{1,2})([A-Z]?)$/;
/** The beginning of a code with a district, and perhaps of what stands behind it. */
const BRITISH_BEGINNING = /^([A-Z]{1,2})(\d{1,2})([A-Z]?)(\d[A-Z]?)?$/;
const IRISH = /^([A-Z])(\d)([\dW])([A-Z0-9]{0,4})$/;

/** A whole code, without spaces and hyphens. */
export function inOrder(countryCode: string, code: string): string {
  if (countryCode === 'GB') return british(BRITISH.exec(code)) ?? code;
  if (countryCode === 'IE') return irish(IRISH.exec(code)) ?? code;
  return code;
}

function british(parts: RegExpExecArray | null): string | undefined {
  if (parts === null) return undefined;
  const [, area = '', district = '', letter, inward] = parts;
  const outward = area.padEnd(2) + district.padStart(2, '0');
  return inward ? outward + (letter || ' ') + inward : outward + (letter ?? '');
}

function irish(parts: RegExpExecArray | null): string | undefined {
  if (parts === null) return undefined;
  const [, letter = '', first = '', second = '', rest = ''] = parts;
  return `${letter}${second === 'W' ? `0${first}W` : `${first}${second} `}${rest}`;
}

/** The ranges of a beginning: two for `GB KA2*`, which is the second district and those from the twentieth to the 29th. */
export function beginningInOrder(countryCode: string, beginning: string): readonly Ends[] {
  const parts = countryCode === 'GB' ? BRITISH_BEGINNING.exec(beginning) : IRISH.exec(beginning);
  const found = countryCode === 'GB' ? british(parts) : countryCode === 'IE' ? irish(parts) : undefined;
  const whole = { from: found ?? beginning, to: found ?? beginning };
  if (countryCode !== 'GB' || parts === null) return [whole];
  const [, area = '', district = '', letter, inward] = parts;
  if (district.length > 1 || letter || inward) return [whole];
  const tens = area.padEnd(2) + district;
  return [whole, { from: `${tens}0`, to: `${tens}9` }];
}

/** The ends of a range that is written as `AB31-AB38`, `1000 AA-1099 ZZ` or `57-59`; undefined for another pattern. */
export function rangeInOrder(countryCode: string, pattern: string): Ends | undefined {
  const [first, last, ...others] = pattern.split('-').map(end => plainPostalCode(countryCode, end));
  if (!first || !last || others.length > 0) return undefined;
  // 10-19 is a range; 00-950 is how a Polish code is written.
  if (/^\d{1,5}$/.test(first) && /^\d{1,5}$/.test(last) && first.length === last.length)
    return { from: first, to: last };
  if (!/[A-Z]/.test(first) || !/[A-Z]/.test(last)) return undefined;
  const [from, to] = [first, last].map(end => endInOrder(countryCode, end));
  if (from === undefined || to === undefined) return undefined;
  return countryCode === 'GB' || countryCode === 'IE' || shapeOf(first) === shapeOf(last) ? { from, to } : undefined;
}

function endInOrder(countryCode: string, end: string): string | undefined {
  if (countryCode === 'GB') return british(BRITISH_DISTRICT.exec(end) ?? BRITISH.exec(end));
  return countryCode === 'IE' ? irish(IRISH.exec(end)) : end;
}

const shapeOf = (code: string) => code.replace(/\d/g, '9').replace(/[A-Z]/g, 'A');
