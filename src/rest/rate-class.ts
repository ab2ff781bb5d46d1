import { type FragmentDefinitionNode, Kind, OperationTypeNode, parse, type SelectionSetNode } from 'graphql';
import { boundedByText, MAX_TOKENS, operationKey } from '../graphql/documents.ts';
import type { RateClass } from '../platform/rates.ts';
import { ENDPOINTS, type Endpoint } from './endpoints.ts';
import { OPERATIONS } from './operations.ts';

/** What a row of the table is counted as: a question with a body is a quote or an address check. */
export function rateClassOf({ method, operation }: Endpoint): RateClass {
  if (method === 'GET') return 'reads';
  return OPERATIONS[operation].startsWith('query') ? 'quotes' : 'writes';
}

/** The fields of the graph behind those. */
const QUOTES: ReadonlySet<string> = new Set(
  ENDPOINTS.filter(endpoint => rateClassOf(endpoint) === 'quotes').flatMap(
    ({ operation }) => rootFields(OPERATIONS[operation], undefined).names,
  ),
);

const known = boundedByText<RateClass>();

/** What a GraphQL document is counted as: one of what it does that costs most. One that can't be read is a read. */
export function documentRateClass(query: string, operationName: string | undefined): RateClass {
  const key = operationKey(query, operationName);
  const before = known.get(key);
  if (before) return before;
  const { names, isMutation } = rootFields(query, operationName);
  const rateClass = isMutation ? 'writes' : names.some(name => QUOTES.has(name)) ? 'quotes' : 'reads';
  known.set(key, rateClass);
  return rateClass;
}

function rootFields(query: string, operationName: string | undefined): { names: string[]; isMutation: boolean } {
  const definitions = definitionsOf(query);
  const fragments = new Map<string, FragmentDefinitionNode>(
    definitions.flatMap(node => (node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node]] : [])),
  );
  const operation = definitions
    .filter(node => node.kind === Kind.OPERATION_DEFINITION)
    .find(({ name }) => operationName === undefined || name?.value === operationName);
  const names: string[] = [];
  const seen = new Set<SelectionSetNode>();
  const gather = (set: SelectionSetNode | undefined): void => {
    if (set === undefined || seen.has(set)) return;
    seen.add(set);
    for (const selection of set.selections) {
      if (selection.kind === Kind.FIELD) names.push(selection.name.value);
      else if (selection.kind === Kind.INLINE_FRAGMENT) gather(selection.selectionSet);
      else gather(fragments.get(selection.name.value)?.selectionSet);
    }
  };
  gather(operation?.selectionSet);
  return { names, isMutation: operation?.operation === OperationTypeNode.MUTATION };
}

function definitionsOf(query: string) {
  try {
    return parse(query, { noLocation: true, maxTokens: MAX_TOKENS }).definitions;
  } catch {
    // The graph says what is wrong with it.
    return [];
  }
}
