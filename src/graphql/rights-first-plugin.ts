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
 * Validates inputs after the rights are checked. Pothos maps arguments outside of all plugin wrappers of a resolver, so
 * a caller without the scope would see errors of an input that it may not send.
 *
 * This is for arguments of queries. Mutations read their inputs in `mutation.ts` by their schemas, because they return
 * errors as `userErrors` and read ids beside the fields of the schema.
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
    // The arguments of a subscription are used by `subscribe`, not by the resolver of its events.
    if (subscribe) return { ...fieldConfig, argMappers: [], subscribe: mapped(subscribe) };
    return resolve ? { ...fieldConfig, argMappers: [], resolve: mapped(resolve) } : fieldConfig;
  }
}

type Resolver<Types extends SchemaTypes> = GraphQLFieldResolver<unknown, Types['Context'], object>;

SchemaBuilder.registerPlugin('rightsFirst', RightsFirstPlugin);
