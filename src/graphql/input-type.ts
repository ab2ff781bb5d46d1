import type { InputRef } from '@pothos/core';
import { z } from 'zod';
import { givenValue, graphqlTypes, type InputSchema, isOptional } from '../platform/input.ts';
import { builder } from './builder.ts';
import { registerInput } from './input-schemas.ts';

/** Makes GraphQL input types from zod schemas, so that fields, descriptions, defaults and rules are stated once. */

type InputFieldBuilder = Parameters<Parameters<typeof builder.inputType>[1]['fields']>[0];

const refs = new WeakMap<InputSchema, InputRef<unknown>>();

/** An input type whose values are validated and transformed before the resolver runs. */
export function inputType<Schema extends InputSchema>(schema: Schema): InputRef<z.output<Schema>> {
  return refOf(schema, true) as InputRef<z.output<Schema>>;
}

/**
 * An input type whose values the service reads by their schema: items of a batch, so that a wrong item is rejected
 * without the others, and inputs with rules that only the service knows, so that all errors are reported at once.
 */
export function rawInputType<Schema extends InputSchema>(schema: Schema): InputRef<z.input<Schema>> {
  return refOf(schema, false) as InputRef<z.input<Schema>>;
}

/** An input type, made once. Only the outermost validates, because its schema contains the schemas of its fields. */
function refOf(described: InputSchema, validates: boolean): InputRef<unknown> {
  const schema = named(described);
  const known = refs.get(schema);
  if (known) return known;
  const { id = '', description = '', isOneOf = false } = schema.meta() ?? {};
  const ref = builder.inputRef<Record<string, unknown>>(id);
  refs.set(schema, ref);
  registerInput(id, schema);
  ref.implement({
    description,
    isOneOf: isOneOf === true,
    ...(validates && { validate: schema as never }),
    fields: t => fieldsOf(t, schema) as never,
  });
  return ref;
}

export function fieldsOf(t: InputFieldBuilder, { shape }: InputSchema): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(shape).map(([name, field]) => {
      const type = typeOf(field);
      const deprecationReason = (field as z.ZodType).meta()?.deprecationReason as string | undefined;
      const shared = { required: !isOptional(field), description: descriptionOf(field), deprecationReason };
      return [name, t.field({ ...shared, type: type as never, defaultValue: defaultOf(field) as never })];
    }),
  );
}

/** The schema with the name: zod describes a field by a copy of its schema, which has none. */
function named(schema: InputSchema): InputSchema {
  const { parent } = schema._zod;
  return schema.meta()?.id === undefined && parent ? named(parent as InputSchema) : schema;
}

/** The GraphQL type of a field: its name, the reference of an input, or a list of one of these. */
export function typeOf(field: z.core.$ZodType): unknown {
  const value = givenValue(field);
  const stated = graphqlTypes.get(value);
  if (stated) return stated.items ? [refOf(stated.items as InputSchema, false)] : stated.name;
  if (value instanceof z.ZodArray) return [typeOf(value.element)];
  if (value instanceof z.ZodObject) return refOf(value, false);
  if (value instanceof z.ZodBoolean) return 'Boolean';
  if (value instanceof z.ZodNumber) return 'Int';
  if (value instanceof z.ZodLiteral) return [...value.values].every(one => typeof one === 'number') ? 'Int' : 'String';
  if (value instanceof z.ZodString || value instanceof z.ZodEnum) return 'String';
  throw new Error(`No GraphQL type is known for zod's ${value._zod.def.type}`);
}

/** The value of a field that is left out. */
function defaultOf(field: z.core.$ZodType): unknown {
  return field instanceof z.ZodPrefault || field instanceof z.ZodDefault ? field.def.defaultValue : undefined;
}

function descriptionOf(field: z.core.$ZodType): string | undefined {
  const { description } = field as z.ZodType;
  return description ?? (field instanceof z.ZodOptional ? descriptionOf(field.def.innerType) : undefined);
}
