import { z } from 'zod';
import { givenValue, graphqlTypes, type InputSchema, isOptional } from '../platform/input.ts';

/** A field of an input that one cell of a table can hold. */
export interface InputColumn {
  /** `['recipient', 'city']`. */
  readonly path: readonly string[];
  /** `keys` is one column for each key of the caller, whose name follows the name of the field. */
  readonly holds: 'text' | 'decimal' | 'whole number' | 'list' | 'keys';
  /** Whether every input needs it. */
  readonly isRequired: boolean;
}

/** The columns of a table of inputs, by their schema; fields of a nested object have its name as a prefix. */
export function columnsOf(schema: InputSchema, above: readonly string[] = [], isNeeded = true): InputColumn[] {
  return Object.entries(schema.shape).flatMap(([name, field]): InputColumn[] => {
    const path = [...above, name];
    const isRequired = isNeeded && !isOptional(field);
    const value = givenValue(field);
    if (value instanceof z.ZodObject) return columnsOf(value, path, isRequired);
    return [{ path, holds: contentOf(value), isRequired }];
  });
}

function contentOf(field: z.core.$ZodType): InputColumn['holds'] {
  if (field instanceof z.ZodArray) return 'list';
  if (field instanceof z.ZodNumber) return 'whole number';
  const type = graphqlTypes.get(field)?.name;
  if (type === 'JSON') return 'keys';
  return type === 'Decimal' ? 'decimal' : 'text';
}
