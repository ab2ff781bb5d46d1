import { z } from 'zod';
import { type Issue, MAX_ISSUES, requireNone } from './fault.ts';
import type { IssueCode } from './issue-codes.ts';
import { wordsOf } from './issue-words.ts';
import { unknownField } from './near-names.ts';

/** Reads inputs by one zod schema each, and turns zod's findings into issues with stable codes. */

/** An object that callers send, as a zod schema with an `id` and a `description`. */
export type InputSchema = z.ZodObject;

/**
 * Names of GraphQL types, for fields whose zod type does not determine one. With `items`, the field is a list of these
 * objects in GraphQL, and has another form elsewhere.
 */
export const graphqlTypes = z.registry<{ readonly name: string; readonly items?: object }>();

/** The name of a field in files, where that is not its own: `fileName` in the field's metadata. */
export function fileNameOf(name: string, field: z.core.$ZodType): string {
  const { fileName } = (field as z.ZodType).meta() ?? {};
  return typeof fileName === 'string' ? fileName : name;
}

/** The issue of an object that has not exactly one of its fields. As in GraphQL, a field that is null counts as sent. */
export function oneOfIssue(names: readonly string[], sent: object): Pick<Issue, 'code' | 'message'> | undefined {
  const sentAs = (name: string) => (sent as Readonly<Record<string, unknown>>)[name];
  const given = names.filter(name => sentAs(name) !== undefined);
  const [first = ''] = given;
  if (given.length === 1 && sentAs(first) !== null) return undefined;
  if (given.length < 2) return { code: 'required', message: `must have one of ${names.join(', ')}` };
  return { code: 'not_allowed', message: `must have only one of ${given.join(', ')}` };
}

/** Whether an object may leave the field out. */
export function isOptional(field: z.core.$ZodType): boolean {
  return z.safeParse(field, undefined).success;
}

/** The type of a field's value if it is given; a field with its own GraphQL type is not unwrapped further. */
export function givenValue(field: z.core.$ZodType): z.core.$ZodType {
  // `get` also finds copies that differ only by a description.
  if (graphqlTypes.get(field)) return field;
  const { def } = (field as z.ZodType)._zod;
  if ('innerType' in def) return givenValue(def.innerType as z.core.$ZodType);
  return field instanceof z.ZodPipe ? givenValue(field.def.in) : field;
}

type Path = readonly (string | number)[];

const alreadyRead = new WeakSet<object>();

/** Marks an input that was read before the operation runs, so that its resolver takes it as it is. */
export function asRead<Input extends object>(input: Input): Input {
  alreadyRead.add(input);
  return input;
}

export const isRead = (input: unknown): boolean =>
  typeof input === 'object' && input !== null && alreadyRead.has(input);

/** Returns the transformed input. @throws Fault `validation_failed` with every issue */
export function readInput<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const { data, issues } = checkInput(schema, value);
  requireNone(issues);
  return data as z.output<Schema>;
}

/** Returns the input if it is valid, and all issues, for callers that have rules beside the schema. */
export function checkInput<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): { readonly data?: z.output<Schema>; readonly issues: readonly Issue[] } {
  if (isRead(value)) return { data: value as z.output<Schema>, issues: [] };
  const { data, error } = schema.safeParse(value, IN_OWN_WORDS);
  return error ? { issues: issuesOf(error.issues, value) } : { data, issues: [] };
}

/**
 * Zod's findings as issues.
 *
 * @param value the input, which tells an absent field from one of the wrong type
 */
export function issuesOf(found: readonly z.core.$ZodIssue[], value: unknown): Issue[] {
  return found.flatMap((issue): Issue[] => {
    const path = issue.path as Path;
    if (issue.code !== 'unrecognized_keys') return [{ path, code: codeOf(issue, value), message: issue.message }];
    const messages = issue.message.split('\n');
    return messages.map((message, i) => ({ path: [...path, issue.keys[i] ?? ''], code: 'unknown_field', message }));
  });
}

/** The message for unknown fields: a line for each. Suggesting names for thousands of them would take seconds. */
export function unknownFields(names: readonly string[], known: readonly string[]): string {
  return names
    .slice(0, MAX_ISSUES)
    .map(name => unknownField(name, known))
    .join('\n');
}

/** The words for schemas that have none of their own. */
const IN_OWN_WORDS: { readonly error: z.core.$ZodErrorMap } = {
  error: issue => {
    if (issue.input === undefined) return 'must be given';
    const { inst } = issue;
    const fields = inst instanceof z.ZodObject ? Object.keys(inst.shape) : [];
    if (issue.code === 'unrecognized_keys') return unknownFields(issue.keys, fields);
    const words = wordsOf(issue);
    return words && words + (fields.length > 0 ? `; allowed are ${fields.join(', ')}` : '');
  },
};

function codeOf(issue: z.core.$ZodIssue, value: unknown): IssueCode {
  // Only `asZodIssue` sets a code.
  if (issue.code === 'custom' && issue.params?.code) return issue.params.code as IssueCode;
  const given = valueAt(value, issue.path as Path);
  if (given == null) return 'required';
  if (issue.code === 'invalid_value') return isOfType(given, issue.values[0]) ? 'not_allowed' : 'wrong_type';
  return issue.code === 'too_small' || issue.code === 'too_big' ? 'out_of_range' : 'wrong_type';
}

/** Whether a value could be one of the allowed ones, which are whole numbers or strings. */
const isOfType = (value: unknown, allowed: unknown) =>
  typeof allowed === 'number' ? Number.isInteger(value) : typeof value === typeof allowed;

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, step) => (inner as Record<string | number, unknown> | null)?.[step], value);
}
