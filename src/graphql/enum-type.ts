import { builder, type SchemaTypes } from './builder.ts';

/** Enums of the graph, with names in upper case. Resolvers and inputs use the values of the database and REST. */

interface EnumOptions<Value extends string> {
  readonly description: string;
  readonly values: Readonly<Record<Value, { readonly description: string }>>;
}

export function enumType<Value extends string>(
  name: string,
  { description, values }: EnumOptions<Value>,
): PothosSchemaTypes.EnumRef<SchemaTypes, Value> {
  const named = Object.entries<{ readonly description: string }>(values).map(([value, about]) => [
    enumName(value),
    { ...about, value },
  ]);
  return builder.enumType(name, { description, values: Object.fromEntries(named) }) as never;
}

/** The values of an enum, from a table of descriptions. */
export function described<Value extends string>(
  meanings: Readonly<Record<Value, string>>,
): Readonly<Record<Value, { readonly description: string }>> {
  const values = Object.entries<string>(meanings).map(([value, description]) => [value, { description }]);
  return Object.fromEntries(values);
}

/** `tracking.in_transit` is `TRACKING_IN_TRANSIT`, and `tracking.*` is `TRACKING_ALL`. */
export function enumName(value: string): string {
  return value.replace('*', 'all').replaceAll(/\W/g, '_').toUpperCase();
}
