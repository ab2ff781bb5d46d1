import type { InputSchema } from '../platform/input.ts';

/** The zod schema that each input type of the graph was made of, by the type's name. */
const schemas = new Map<string, InputSchema>();

export function registerInput(typeName: string, schema: InputSchema): void {
  schemas.set(typeName, schema);
}

export function schemaOfInput(typeName: string): InputSchema | undefined {
  return schemas.get(typeName);
}
