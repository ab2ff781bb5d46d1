import {
  type DocumentNode,
  type GraphQLSchema,
  getNullableType,
  isInputObjectType,
  Kind,
  type OperationDefinitionNode,
  TypeInfo,
  type ValueNode,
  visit,
  visitWithTypeInfo,
} from 'graphql';

/**
 * The place of a variable in the input of the field that takes it. So a pointer is the same for a value in a variable
 * and a value in the document, and for a wrong type and a broken rule.
 */

type Path = readonly (string | number)[];

interface Place {
  /** From the name of the argument on. */
  readonly path: Path;
  readonly isBesideInput: boolean;
}

/** The place of each variable that a field takes; of several places the first. */
export function variablePlaces(document: DocumentNode, operation: OperationDefinitionNode): ReadonlyMap<string, Place> {
  const places = new Map<string, Place>();
  const look = (value: ValueNode, path: Path, isBesideInput: boolean): void => {
    if (value.kind === Kind.VARIABLE && !places.has(value.name.value)) {
      places.set(value.name.value, { path, isBesideInput });
    }
    if (value.kind === Kind.OBJECT)
      for (const { name, value: inner } of value.fields) look(inner, [...path, name.value], isBesideInput);
    if (value.kind === Kind.LIST)
      for (const [i, inner] of value.values.entries()) look(inner, [...path, i], isBesideInput);
  };
  const fragments = document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION);
  for (const definition of [operation, ...fragments]) {
    visit(definition, {
      Field: ({ arguments: args = [] }) => {
        const names = args.map(({ name }) => name.value);
        for (const { name, value } of args) look(value, [name.value], isBesideInput(name.value, names));
      },
    });
  }
  return places;
}

/** A place as pointers have it, without the name of an argument that is an object, like a REST body. */
export function fromInput({ path, isBesideInput }: Place, isObject: boolean): Path {
  const isWithinObject = typeof path[1] === 'string';
  const isAlone = !isBesideInput && (isWithinObject || (isObject && path.length === 1));
  return isAlone ? path.slice(1) : path;
}

/** Whether an argument stands beside `input`: pointers keep its name, because those without one are of `input`. */
export function isBesideInput(name: string, names: readonly string[]): boolean {
  return name !== 'input' && names.includes('input');
}

/** The description of the argument, or of the input field, that takes each variable. */
export function variableDescriptions(schema: GraphQLSchema, document: DocumentNode) {
  const found = new Map<string, string | null | undefined>();
  const typeInfo = new TypeInfo(schema);
  const note = (value: ValueNode, taker: { readonly description?: string | null | undefined } | null | undefined) => {
    if (value.kind === Kind.VARIABLE) found.set(value.name.value, taker?.description);
  };
  const visitor = visitWithTypeInfo(typeInfo, {
    Argument: ({ value }) => note(value, typeInfo.getArgument()),
    ObjectField: ({ name, value }) => {
      const holder = getNullableType(typeInfo.getParentInputType());
      if (isInputObjectType(holder)) note(value, holder.getFields()[name.value]);
    },
  });
  visit(document, visitor);
  return found;
}
