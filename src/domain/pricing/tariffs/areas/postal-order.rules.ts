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
/** With the blank behind the district, which tells `KA2 7` from `KA27`. */
const BRITISH_APART = /^ ?([A-Z]{1,2})(\d{1,2})([A-Z]?) (\d[A-Z]?)? ?$/;
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

/** A beginning or an end with a blank behind its district, and less than a whole code; undefined for any other. */
function britishApart(written: string): string | undefined {
  const [, area, district = '', letter, inward = ''] =
    BRITISH_APART.exec(written.toUpperCase().replace(/ +/g, ' ')) ?? [];
  return area && area.padEnd(2) + district.padStart(2, '0') + (letter || ' ') + inward;
}

function irish(parts: RegExpExecArray | null): string | undefined {
  if (parts === null) return undefined;
  const [, letter = '', first = '', second = '', rest = ''] = parts;
  return `${letter}${second === 'W' ? `0${first}W` : `${first}${second} `}${rest}`;
}

/**
 * The ranges of a beginning as it was written: two for `GB KA2*`, which is the second district and those from the
 * twentieth to the 29th; one for `GB KA2 7*`, since a blank ends the district.
 */
export function beginningInOrder(countryCode: string, written: string): readonly Ends[] {
  const beginning = plainPostalCode(countryCode, written);
  const apart = countryCode === 'GB' ? britishApart(written) : undefined;
  if (apart !== undefined) return [{ from: apart, to: apart }];
  const parts = countryCode === 'GB' ? BRITISH_BEGINNING.exec(beginning) : IRISH.exec(beginning);
  const found = countryCode === 'GB' ? british(parts) : countryCode === 'IE' ? irish(parts) : undefined;
  const whole = { from: found ?? beginning, to: found ?? beginning };
  if (countryCode !== 'GB' || parts === null) return [whole];
  const [, area = '', district = '', letter, inward] = parts;
  if (district.length > 1 || letter || inward) return [whole];
  const tens = area.padEnd(2) + district;
  return [whole, { from: `${tens}0`, to: `${tens}9` }];
}

/**
 * The ends of a range that is written as `AB31-AB38`, `1000 AA-1099 ZZ`, `57000-59999` or `00-001 - 00-950`; undefined for
 * another pattern.
 */
export function rangeInOrder(countryCode: string, pattern: string): Ends | undefined {
  const written = endsOf(pattern);
  const [first, last] = written.map(end => plainPostalCode(countryCode, end));
  if (!first || !last) return undefined;
  // 10-19 is a range; 00-950 is how a Polish code is written.
  if (/^\d{1,10}$/.test(first) && /^\d{1,10}$/.test(last) && first.length === last.length)
    return { from: first, to: last };
  if (!/[A-Z]/.test(first) || !/[A-Z]/.test(last)) return undefined;
  const [from, to] = written.map(end => endInOrder(countryCode, end));
  if (from === undefined || to === undefined) return undefined;
  return countryCode === 'GB' || countryCode === 'IE' || shapeOf(first) === shapeOf(last) ? { from, to } : undefined;
}

/** Both ends of a range, whose codes can have one hyphen each: the hyphen in the middle is the one of the range. */
function endsOf(pattern: string): readonly string[] {
  const parts = pattern.split('-');
  if (parts.length === 4) return [parts.slice(0, 2).join('-'), parts.slice(2).join('-')];
  return parts.length === 2 ? parts : [];
}

function endInOrder(countryCode: string, written: string): string | undefined {
  const end = plainPostalCode(countryCode, written);
  if (countryCode === 'GB')
    return britishApart(written.trim()) ?? british(BRITISH_DISTRICT.exec(end) ?? BRITISH.exec(end));
  return countryCode === 'IE' ? irish(IRISH.exec(end)) : end;
}

const shapeOf = (code: string) => code.replace(/\d/g, '9').replace(/[A-Z]/g, 'A');
