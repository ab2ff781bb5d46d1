import type { Work } from '../platform/limits/work.ts';

/** Results of more work take a millisecond or more to write. */
const LONG_UNITS = 20_000;

/** Values that are written in one piece, in a tenth of a millisecond or less. */
const VALUES_OF_PIECE = 500;

/**
 * The text of a response, like `JSON.stringify`. After much work it is written in pieces, between which other work gets
 * the event loop: sending the response to a thread would take longer than writing it.
 */
export function jsonText(value: unknown, work: Work): Promise<string> | string {
  return work.spent > LONG_UNITS ? writtenInTurns(value, work) : JSON.stringify(value);
}

/** The text of JSON with the members of each object sorted by name, so that equal values have equal texts. */
export function sortedJsonText(value: unknown, work: Work): Promise<string> | string {
  return work.spent > LONG_UNITS ? writtenInTurns(value, work, sorted) : JSON.stringify(value, sorted);
}

/** Changes a value before it is written, like the replacer of `JSON.stringify`. */
type Replacer = (name: string, value: unknown) => unknown;

function sorted(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  // Without a prototype, `__proto__` is an ordinary member.
  const copy: Record<string, unknown> = Object.create(null);
  for (const name of Object.keys(value).sort()) copy[name] = (value as Record<string, unknown>)[name];
  return copy;
}

async function writtenInTurns(value: unknown, work: Work, replacer?: Replacer): Promise<string> {
  const written: string[] = [];
  for await (const piece of work.inTurns(piecesOf(value, replacer))) written.push(piece);
  return written.join('');
}

/** @param before the text before the value */
function* piecesOf(value: unknown, replacer?: Replacer, before = ''): Generator<string, void> {
  if (!isDivisible(value) || roomAfter(value, VALUES_OF_PIECE) > 0) {
    yield before + (JSON.stringify(value, replacer) ?? 'null');
  } else if (Array.isArray(value)) {
    for (const [i, element] of value.entries()) yield* piecesOf(element, replacer, i === 0 ? `${before}[` : ',');
    yield ']';
  } else {
    let separator = `${before}{`;
    for (const [name, member] of Object.entries(replacer?.('', value) ?? value)) {
      if (member === undefined) continue;
      yield* piecesOf(member, replacer, `${separator}${JSON.stringify(name)}:`);
      separator = ',';
    }
    yield separator === ',' ? '}' : `${separator}}`;
  }
}

function isDivisible(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !('toJSON' in value);
}

/** The remaining room for values after a value; 0 or less if it does not fit. */
function roomAfter(value: unknown, room: number): number {
  let left = room - 1;
  if (!isDivisible(value)) return left;
  for (const member of Array.isArray(value) ? value : Object.values(value)) {
    left = roomAfter(member, left);
    if (left <= 0) return 0;
  }
  return left;
}
