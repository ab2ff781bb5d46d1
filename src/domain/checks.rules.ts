import { type Issue, invalid } from '../platform/fault.ts';

type Path = readonly (string | number)[];

/** Kilograms: as many digits as a parcel or a shipment has. */
export const WEIGHT_KG = { integerDigits: 6, decimals: 3 };

/** More of one input would help nobody. */
const MAX_ISSUES = 50;
/** Decimal text without exponent: sign, digits, fraction. */
const DECIMAL = /^(-?)(\d+)(?:\.(\d*))?$/;
/** No decimal worth reading is longer; what is read stays cheap to read. */
const MAX_DECIMAL_LENGTH = 100;
const DATE_TIME = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/;
/** The characters of RFC 3986: `URL` alone would also take blanks and letters beyond ASCII, and mend them unasked. */
const HTTP_URL = /^https?:\/\/[\w\-.~:/?#[\]@!$&'()*+,;=%]+$/i;
/** Control characters (a tab or a line break in a name or street is a slip) and U+0000, which PostgreSQL can't store. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u001f\u007f]/;

/**
 * Collects everything wrong with an input, each with the path of its field. A check answers the value as it will be
 * stored; what it answers for a wrong value is never used, since `throwIfAny` comes before any use.
 */
export class Checks {
  readonly issues: Issue[] = [];
  readonly #base: Path;

  constructor(base: Path = []) {
    this.#base = base;
  }

  add(path: Path, code: string, message: string): void {
    if (this.issues.length < MAX_ISSUES) this.issues.push({ path: [...this.#base, ...path], code, message });
  }

  throwIfAny(): void {
    if (this.issues.length > 0) throw invalid(this.issues);
  }

  /** Trimmed text of 1 to `max` characters. */
  text(path: Path, value: string | null, max = 200): string {
    if (value === null) {
      this.add(path, 'required', 'must not be null');
      return '';
    }
    const text = value.trim();
    if (text === '') this.add(path, 'required', 'must not be empty');
    else if (text.length > max && characters(text) > max) {
      this.add(path, 'too_long', `must have at most ${max} characters, has ${characters(text)}`);
    } else if (CONTROL.test(text) || !text.isWellFormed()) {
      this.add(path, 'invalid_text', 'must be plain text without control characters');
    }
    return text;
  }

  /** The same where nothing (null or blank) is allowed and becomes null. */
  optionalText(path: Path, value: string | null, max = 200): string | null {
    return value === null || value.trim() === '' ? null : this.text(path, value, max);
  }

  /** A decimal not below zero, in its shortest form (`"4.50"` and `4.5` are `"4.5"`): exact, never a floating-point number. */
  decimal(
    path: Path,
    value: string | null,
    { integerDigits, decimals }: { integerDigits: number; decimals: number },
  ): string | null {
    if (value === null) return null;
    const text = value.length > MAX_DECIMAL_LENGTH ? '' : value.trim();
    const [, sign, digits = '', places = ''] = DECIMAL.exec(text) ?? [];
    const whole = digits.replace(/^0+(?=\d)/, '');
    const fraction = places.replace(/0+$/, '');
    const allowed = `a decimal from 0 with at most ${integerDigits} digits before the point and ${decimals} after it`;
    if (sign === undefined) this.add(path, 'invalid_decimal', `must be ${allowed}`);
    else if (
      (sign === '-' && /[1-9]/.test(whole + fraction)) ||
      whole.length > integerDigits ||
      fraction.length > decimals
    ) {
      this.add(path, 'out_of_range', `must be ${allowed}`);
    }
    return fraction === '' ? whole : `${whole}.${fraction}`;
  }

  integer(path: Path, value: number | null, min: number, max: number): number {
    if (value === null || !Number.isInteger(value) || value < min || value > max) {
      this.add(path, 'out_of_range', `must be a whole number from ${min} to ${max}`);
      return min;
    }
    return value;
  }

  /** As `readDateTime` takes it. */
  dateTime(path: Path, value: string | null): Date | null {
    if (value === null) return null;
    const at = readDateTime(value);
    if (at === null) {
      this.add(path, 'invalid_date_time', 'must be an ISO 8601 date-time with an offset, such as 2026-11-21T09:30:00Z');
    }
    return at;
  }

  httpUrl(path: Path, value: string | null): string | null {
    const text = this.optionalText(path, value, 2048);
    if (text !== null && !(HTTP_URL.test(text) && URL.canParse(text))) {
      this.add(path, 'invalid_url', 'must be an http:// or https:// URL, with anything beyond ASCII percent-encoded');
    }
    return text;
  }
}

/** As a person counts them, as far as that is cheap: an emoji outside the basic plane is one. */
function characters(text: string): number {
  return [...text].length;
}

/** ISO 8601 with an offset, years 2000 to 2099; fractions beyond milliseconds are dropped. Null for anything else. */
export function readDateTime(value: string): Date | null {
  const [, year = '', month = '', day = ''] = DATE_TIME.exec(value.trim()) ?? [];
  const at = new Date(value.trim());
  // `new Date` takes 31 February for 3 March; a date that does not exist is a slip of the sender's.
  const exists = new Date(`${year}-${month}-${day}T00:00:00Z`).getUTCDate() === Number(day);
  return !exists || Number.isNaN(at.getTime()) || year < '2000' || year > '2099' ? null : at;
}
