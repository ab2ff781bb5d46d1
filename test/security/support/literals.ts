import {
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
} from 'graphql';
import type { Field } from './sdl.ts';

/** A literal in the language of documents; a value that does not fit its type is written as it is. */
export function literalOf(type: GraphQLInputType, value: unknown): string {
  const nullable = getNullableType(type);
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) {
    const inner = isListType(nullable) ? nullable.ofType : nullable;
    return `[${value.map(one => literalOf(inner, one)).join(', ')}]`;
  }
  if (typeof value === 'object') {
    const fields = isInputObjectType(nullable) ? nullable.getFields() : {};
    const entries = Object.entries(value).filter(([name]) => /^[A-Za-z_]\w*$/.test(name));
    return `{ ${entries.map(([name, one]) => `${name}: ${literalOf(fields[name]?.type ?? nullable, one)}`).join(', ')} }`;
  }
  if (isEnumType(getNamedType(nullable)) && /^[A-Za-z_]\w*$/.test(String(value))) return String(value);
  return JSON.stringify(value);
}

/** `(first: 10, by: STATUS)`; nothing where no argument is given. */
export function literalArguments(field: Field, given: Readonly<Record<string, unknown>>): string {
  const args = field.args
    .filter(({ name }) => name in given)
    .map(({ name, type }) => `${name}: ${literalOf(type, given[name])}`);
  return args.length > 0 ? `(${args.join(', ')})` : '';
}
