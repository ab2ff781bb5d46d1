import { z } from 'zod';
import { givenValue, graphqlTypes, type InputSchema, isOptional } from '../platform/input.ts';

/** A field of an input that one cell of a table can hold. */
export interface InputColumn {
  /** `['recipient', 'city']`. */
  readonly path: readonly string[];
  /** `keys` stands for a column for each key of the caller's own, whose name comes behind that of the field. */
  readonly holds: 'text' | 'decimal' | 'whole number' | 'list' | 'keys';
  /** Whether no input does without it. */
  readonly isRequired: boolean;
}

/** The columns of a table of inputs, as their schema states them; those of an object within have its name before theirs. */
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
