import {
  coerceInputValue,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  getNullableType,
  isInputObjectType,
  isListType,
  isNonNullType,
  type OperationDefinitionNode,
  parse,
} from 'graphql';
import type { Issue } from '../platform/fault.ts';
import { schema } from './schema.ts';
import { variableIssues } from './variables.ts';

/** A field of an input that one cell of a table can hold. */
export interface InputColumn {
  /** `['recipient', 'city']`. */
  readonly path: readonly string[];
  readonly holds: 'text' | 'decimal' | 'whole number' | 'list';
  /** Whether no input does without it. */
  readonly isRequired: boolean;
}

/** Reads values that come from elsewhere than a request, by the same input type as the mutation that takes them. */
export interface InputReader<Input> {
  readonly columns: readonly InputColumn[];
  read(value: unknown): { readonly input: Input } | { readonly issues: readonly Issue[] };
}

export function inputReader<Input>(typeName: string): InputReader<Input> {
  const type = schema.getType(typeName) as GraphQLInputObjectType;
  const { definitions } = parse(`query ($row: ${typeName}!) { __typename }`);
  const operation = definitions[0] as OperationDefinitionNode;
  return {
    columns: columnsOf(type),
    read(row) {
      const issues = variableIssues(schema, operation, { row }, 'graphql');
      if (issues.length > 0) return { issues: issues.map(issue => ({ ...issue, path: issue.path.slice(1) })) };
      return { input: coerceInputValue(row, type) as Input };
    },
  };
}

function columnsOf(type: GraphQLInputObjectType, above: readonly string[] = [], isNeeded = true): InputColumn[] {
  return Object.values(type.getFields()).flatMap(field => {
    const path = [...above, field.name];
    const plain = getNullableType(field.type);
    const isRequired = isNeeded && isNonNullType(field.type) && field.defaultValue === undefined;
    return isInputObjectType(plain)
      ? columnsOf(plain, path, isRequired)
      : [{ path, holds: contentOf(plain), isRequired }];
  });
}

function contentOf(type: GraphQLInputType): InputColumn['holds'] {
  if (isListType(type)) return 'list';
  const name = String(type);
  return name === 'Int' ? 'whole number' : name === 'Decimal' ? 'decimal' : 'text';
}
