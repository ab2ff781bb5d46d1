import SchemaBuilder, { BasePlugin, completeValue, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core';
import type { GraphQLFieldResolver } from 'graphql';

declare global {
  namespace PothosSchemaTypes {
    export interface Plugins<Types extends SchemaTypes> {
      rightsFirst: RightsFirstPlugin<Types>;
    }
  }
}

/**
 * Has inputs validated after the rights are checked. Pothos maps arguments outside of everything that plugins wrap around a
 * resolver, so a caller without the scope would hear what is wrong with an input that it may not send.
 *
 * This is for arguments of queries. Mutations read their inputs by the same schemas in `mutation.ts`, since they return what
 * is wrong as `userErrors`, and read ids beside the fields of the schema.
 */
class RightsFirstPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onOutputFieldConfig(fieldConfig: PothosOutputFieldConfig<Types>): PothosOutputFieldConfig<Types> {
    const { argMappers, resolve, subscribe } = fieldConfig;
    if (argMappers.length === 0) return fieldConfig;
    const mapped =
      (resolver: Resolver<Types>): Resolver<Types> =>
      (parent, args, context, info) => {
        const values = argMappers.reduce<unknown>(
          (before, map) => completeValue(before, values => map(values as Record<string, unknown>, context, info)),
          args,
        );
        return completeValue(values, values => resolver(parent, values as object, context, info));
      };
    // The events of a subscription are not resolved by its arguments.
    if (subscribe) return { ...fieldConfig, argMappers: [], subscribe: mapped(subscribe) };
    return resolve ? { ...fieldConfig, argMappers: [], resolve: mapped(resolve) } : fieldConfig;
  }
}

type Resolver<Types extends SchemaTypes> = GraphQLFieldResolver<unknown, Types['Context'], object>;

SchemaBuilder.registerPlugin('rightsFirst', RightsFirstPlugin);
