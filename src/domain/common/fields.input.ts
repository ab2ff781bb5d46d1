import { z } from 'zod';
import type { Issue } from '../../platform/fault.ts';
import { graphqlTypes, unknownFields } from '../../platform/input.ts';
import type { IssueCode } from '../../platform/issue-codes.ts';
import { isPlain, oneLine, soughtLine, streetLine, withoutInvisible } from '../../platform/plain-text.ts';
import { isOutside, isTooPrecise, readDecimal } from './decimal.rules.ts';

/**
 * The kinds of fields of inputs. A field states its bounds once: they are enforced, and published in the OpenAPI
 * document. Bounds that zod cannot state in JSON Schema are stated in `meta` by the same constant.
 *
 * A field is one schema with one check, which also converts the value to its stored form. Chains of schemas
 * (`transform`, `overwrite`, `prefault`) would do too, but every link costs as much as the whole check: quotes took 20
 * µs of CPU more each.
 */

/** The characters of RFC 3986, because `URL` alone would accept and repair blanks and letters beyond ASCII. */
const HTTP_URL = /^https?:\/\/[\w\-.~:/?#[\]@!$&'()*+,;=%]+$/i;
const MAX_URL = 2048;
/** The bounds of a weight in kilograms. */
export const WEIGHT_KG = { max: 999_999.999, decimals: 3 };

/** A rule across the fields of an object. It sees the valid fields, and the object as it was sent. */
type Rule<Shape extends z.core.$ZodShape> = (
  fields: Partial<z.output<z.ZodObject<Shape>>>,
  sent: object,
) => readonly Issue[];

/** The description of an object, and further keywords of its JSON Schema. */
type About = string | { readonly description: string; readonly [keyword: string]: unknown };

/** An object that callers send; unknown fields are rejected. `id` names it in GraphQL and OpenAPI. */
export function inputObject<Shape extends z.core.$ZodShape>(
  id: string,
  about: About,
  shape: Shape,
  ...rules: readonly Rule<Shape>[]
) {
  const meta = { id, ...(typeof about === 'string' ? { description: about } : about) };
  return withRules(closedObject(shape), rules).meta(meta);
}

/** An object for changes: each field may be left out, but not all of them. */
export function patchObject<Shape extends z.core.$ZodShape>(
  id: string,
  description: string,
  shape: Shape,
  ...rules: readonly Rule<Shape>[]
) {
  const names = Object.keys(shape).join(', ');
  const schema = withRules(closedObject(z.object(shape).partial().shape), rules as never);
  return schema
    .superRefine((value, { issues }) => {
      if (issues.length > 0 || Object.values(value).some(given => given !== undefined)) return;
      issues.push(asZodIssue({ code: 'empty', message: `must have at least one of ${names}` }, value));
    })
    .meta({ id, description, minProperties: 1 });
}

function closedObject<Shape extends z.core.$ZodShape>(shape: Shape) {
  return z.strictObject(shape, {
    error: issue => {
      if (issue.code === 'unrecognized_keys') return unknownFields(issue.keys, Object.keys(shape));
      return absence(issue.input) ?? 'must be an object';
    },
  });
}

function withRules<Shape extends z.core.$ZodShape>(
  schema: z.ZodObject<Shape, z.core.$strict>,
  rules: readonly Rule<Shape>[],
) {
  if (rules.length === 0) return schema;
  // Runs even if a field is invalid, because all errors are reported at once.
  return schema.superRefine((value, { issues }) => check(rules as never, value, issues), { when: isObject });
}

/** Whether an optional field was sent with a value, valid or not. */
export function isGiven(name: string, fields: object, sent: object): boolean {
  const value = Object.hasOwn(fields, name) ? (fields as Sent)[name] : (sent as Sent)[name];
  return value != null;
}

type Sent = Readonly<Record<string, unknown>>;

function check<Fields extends object>(
  rules: readonly ((fields: Fields, sent: object) => readonly Issue[])[],
  value: object,
  issues: z.core.$ZodRawIssue[],
): void {
  const right = issues.length === 0 ? value : withoutWrong(value, issues);
  for (const rule of rules) for (const issue of rule(right as Fields, value)) issues.push(asZodIssue(issue, value));
}

function withoutWrong(value: object, issues: readonly z.core.$ZodRawIssue[]): object {
  const wrong = new Set(issues.map(({ path }) => path?.[0]));
  return Object.fromEntries(Object.entries(value).filter(([name]) => !wrong.has(name)));
}

function isObject({ value }: z.core.ParsePayload): boolean {
  return typeof value === 'object' && value !== null;
}

interface Length {
  readonly min?: 0 | 1;
  readonly max: number;
  /** Code of an empty list, if that counts as a missing value. */
  readonly emptyCode?: IssueCode;
}

export function list<Element extends z.ZodType>(element: Element, { min = 0, max, emptyCode = 'empty' }: Length) {
  const length = min === 0 ? `at most ${max}` : `${min} to ${max}`;
  return z
    .array(element, mustBe('an array'))
    .check(payload => {
      const count = payload.value.length;
      if (count >= min && count <= max) return;
      const code = count > max ? 'too_many' : emptyCode;
      add(payload, { code, message: `must have ${length} entries, but has ${count}` });
    })
    .meta({ ...(min > 0 && { minItems: min }), maxItems: max });
}

/** Text of 1 to `max` characters, stored on one line, as `oneLine` writes it. */
export function text(max = 200) {
  return required(max, oneLine);
}

/** Text that may be absent, on one line; null and blank text become null. */
export function optionalText(max = 200) {
  return optional(max, oneLine);
}

/** A street, as people write it on several lines. */
export function street() {
  return required(200, streetLine);
}

/** A street that may be absent; null and blank text become null. */
export function optionalStreet() {
  return optional(200, streetLine);
}

function required(max: number, stored: (value: string) => string) {
  return z
    .string(mustBe('a string'))
    .check(payload => {
      payload.value = stored(payload.value);
      add(payload, textIssue(payload.value, max));
    })
    .meta({ minLength: 1, maxLength: max });
}

function optional(max: number, stored: (value: string) => string) {
  const schema: z.ZodType<string | null, string> = z
    .string(mustBe('a string'))
    .check((payload: z.core.ParsePayload<string | null>) => {
      const value = stored(payload.value ?? '');
      payload.value = value === '' ? null : value;
      if (value !== '') add(payload, textIssue(value, max));
    })
    .meta({ maxLength: max });
  return schema.nullish();
}

/** A search text, in the form of stored texts. One that no record can have is an error: a search can be stored too. */
export function soughtText() {
  return z
    .string(mustBe('a string'))
    .check(payload => {
      payload.value = soughtLine(payload.value);
      add(payload, plainIssue(payload.value));
    })
    .nullish();
}

/** Text whose inner blanks count, such as a password. */
export function exactText(max: number) {
  return required(max, withoutInvisible);
}

/** A JSON value that is read elsewhere. */
export function anyJson() {
  const schema = z.custom<unknown>(value => value != null, mustBe('a JSON value'));
  graphqlTypes.add(schema, { name: 'JSON' });
  return schema;
}

export function flag() {
  return z.boolean(mustBe('true or false'));
}

/** One of several strings. */
export function oneOf<const Values extends readonly string[]>(values: Values) {
  return z.enum(values, mustBe(`one of ${values.join(', ')}`));
}

/** The keys of a table, for `enumOf`. */
export const keysOf = <Key extends string>(table: Readonly<Record<Key, unknown>>) =>
  Object.keys(table) as [Key, ...Key[]];

/** One of the values of a GraphQL enum. */
export function enumOf<const Values extends readonly string[]>(name: string, values: Values) {
  return named(name, oneOf(values));
}

/** A field with its own type in the graph. */
export function named<Schema extends z.ZodType>(name: string, schema: Schema): Schema {
  graphqlTypes.add(schema, { name });
  return schema;
}

/** A whole number within bounds. */
export function integer(min: number, max: number) {
  const error = mustBe(`a whole number from ${min} to ${max}`);
  return z.int(error).min(min, error).max(max, error);
}

/** The number of a record, as REST bodies and files have it. Its existence is checked later. */
export function identifier() {
  const error: z.core.$ZodErrorMap = ({ input }) =>
    absence(input) ?? `must be a whole number${Number.isInteger(input) ? ' from -2147483648 to 2147483647' : ''}`;
  return z.int32({ error }).meta({ format: 'int32' });
}

interface DecimalBounds {
  /** A string is rejected: the decimals of REST bodies are JSON numbers. */
  readonly isNumber?: boolean;
  /** Zero is not allowed. */
  readonly isAbove0?: boolean;
  /** Its lower bound is the negative of `max`. */
  readonly isSigned?: boolean;
  readonly max: number;
  readonly decimals: number;
}

/** A decimal as exact text in its shortest form (`"4.50"` and `4.5` are `"4.5"`), never a floating-point number. */
export function decimal(bounds: DecimalBounds) {
  const { isNumber = false, isAbove0 = false, isSigned = false, max, decimals } = bounds;
  const least = isSigned ? -max : 0;
  const range = isAbove0 ? `above 0 and at most ${max}` : `from ${least} to ${max}`;
  const example = decimals === 2 ? '89.90' : '1.5';
  const most = Math.round(max * 10 ** decimals);
  const schema = anything<string, string | number>(payload => {
    const { value } = payload;
    const isSent = typeof value === 'string' || typeof value === 'number';
    const read = isSent ? readDecimal(String(value), decimals) : undefined;
    const isAllowed = read !== undefined && Math.abs(read.count) <= most && (isSigned || read.count >= 0);
    const isText = isNumber && typeof value === 'string';
    const reject = (code: IssueCode, message: string) =>
      add(payload, { code: isText ? 'wrong_type' : code, message: `must ${message}` });
    if (isAllowed && !(isAbove0 && read.count === 0)) {
      if (isText) reject('wrong_type', 'be a number and not a string');
      else payload.value = read.text;
    } else if (!isSent) addWrongType(payload, `a number, such as ${example}`);
    else if (read === undefined && isTooPrecise(String(value), decimals)) {
      reject('out_of_range', `have at most ${decimals} decimals after the point`);
    } else if (read !== undefined || isOutside(String(value), least, max)) reject('out_of_range', `be ${range}`);
    else reject('invalid_decimal', `be a number with a point, such as ${example}`);
  }).meta({ type: 'number', ...(isAbove0 ? { exclusiveMinimum: 0 } : { minimum: least }), maximum: max });
  graphqlTypes.add(schema, { name: 'Decimal' });
  return schema;
}

/** The URL of a page; blank text becomes null. */
export function httpUrl() {
  const schema: z.ZodType<string | null, string> = z
    .string(mustBe('a string'))
    .check((payload: z.core.ParsePayload<string | null>) => {
      const url = withoutInvisible(payload.value ?? '');
      payload.value = url === '' ? null : url;
      if (url === '') return;
      const message = 'must be an http:// or https:// URL, with anything beyond ASCII percent-encoded';
      const isUrl = HTTP_URL.test(url) && URL.canParse(url);
      add(payload, textIssue(url, MAX_URL) ?? (isUrl ? undefined : { code: 'invalid_url', message }));
    })
    .meta({ format: 'uri', maxLength: MAX_URL });
  return schema.nullish();
}

/** A quantity; 1 if it is absent or null. */
export function quantity(max: number) {
  const allowed = `a whole number from 1 to ${max}`;
  const schema = anything<number, number | null>(payload => {
    const value = payload.value ?? 1;
    payload.value = value;
    if (!Number.isInteger(value)) addWrongType(payload, allowed);
    else if (Number(value) < 1 || Number(value) > max)
      add(payload, { code: 'out_of_range', message: `must be ${allowed}` });
  }).meta({ type: ['integer', 'null'], minimum: 1, maximum: max });
  graphqlTypes.add(schema, { name: 'Int' });
  return schema.default(1);
}

/** A field of any JSON type, which its check reads. It is required, unless the check allows its absence. */
export function anything<Output, Input>(read: (payload: z.core.ParsePayload) => void): z.ZodType<Output, Input> {
  return z.unknown().check(read) as unknown as z.ZodType<Output, Input>;
}

/** Adds that a value is missing, or of the wrong type. */
export function addWrongType(payload: z.core.ParsePayload, allowed: string): void {
  const missing = absence(payload.value);
  add(
    payload,
    missing ? { code: 'required', message: missing } : { code: 'wrong_type', message: `must be ${allowed}` },
  );
}

/** The message for a missing value, or one of the wrong type. */
export function mustBe(allowed: string): { error: z.core.$ZodErrorMap } {
  return { error: ({ input }) => absence(input) ?? `must be ${allowed}` };
}

/** Adds an issue to zod's findings. */
export function add(
  { value, issues }: z.core.ParsePayload,
  issue: (Pick<Issue, 'code' | 'message'> & Partial<Issue>) | undefined,
): void {
  if (issue) issues.push(asZodIssue(issue, value));
}

function asZodIssue(issue: Pick<Issue, 'code' | 'message'> & Partial<Issue>, input: unknown): z.core.$ZodRawIssue {
  const { path = [], code, message } = issue;
  return { code: 'custom', path: [...path], message, params: { code }, input, continue: true };
}

/** The message for an empty value that is required. */
function absence(value: unknown): string | undefined {
  if (value === undefined) return 'must be given';
  return value === null ? 'must not be null' : undefined;
}

export function textIssue(value: string, max: number): Pick<Issue, 'code' | 'message'> | undefined {
  if (value === '') return { code: 'required', message: 'must not be empty' };
  if (value.length > max && characters(value) > max) {
    return { code: 'too_long', message: `must have at most ${max} characters, but has ${characters(value)}` };
  }
  return plainIssue(value);
}

function plainIssue(value: string): Pick<Issue, 'code' | 'message'> | undefined {
  if (isPlain(value)) return undefined;
  return { code: 'invalid_text', message: 'must be plain text without control characters' };
}

/** Counts code points as far as that is cheap: an emoji outside the basic plane is one. */
function characters(value: string): number {
  return [...value].length;
}
