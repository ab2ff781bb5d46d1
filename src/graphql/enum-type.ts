import { builder, type SchemaTypes } from './builder.ts';

/**
 * An enum of the graph, with names in upper case. Resolvers and inputs use the values of the database and REST.
 *
 * @param texts each value with its description
 */
export function enumType<Value extends string>(
  name: string,
  description: string,
  texts: Readonly<Record<Value, string>>,
): PothosSchemaTypes.EnumRef<SchemaTypes, Value> {
  const named = Object.entries<string>(texts).map(([value, text]) => [enumName(value), { value, description: text }]);
  return builder.enumType(name, { description, values: Object.fromEntries(named) }) as never;
}

/** `tracking.in_transit` is `TRACKING_IN_TRANSIT`, and `tracking.*` is `TRACKING_ALL`. */
export function enumName(value: string): string {
  return value.replace('*', 'all').replaceAll(/\W/g, '_').toUpperCase();
}
