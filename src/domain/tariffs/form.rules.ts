import { z } from 'zod';
import type { Steps } from '../../platform/limits/slices.ts';

type Path = readonly (string | number)[];

/** What a form found in a value: the value as the form gives it, or what is wrong with it. */
interface FormResult<Value> {
  readonly value: Value | undefined;
  readonly issues: readonly z.core.$ZodIssue[];
}

/** Elements without fields that are read between two pauses. */
const CHUNK = 100;

/**
 * Reads a value by a form, like `safeParse`, but in steps: zod can't pause. Objects and lists of the form are read by
 * themselves, each with its inner objects and lists left out, which follow one by one.
 *
 * @param maxIssues once there are so many, the rest is not read
 */
export function* readForm<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  maxIssues: number,
): Steps<FormResult<z.infer<Schema>>> {
  const reader = new FormReader(maxIssues);
  const read = yield* reader.read(schema, value, []);
  return { value: reader.issues.length === 0 ? (read as z.infer<Schema>) : undefined, issues: reader.issues };
}

class FormReader {
  readonly issues: z.core.$ZodIssue[] = [];
  readonly #maxIssues: number;

  constructor(maxIssues: number) {
    this.#maxIssues = maxIssues;
  }

  *read(schema: z.core.$ZodType, value: unknown, path: Path): Steps<unknown> {
    if (this.issues.length >= this.#maxIssues) return undefined;
    const inner = value === undefined ? schema : unwrapped(schema);
    if (inner instanceof z.ZodArray && Array.isArray(value)) return yield* this.#list(inner, value, path);
    if (inner instanceof z.ZodObject && isObject(value)) return yield* this.#object(inner, value, path);
    return this.#whole(inner, value, path);
  }

  *#object(schema: z.ZodObject, value: Readonly<Record<string, unknown>>, path: Path): Steps<unknown> {
    const { flat, nested } = layersOf(schema);
    const read = this.#whole(flat, value, path);
    yield;
    const fields: Record<string, unknown> = isObject(read) ? { ...read } : {};
    for (const [name, field] of nested) {
      const inner = yield* this.read(field, value[name], [...path, name]);
      if (inner !== undefined) fields[name] = inner;
    }
    return fields;
  }

  *#list(schema: z.ZodArray, value: readonly unknown[], path: Path): Steps<unknown> {
    const before = this.issues.length;
    const { bounded, part } = listsOf(schema);
    this.#whole(bounded, value, path);
    yield;
    const elements: unknown[] = [];
    if (this.issues.length > before) return elements;
    if (hasLayers(schema.element)) {
      for (const [i, element] of value.entries())
        elements.push(yield* this.read(schema.element, element, [...path, i]));
      return elements;
    }
    for (let from = 0; from < value.length && this.issues.length < this.#maxIssues; from += CHUNK) {
      const chunk = this.#whole(part, value.slice(from, from + CHUNK), path, from);
      if (Array.isArray(chunk)) elements.push(...chunk);
      yield;
    }
    return elements;
  }

  /** @param offset of the elements of a list */
  #whole(schema: z.core.$ZodType, value: unknown, path: Path, offset?: number): unknown {
    const result = z.safeParse(schema, value);
    if (result.success) return result.data;
    for (const issue of result.error.issues) {
      const [first, ...rest] = issue.path;
      const within = offset === undefined ? issue.path : [Number(first) + offset, ...rest];
      this.issues.push({ ...issue, path: [...path, ...within] });
    }
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What a field holds where it is given. */
function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault ? unwrapped(schema.def.innerType) : schema;
}

function hasLayers(schema: z.core.$ZodType): boolean {
  const inner = unwrapped(schema);
  return inner instanceof z.ZodArray || (inner instanceof z.ZodObject && layersOf(inner).nested.length > 0);
}

interface Layers {
  /** The object, with anything in its inner objects and lists. */
  readonly flat: z.ZodObject;
  readonly nested: readonly (readonly [name: string, schema: z.core.$ZodType])[];
}

const layers = new WeakMap<z.ZodObject, Layers>();

function layersOf(schema: z.ZodObject): Layers {
  const known = layers.get(schema);
  if (known) return known;
  const nested = Object.entries(schema.shape).filter(([, field]) => {
    const inner = unwrapped(field);
    return inner instanceof z.ZodObject || inner instanceof z.ZodArray;
  });
  const flat = schema.extend(Object.fromEntries(nested.map(([name]) => [name, z.unknown().optional()])));
  const made = { flat, nested };
  layers.set(schema, made);
  return made;
}

interface Lists {
  /** The list with the bounds of its length, and anything in it. */
  readonly bounded: z.ZodType;
  /** A part of the list. */
  readonly part: z.ZodType;
}

const lists = new WeakMap<z.ZodArray, Lists>();

function listsOf(schema: z.ZodArray): Lists {
  const known = lists.get(schema);
  if (known) return known;
  const made = { bounded: schema.clone({ ...schema.def, element: z.unknown() }), part: z.array(schema.element) };
  lists.set(schema, made);
  return made;
}
