/** Characters that nobody can see, of every kind: no number is meant to differ by them. */
const FORMAT = /\p{Cf}+/gu;

const PLAIN = /^(?!MUL)[0-9A-Z]+$/;

/**
 * The form in which tracking numbers and related identifiers are compared: upper-case, composed letters (NFC), without
 * spaces, dots and invisible characters and without a leading `MUL` (BRT prints it on labels of shipments of several
 * parcels). If nothing remains, the text itself: a number of dots still equals itself.
 */
export function trackingKey(number: string): string {
  // Nearly all numbers, and the steps below take several times as long.
  if (PLAIN.test(number)) return number;
  const upper = number.toUpperCase().normalize('NFC');
  return (
    upper
      .replace(FORMAT, '')
      .replace(/[\s.]+/gu, '')
      .replace(/^MUL/, '') || upper
  );
}

/** The key of an identifier that may be missing. */
export function keyOf(identifier: string | null): string | null {
  return identifier === null ? null : trackingKey(identifier);
}

/** Shorter numbers are assigned by people, for whom `07` and `7` differ. */
const NUMBER = /^0*[1-9]\d{5,19}$/;
const MOST_ZEROS = 6;

/** A number with fewer and with more zeros at its beginning, which a spreadsheet dropped or a program added; none if it is not a long number. */
export function otherZeros(number: string): readonly string[] {
  if (!NUMBER.test(number)) return [];
  const bare = number.replace(/^0+/, '');
  return Array.from({ length: MOST_ZEROS + 1 }, (_, zeros) => '0'.repeat(zeros) + bare).filter(one => one !== number);
}
