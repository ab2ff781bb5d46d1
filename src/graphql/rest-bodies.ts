import type { OperationDefinitionNode, TypeNode } from 'graphql';
import type { z } from 'zod';
import type { Issue } from '../platform/fault.ts';
import type { InputSchema } from '../platform/input.ts';
import { schemaOfInput } from './input-schemas.ts';

/**
 * A body of REST. Only its zod schema checks and reads the body; the operation behind the endpoint takes the result. The
 * schema is the schema of the operation's input, unless the contract of REST has its own names, numbers or fields.
 */
export interface RestBody<Schema extends InputSchema = InputSchema> {
  readonly schema: Schema;
  /** The input of the operation, where it differs from the body. */
  readonly toInput?: (body: z.output<Schema>) => object;
  /** The place in the body of a place in the input. */
  readonly placeOf?: (path: Issue['path']) => Issue['path'];
  /**
   * Whether the service reads the body by the schema of the input, with further rules: it then gets a body with errors
   * as it was sent, so that all errors are reported at once.
   */
  readonly isReadByService?: true;
}

const bodies = new Map<string, RestBody>();

export function registerBody<Schema extends InputSchema>(typeName: string, body: RestBody<Schema>): void {
  bodies.set(typeName, body as unknown as RestBody);
}

/** The body for an input type of the graph. */
export function bodyOf(typeName: string): RestBody {
  const own = bodies.get(typeName);
  if (own) return own;
  const schema = schemaOfInput(typeName);
  if (!schema) throw new Error(`The input ${typeName} has no schema`);
  return { schema };
}

/** The type of the variable that takes the body of an endpoint. */
export function inputTypeOf({ variableDefinitions = [] }: OperationDefinitionNode): string {
  const input = variableDefinitions.find(({ variable }) => variable.name.value === 'input');
  if (!input) throw new Error('An operation that takes a body needs a variable $input');
  return nameOf(input.type);
}

const nameOf = (type: TypeNode): string => ('name' in type ? type.name.value : nameOf(type.type));
