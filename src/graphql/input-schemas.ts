import type { InputSchema } from '../platform/input.ts';

/** The zod schema of each input type of the graph, by the type's name. */
const schemas = new Map<string, InputSchema>();

export function registerInput(typeName: string, schema: InputSchema): void {
  schemas.set(typeName, schema);
}

export function schemaOfInput(typeName: string): InputSchema | undefined {
  return schemas.get(typeName);
}
