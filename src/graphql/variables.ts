import {
  type GraphQLInputType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  type OperationDefinitionNode,
  typeFromAST,
} from 'graphql';
import type { Issue } from '../platform/fault.ts';

type Path = readonly (string | number)[];

/** More would help nobody, and an input can hold millions. */
const MAX_ISSUES = 100;

/** What a JSON value must be for each scalar, in words that mean the same to REST and GraphQL callers. */
const SCALAR_WORDS: Readonly<Record<string, string>> = {
  String: 'a string',
  ID: 'a string',
  Int: 'a whole number from -2147483648 to 2147483647',
  Float: 'a number',
  Boolean: 'true or false',
  DateTime: 'an ISO 8601 date-time in a string',
  Decimal: 'a decimal, as a string or a number',
};

/**
 * Everything wrong with an operation's variables, each with its path, whose first step is the variable's name. GraphQL's
 * own check stops at sentences without a path; this one answers what a JSON pointer needs.
 */
export function variableIssues(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): Issue[] {
  const issues: Issue[] = [];
  for (const { variable, type: typeNode, defaultValue } of operation.variableDefinitions ?? []) {
    const name = variable.name.value;
    const type = typeFromAST(schema, typeNode) as GraphQLInputType | undefined;
    if (type === undefined || (variables[name] === undefined && defaultValue !== undefined)) continue;
    checkValue(type, variables[name], [name], issues);
  }
  return issues;
}

function checkValue(type: GraphQLInputType, value: unknown, path: Path, issues: Issue[]): void {
  if (issues.length >= MAX_ISSUES) return;
  const add = (code: string, message: string) => issues.push({ path, code, message });
  if (isNonNullType(type)) {
    if (value === undefined) add('required', 'must be given');
    else if (value === null) add('required', 'must not be null');
    else checkValue(type.ofType, value, path, issues);
  } else if (value === undefined || value === null) {
    return;
  } else if (isListType(type)) {
    // GraphQL takes a single value for a list of one.
    if (!Array.isArray(value)) checkValue(type.ofType, value, path, issues);
    else checkList(type.ofType, value, path, issues);
  } else if (isInputObjectType(type)) {
    const fields = type.getFields();
    if (typeof value !== 'object' || Array.isArray(value)) return void add('wrong_type', 'must be an object');
    for (const field of Object.values(fields)) {
      const given = (value as Record<string, unknown>)[field.name];
      if (given === undefined && field.defaultValue !== undefined) continue;
      checkValue(field.type, given, [...path, field.name], issues);
    }
    for (const name of Object.keys(value)) {
      if (Object.hasOwn(fields, name)) continue;
      if (issues.length >= MAX_ISSUES) return;
      const allowed = Object.keys(fields).join(', ');
      issues.push({
        path: [...path, name],
        code: 'unknown_field',
        message: `is not a field here; allowed are ${allowed}`,
      });
    }
  } else if (isEnumType(type)) {
    const names = type.getValues().map(({ name }) => name);
    if (typeof value !== 'string' || !names.includes(value)) add('not_allowed', `must be one of ${names.join(', ')}`);
  } else {
    try {
      type.parseValue(value);
    } catch {
      add('wrong_type', `must be ${SCALAR_WORDS[type.name] ?? `a ${type.name}`}`);
    }
  }
}

function checkList(type: GraphQLInputType, values: readonly unknown[], path: Path, issues: Issue[]): void {
  for (const [i, value] of values.entries()) {
    if (issues.length >= MAX_ISSUES) return;
    checkValue(type, value ?? null, [...path, i], issues);
  }
}
