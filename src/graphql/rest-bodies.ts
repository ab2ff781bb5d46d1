import {
  GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLList,
  GraphQLNonNull,
  type GraphQLSchema,
} from 'graphql';
import type { Issue } from '../platform/fault.ts';
import { type InputSchema, isOptional } from '../platform/input.ts';
import { registerInput } from './input-schemas.ts';
import { typeOf } from './input-type.ts';

/**
 * Bodies of REST that differ from the input of the operation behind the endpoint. The contract of REST keeps its own
 * names and numbers. A body is checked by its own schema, and becomes the input of the graph before the operation runs.
 */
export interface RestBody {
  readonly schema: InputSchema;
  readonly toInput: (body: Sent) => Sent;
  /** The place in the body of a place in the input. */
  readonly placeOf: (path: Issue['path']) => Issue['path'];
}

type Sent = Readonly<Record<string, unknown>>;

const bodies = new Map<string, RestBody>();

export function registerBody(inputName: string, body: RestBody): void {
  bodies.set(inputName, body);
  registerInput(bodyName(inputName), body.schema);
}

export function bodyOf(inputName: string): RestBody | undefined {
  return bodies.get(inputName);
}

const bodyName = (inputName: string) => `${inputName}Body`;

/** The schema as REST bodies have it: the type of an input is the type of its body. */
export function withBodies(schema: GraphQLSchema): GraphQLSchema {
  const getType = (name: string) => {
    const body = bodies.get(name);
    return body ? bodyType(schema, name, body) : schema.getType(name);
  };
  return Object.create(schema, { getType: { value: getType } });
}

function bodyType(schema: GraphQLSchema, inputName: string, body: RestBody): GraphQLInputObjectType {
  const fields = Object.entries(body.schema.shape).map(([name, field]) => {
    const type = named(schema, typeOf(field));
    return [name, { type: isOptional(field) ? type : new GraphQLNonNull(type) }];
  });
  return new GraphQLInputObjectType({ name: bodyName(inputName), fields: Object.fromEntries(fields) });
}

/** The type of the schema that a field of an input names. */
function named(schema: GraphQLSchema, type: unknown): GraphQLInputType {
  if (Array.isArray(type)) return new GraphQLList(new GraphQLNonNull(named(schema, type[0])));
  const name = typeof type === 'string' ? type : (type as { readonly name: string }).name;
  return schema.getType(name) as GraphQLInputType;
}
