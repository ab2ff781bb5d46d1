import type { FieldNullability, InputFieldMap, TypeParam } from '@pothos/core';
import { Fault } from '../platform/fault.ts';
import { builder, type SchemaTypes } from './builder.ts';
import type { RequestContext } from './context.ts';

/** The one way to declare a query, and the record that it looks up. */

type Root = SchemaTypes['Root'];

export function query<
  Type extends TypeParam<SchemaTypes>,
  Return,
  Nullable extends FieldNullability<Type> = false,
  Args extends InputFieldMap = Record<never, never>,
>(
  name: string,
  options: PothosSchemaTypes.FieldOptionsByKind<SchemaTypes, Root, Type, Nullable, Args, Root, Return>['Query'],
): void {
  builder.queryField(name, t => t.field(options as never));
}

/** The argument of a query for one record. */
export function idArg(description: string) {
  return builder.args(t => ({ id: t.id({ required: true, description }) }));
}

/**
 * The record that a query looks up, or null if there is none. A record that is not there is no error in the graph. REST
 * has no null for it, and sends the fault that the context keeps.
 */
export async function lookUp<Found>(
  context: Pick<RequestContext, 'missing'>,
  find: () => Promise<Found>,
): Promise<Found | null> {
  try {
    return await find();
  } catch (thrown) {
    if (!(thrown instanceof Fault) || thrown.status !== 404) throw thrown;
    context.missing = thrown;
    return null;
  }
}
