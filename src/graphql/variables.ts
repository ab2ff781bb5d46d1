import {
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLScalarType,
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

/** Levels of JSON that is sent: deeper values overflow the stack of code that goes through them by recursion. */
export const MAX_JSON_DEPTH = 64;

/** More would help nobody, and an input can hold millions. */
const MAX_ISSUES = 100;

/**
 * Whose rules for values hold: GraphQL takes a single value for a list of one, and decimals as texts, which are exact in
 * every language; in a REST body a list is an array and a decimal a JSON number.
 */
export type Surface = 'rest' | 'graphql';

/** What a JSON value must be for each scalar, in words that mean the same to REST and GraphQL callers. */
const SCALAR_WORDS: Readonly<Record<string, string>> = {
  String: 'a string',
  ID: 'a string',
  Int: 'a whole number from -2147483648 to 2147483647',
  Float: 'a number',
  Boolean: 'true or false',
  DateTime: 'an ISO 8601 date-time in a string',
  Decimal: 'a decimal, as a string or a number',
  JSON: `a JSON value of at most ${MAX_JSON_DEPTH} levels`,
};

/** What a value of a scalar must be, for an error that names what is allowed and does not repeat the value. */
export function mustBe(scalar: string): string {
  return `must be ${SCALAR_WORDS[scalar] ?? `a ${scalar}`}`;
}

/**
 * Everything wrong with an operation's variables, each with its path, whose first step is the variable's name. GraphQL's
 * own check stops at sentences without a path; this one answers what a JSON pointer needs.
 */
export function variableIssues(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
  surface: Surface,
): Issue[] {
  const check = new VariableCheck(surface);
  for (const { variable, type: typeNode, defaultValue } of operation.variableDefinitions ?? []) {
    const name = variable.name.value;
    const type = typeFromAST(schema, typeNode) as GraphQLInputType | undefined;
    if (type === undefined || (variables[name] === undefined && defaultValue !== undefined)) continue;
    check.value(type, variables[name], [name]);
  }
  return check.issues;
}

const fieldLists = new WeakMap<GraphQLInputObjectType, readonly GraphQLInputField[]>();

/** Fields of an input type as a list, made once. */
function fieldsOf(type: GraphQLInputObjectType): readonly GraphQLInputField[] {
  let fields = fieldLists.get(type);
  if (fields === undefined) {
    fields = Object.values(type.getFields());
    fieldLists.set(type, fields);
  }
  return fields;
}

class VariableCheck {
  readonly issues: Issue[] = [];
  readonly #surface: Surface;

  constructor(surface: Surface) {
    this.#surface = surface;
  }

  value(type: GraphQLInputType, value: unknown, path: Path): void {
    if (isNonNullType(type)) {
      if (value === undefined) this.#add(path, 'required', 'must be given');
      else if (value === null) this.#add(path, 'required', 'must not be null');
      else this.value(type.ofType, value, path);
    } else if (value === undefined || value === null || this.issues.length >= MAX_ISSUES) {
      return;
    } else if (isListType(type)) {
      this.#list(type.ofType, value, path);
    } else if (isInputObjectType(type)) {
      this.#object(type, value, path);
    } else if (isEnumType(type)) {
      const names = type.getValues().map(({ name }) => name);
      const isNamed = typeof value === 'string' && names.includes(value);
      if (!isNamed) this.#add(path, 'not_allowed', `must be one of ${names.join(', ')}`);
    } else {
      this.#scalar(type, value, path);
    }
  }

  #add(path: Path, code: string, message: string): void {
    if (this.issues.length < MAX_ISSUES) this.issues.push({ path, code, message });
  }

  #list(type: GraphQLInputType, value: unknown, path: Path): void {
    if (Array.isArray(value)) {
      for (const [i, element] of value.entries()) {
        if (this.issues.length >= MAX_ISSUES) return;
        this.value(type, element ?? null, [...path, i]);
      }
    } else if (this.#surface === 'rest') this.#add(path, 'wrong_type', 'must be an array');
    else this.value(type, value, path);
  }

  #object(type: GraphQLInputObjectType, value: unknown, path: Path): void {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      this.#add(path, 'wrong_type', 'must be an object');
      return;
    }
    const fields = type.getFields();
    for (const field of fieldsOf(type)) {
      const given = (value as Record<string, unknown>)[field.name];
      // Nothing can be wrong with what is left out, unless it must be given.
      if (given === undefined && (field.defaultValue !== undefined || !isNonNullType(field.type))) continue;
      this.value(field.type, given, [...path, field.name]);
    }
    for (const name in value) {
      if (Object.hasOwn(fields, name) || this.issues.length >= MAX_ISSUES) continue;
      const allowed = Object.keys(fields).join(', ');
      this.#add([...path, name], 'unknown_field', `is not a field here; allowed are ${allowed}`);
    }
  }

  #scalar(type: GraphQLScalarType, value: unknown, path: Path): void {
    if (type.name === 'Decimal' && this.#surface === 'rest' && typeof value !== 'number') {
      this.#add(path, 'wrong_type', 'must be a number');
      return;
    }
    try {
      type.parseValue(value);
    } catch {
      this.#add(path, 'wrong_type', mustBe(type.name));
    }
  }
}
