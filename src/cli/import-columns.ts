import { z } from 'zod';
import type { ItemResult } from '../domain/common/batch.rules.ts';
import type { NamedColumn } from '../domain/shipping/tracking/import/named-cells.rules.ts';
import { fileNameOf, givenValue, graphqlTypes, type InputSchema, isOptional } from '../platform/input.ts';

/** The columns of a table of inputs, by their schema; fields of a nested object have its name as a prefix. */
export function columnsOf(schema: InputSchema, above: readonly string[] = [], isNeeded = true): NamedColumn[] {
  return Object.entries(schema.shape).flatMap(([name, field]): NamedColumn[] => {
    const path = [...above, fileNameOf(name, field)];
    const isRequired = isNeeded && !isOptional(field);
    const value = givenValue(field);
    if (value instanceof z.ZodObject) return columnsOf(value, path, isRequired);
    return [{ path, holds: contentOf(value), isRequired }];
  });
}

function contentOf(field: z.core.$ZodType): NamedColumn['holds'] {
  if (field instanceof z.ZodArray) return 'list';
  if (field instanceof z.ZodNumber) return 'whole number';
  const type = graphqlTypes.get(field);
  if (type?.items) return 'keys';
  if (type?.name === 'ID') return 'whole number';
  if (type?.name === 'DateTime') return 'time';
  return type?.name === 'Decimal' ? 'decimal' : 'text';
}

/** The names that fields have in files and in the input, where they differ. */
export class FileNames {
  readonly #inputs: ReadonlyMap<string, string>;
  readonly #files: ReadonlyMap<string, string>;

  constructor({ shape }: InputSchema) {
    const names = Object.entries(shape).map(([name, field]) => [fileNameOf(name, field), name] as const);
    this.#inputs = new Map(names);
    this.#files = new Map(names.map(([file, name]) => [name, file]));
  }

  /** A row of a file as an input. */
  input(row: unknown): unknown {
    if (typeof row !== 'object' || row === null || Array.isArray(row)) return row;
    return Object.fromEntries(Object.entries(row).map(([name, value]) => [this.#inputs.get(name) ?? name, value]));
  }

  /** The result of an item, with the names of the file. A path starts with the number of the item. */
  result(result: ItemResult): ItemResult {
    const issues = result.issues.map(({ path: [index, name, ...inner], ...issue }) => {
      const fileName = typeof name === 'string' ? this.#files.get(name) : undefined;
      return { ...issue, path: [index, fileName ?? name, ...inner].filter(step => step !== undefined) };
    });
    return { ...result, issues };
  }
}
