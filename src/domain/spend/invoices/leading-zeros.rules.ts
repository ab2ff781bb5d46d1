/** Numbers whose zeros at the beginning a spreadsheet dropped, or a program added. */

/** Shorter numbers are assigned by people, for whom `07` and `7` differ. */
const NUMBER = /^0*[1-9]\d{5,19}$/;
const MOST_ZEROS = 6;

/** The number with fewer and with more zeros at its beginning; none if it is not a long number. */
export function otherZeros(number: string): readonly string[] {
  if (!NUMBER.test(number)) return [];
  const bare = number.replace(/^0+/, '');
  return Array.from({ length: MOST_ZEROS + 1 }, (_, zeros) => '0'.repeat(zeros) + bare).filter(one => one !== number);
}
