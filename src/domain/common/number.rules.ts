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
