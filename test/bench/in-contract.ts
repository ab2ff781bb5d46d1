import {
  type GraphQLEnumType,
  type GraphQLObjectType,
  getNamedType,
  isEnumType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  parse,
  type SelectionSetNode,
} from 'graphql';
import { schema } from '../../src/graphql/schema.ts';
import { ENDPOINTS } from '../../src/http/rest/endpoints.ts';
import { OPERATIONS, type OperationName } from '../../src/http/rest/operations.ts';

// SOFA answers in the names of the graph. The contract has the names and the shape that the operation of each endpoint
// gives it, so SOFA's answer is brought to that form before it is compared.

type Answer = null | string | number | boolean | readonly Answer[] | { readonly [name: string]: Answer };

/** The answer of SOFA to a GET of an operation, as the contract has it. */
export function inContract(operation: OperationName, answer: Answer): unknown {
  const document = parse(OPERATIONS[operation]);
  const fragments = new Map<string, SelectionSetNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition.selectionSet);
  }
  const under = (type: GraphQLObjectType, selections: SelectionSetNode, value: Answer): Answer => {
    if (Array.isArray(value)) return value.map(element => under(type, selections, element));
    if (typeof value !== 'object' || value === null) return value;
    const record = value as Record<string, Answer>;
    const renamed: Record<string, Answer> = {};
    for (const selection of selections.selections) {
      if (selection.kind === Kind.FIELD) {
        const name = selection.name.value;
        const fieldType = getNamedType(type.getFields()[name]?.type);
        const of = record[name] ?? null;
        renamed[selection.alias?.value ?? name] =
          isObjectType(fieldType) && selection.selectionSet
            ? under(fieldType, selection.selectionSet, of)
            : isEnumType(fieldType)
              ? withoutName(fieldType, of)
              : of;
      } else {
        const inside =
          selection.kind === Kind.INLINE_FRAGMENT ? selection.selectionSet : fragments.get(selection.name.value);
        Object.assign(renamed, inside && under(type, inside, value));
      }
    }
    return renamed;
  };
  const [root] = (document.definitions[0] as OperationDefinitionNode).selectionSet.selections;
  if (root?.kind !== Kind.FIELD || !root.selectionSet) throw new Error(`${operation} reads nothing`);
  const type = getNamedType(schema.getQueryType()?.getFields()[root.name.value]?.type) as GraphQLObjectType;
  const endpoint = ENDPOINTS.find(row => row.operation === operation);
  return JSON.parse(JSON.stringify(endpoint?.shape.project(under(type, root.selectionSet, answer))));
}

/** The contract has the values of the code, and the graph has names for them. */
function withoutName(type: GraphQLEnumType, name: Answer): Answer {
  if (Array.isArray(name)) return name.map(element => withoutName(type, element));
  return typeof name === 'string' ? type.getValue(name)?.value : name;
}
