import { type GraphQLSchema, parse, print, TypeInfo, visit, visitWithTypeInfo } from 'graphql';

/**
 * An operation of a face without the fields and fragments that a graph lacks because a feature is left out; undefined if
 * nothing is left of the operation.
 */
export function withKnownFields(schema: GraphQLSchema, operation: string): string | undefined {
  const types = new TypeInfo(schema);
  let isChanged = false;
  let isEmpty = false;
  const unless = (isKnown: unknown) => {
    if (isKnown) return undefined;
    isChanged = true;
    return null;
  };
  const known = visit(
    parse(operation),
    visitWithTypeInfo(types, {
      Field: () => unless(types.getFieldDef()),
      FragmentDefinition: () => unless(types.getType()),
      OperationDefinition: {
        leave: ({ selectionSet }) => {
          isEmpty = selectionSet.selections.length === 0;
        },
      },
    }),
  );
  if (isEmpty) return undefined;
  return isChanged ? print(known) : operation;
}
