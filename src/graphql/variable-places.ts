import { type DocumentNode, Kind, type OperationDefinitionNode, type ValueNode, visit } from 'graphql';

/**
 * The place of a variable in the input of the field that takes it. So a pointer is the same for a value in a variable
 * and a value in the document, and for a wrong type and a broken rule.
 */

type Path = readonly (string | number)[];

/** The place of each variable that a field takes, from the name of the argument on; of several places the first. */
export function variablePlaces(document: DocumentNode, operation: OperationDefinitionNode): ReadonlyMap<string, Path> {
  const places = new Map<string, Path>();
  const look = (value: ValueNode, path: Path): void => {
    if (value.kind === Kind.VARIABLE && !places.has(value.name.value)) places.set(value.name.value, path);
    if (value.kind === Kind.OBJECT)
      for (const { name, value: inner } of value.fields) look(inner, [...path, name.value]);
    if (value.kind === Kind.LIST) for (const [i, inner] of value.values.entries()) look(inner, [...path, i]);
  };
  const fragments = document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION);
  for (const definition of [operation, ...fragments]) {
    visit(definition, {
      Field: ({ arguments: args = [] }) => {
        for (const { name, value } of args) look(value, [name.value]);
      },
    });
  }
  return places;
}

/** A place as pointers have it, without the name of an argument that is an object, like a REST body. */
export function fromInput(place: Path, isObject: boolean): Path {
  const isWithinObject = typeof place[1] === 'string';
  return isWithinObject || (isObject && place.length === 1) ? place.slice(1) : place;
}
