import type { z } from 'zod';
import type { Issue } from '../../../../platform/fault.ts';
import { wordsOf } from '../../../../platform/issue-words.ts';
import { YEARS } from '../../../common/date-time.rules.ts';
import { MAX_BANDS, MAX_PLACE_LENGTH, MAX_PLACES, PLAIN_TEXT } from './parts.format.rules.ts';

// Treats a tariff as a document, before its meaning is checked: finds the places of its values, rejects documents that
// are too large to be read, and reports errors of form.

export type Path = readonly (string | number)[];

const MAX_OBJECTS = 50_000;
const MAX_FIELDS = 100;

/** Lists of places, which alone may have more than `MAX_BANDS` entries. */
const PLACES: ReadonlySet<string | number> = new Set([
  'postalCodes',
  'municipalities',
  'towns',
  'provinces',
  'regions',
  'countries',
]);

/** A value of a document and where it stands; its path is made only where something is wrong with it. */
interface Spot {
  readonly value: object;
  readonly step: string | number;
  readonly around: Spot | undefined;
}

export function pathOf(spot: Spot): Path {
  const path: (string | number)[] = [];
  for (let at = spot; at.around !== undefined; at = at.around) path.push(at.step);
  return path.reverse();
}

/** Entries of lists and fields of objects that are worked through in some milliseconds. */
const LARGE = 2_000;

/** Whether to work through documents takes long. */
export function isLarge(...documents: readonly unknown[]): boolean {
  let entries = 0;
  for (const document of documents) {
    if (typeof document !== 'object' || document === null) continue;
    for (const { value } of spotsIn(document)) {
      entries += Array.isArray(value) ? value.length : Object.keys(value).length;
      if (entries > LARGE) return true;
    }
  }
  return false;
}

/** Every object and list of a document, the outer before the inner; parts that `skips` selects are not visited. */
export function* spotsIn(document: object, skips: (field: string) => boolean = () => false): Generator<Spot, void> {
  // A loop and not recursion, because a document could be nested too deeply.
  const left: Spot[] = [{ value: document, step: '', around: undefined }];
  for (let spot = left.pop(); spot !== undefined; spot = left.pop()) {
    yield spot;
    const inner: Spot[] = [];
    const add = (step: string | number, value: unknown) => {
      if (typeof value === 'object' && value !== null) inner.push({ value, step, around: spot });
    };
    if (Array.isArray(spot.value)) for (const [i, value] of spot.value.entries()) add(i, value);
    else for (const [name, value] of Object.entries(spot.value)) if (!skips(name)) add(name, value);
    for (const one of inner.reverse()) left.push(one);
  }
}

/**
 * Returns the issue of a document that is too large to be read, or of a long list whose entries are not all texts. It runs
 * before the check of the form, which would report each of many thousand wrong entries.
 */
export function findOversize(document: unknown): Issue | undefined {
  if (typeof document !== 'object' || document === null) return undefined;
  let objects = 0;
  let places = 0;
  for (const spot of spotsIn(document)) {
    if (++objects > MAX_OBJECTS) {
      return { path: [], code: 'too_many', message: `must have at most ${MAX_OBJECTS} bands, zones and lists in all` };
    }
    const { value } = spot;
    if (!Array.isArray(value)) {
      const count = Object.keys(value).length;
      if (count <= MAX_FIELDS) continue;
      const message = `must have at most ${MAX_FIELDS} fields, has ${count}`;
      return { path: pathOf(spot), code: 'unknown_field', message };
    }
    if (PLACES.has(spot.step)) places += value.length;
    if (places > MAX_PLACES) {
      const message = `must have at most ${MAX_PLACES} places in all zones of all versions`;
      return { path: pathOf(spot), code: 'too_many', message };
    }
    if (value.length <= MAX_BANDS) continue;
    if (!PLACES.has(spot.step)) {
      const message = `must have at most ${MAX_BANDS} entries, has ${value.length}`;
      return { path: pathOf(spot), code: 'too_many', message };
    }
    const wrong = value.findIndex(element => typeof element !== 'string' || element.length > MAX_PLACE_LENGTH);
    if (wrong >= 0) {
      const message = `must be a text of at most ${MAX_PLACE_LENGTH} characters, as one of ${value.length}`;
      return { path: [...pathOf(spot), wrong], code: 'wrong_type', message };
    }
  }
  return undefined;
}

/** The issues that zod found, with the codes and wording of all other validation errors. */
export function formIssues(found: readonly z.core.$ZodIssue[], whole: unknown): Issue[] {
  return found.flatMap((issue): Issue[] => {
    const path = issue.path as Path;
    if (valueAt(whole, path) === undefined) return [{ path, code: 'required', message: 'must be given' }];
    const message = wordsOf(issue) ?? issue.message;
    switch (issue.code) {
      case 'invalid_type':
        return [{ path, code: 'wrong_type', message }];
      case 'unrecognized_keys':
        return issue.keys.map(key => ({
          path: [...path, key],
          code: 'unknown_field',
          message: 'is not a known field',
        }));
      case 'too_small':
      case 'too_big':
        return [{ path, code: 'out_of_range', message }];
      case 'invalid_format':
        return [{ path, code: 'invalid_format', message: formatMessage(issue) }];
      case 'invalid_union':
        return [{ path, code: 'not_allowed', message: 'must have either kgPerM3 or cm3PerKg, a whole number' }];
      default:
        return [{ path, code: 'not_allowed', message }];
    }
  });
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (inner, step) => (inner as Record<string | number, unknown> | null | undefined)?.[step],
    value,
  );
}

function formatMessage({ format, pattern }: z.core.$ZodIssueInvalidStringFormat): string {
  if (format === 'date' || pattern === '/^20/') return `must be a calendar day ${YEARS}, such as 2026-01-31`;
  return pattern === String(PLAIN_TEXT) ? 'must be plain text without control characters' : `must fit ${pattern}`;
}
