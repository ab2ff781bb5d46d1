import {
  type DocumentNode,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLScalarType,
  type GraphQLSchema,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  type OperationDefinitionNode,
  typeFromAST,
} from 'graphql';
import { type Issue, MAX_ISSUES, pointer } from '../platform/fault.ts';
import { checkInput, type InputSchema, oneOfIssue } from '../platform/input.ts';
import type { IssueCode } from '../platform/issue-codes.ts';
import { unknownField } from '../platform/near-names.ts';
import { schemaOfInput } from './input-schemas.ts';
import { mustBe } from './scalars.ts';
import { fromInput, variablePlaces } from './variable-places.ts';

type Path = readonly (string | number)[];

/**
 * Finds all errors of an operation's variables. GraphQL's own check stops at sentences without a path; this one returns
 * the path for a JSON pointer, which starts at the input of the field that takes the variable (`variable-places.ts`).
 *
 * Types are checked here, before the operation runs; the rules of inputs are checked while it runs, by the schemas of
 * the inputs. An operation with wrong types never runs, so its rules are checked here too: a caller sees all errors at
 * once.
 *
 * @returns a check that is made once per operation and called with each request's variables
 */
export function variableCheck(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): (variables: Readonly<Record<string, unknown>>) => Issue[] {
  const { variableDefinitions = [] } = operation;
  const places = variableDefinitions.length > 0 ? variablePlaces(document, operation) : undefined;
  const definitions = variableDefinitions.flatMap(({ variable, type: typeNode, defaultValue }) => {
    const type = typeFromAST(schema, typeNode) as GraphQLInputType | undefined;
    if (type === undefined) return [];
    const name = variable.name.value;
    const path = fromInput(
      places?.get(name) ?? { path: [name], isBesideInput: false },
      isInputObjectType(getNullableType(type)),
    );
    return [{ name, type, path, check: checkOf(type), hasDefault: defaultValue !== undefined }];
  });
  return variables => {
    const found: Issue[] = [];
    for (const { name, type, path, check, hasDefault } of definitions) {
      const value = variables[name];
      if (value === undefined && hasDefault) continue;
      const visit = new Visit(path);
      check(visit, value);
      if (visit.issues.length > 0) found.push(...withRules(visit.issues, type, value, path));
    }
    return found;
  };
}

/** Wrong types and broken rules together. A value with both has the code of the type and the words of the rule. */
function withRules(typeIssues: readonly Issue[], type: GraphQLInputType, value: unknown, path: Path): Issue[] {
  const byPlace = new Map(ruleIssues(type, value, path).map(issue => [pointer(issue.path), issue]));
  const types = typeIssues.map(issue => {
    const place = pointer(issue.path);
    const rule = byPlace.get(place);
    byPlace.delete(place);
    return rule && issue.code === 'wrong_type' ? { ...issue, message: rule.message } : issue;
  });
  const wrong = types.map(({ path }) => `${pointer(path)}/`);
  const rules = [...byPlace]
    .filter(([place]) => !wrong.some(above => place.startsWith(above)))
    .map(([, issue]) => issue);
  return [...types, ...rules];
}

/** Errors that the schemas of inputs find in a value whose types may be wrong. */
function ruleIssues(type: GraphQLInputType, value: unknown, path: Path): Issue[] {
  const inner = getNullableType(type);
  if (isListType(inner)) {
    const list = Array.isArray(value) ? value : [];
    return list.slice(0, MAX_ISSUES).flatMap((element, i) => ruleIssues(inner.ofType, element, [...path, i]));
  }
  if (!isInputObjectType(inner) || value == null) return [];
  const schema = schemaOfInput(inner.name);
  if (schema === undefined) return fieldIssues(inner, value, path);
  return checkInput(schema, withoutIds(inner, schema, asResolved(inner, value))).issues.map(issue => ({
    ...issue,
    path: [...path, ...issue.path],
  }));
}

/** Errors in the fields of a value whose type has no schema of its own. */
function fieldIssues(type: GraphQLInputObjectType, value: unknown, path: Path): Issue[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(type.getFields()).flatMap(field =>
    ruleIssues(field.type, (value as Record<string, unknown>)[field.name], [...path, field.name]),
  );
}

/** The fields of a value that its schema has rules for, without the ids beside them. */
function withoutIds(type: GraphQLInputObjectType, { shape }: InputSchema, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const isId = (name: string) => !Object.hasOwn(shape, name) && Object.hasOwn(type.getFields(), name);
  return Object.fromEntries(Object.entries(value).filter(([name]) => !isId(name)));
}

/** A value as resolvers get it: a single value for a list becomes a list, and names of enums become their values. */
function asResolved(type: GraphQLInputType, value: unknown): unknown {
  const inner = getNullableType(type);
  if (value == null) return value;
  if (isListType(inner)) {
    return Array.isArray(value) ? value.map(one => asResolved(inner.ofType, one)) : [asResolved(inner.ofType, value)];
  }
  if (isEnumType(inner)) return inner.getValue(String(value))?.value ?? value;
  if (!isInputObjectType(inner) || typeof value !== 'object' || Array.isArray(value)) return value;
  const fields = inner.getFields();
  return Object.fromEntries(
    Object.entries(value).map(([name, given]) => {
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
      return [name, field ? asResolved(field.type, given) : given];
    }),
  );
}

/** A check of values of one type, which reports errors to the visit. */
type Check = (visit: Visit, value: unknown) => void;

class Visit {
  readonly issues: Issue[] = [];
  /** The current path. It is copied only for an error: a path for every value would cost more than its check. */
  readonly #path: (string | number)[];

  constructor(path: Path) {
    this.#path = [...path];
  }

  get isFull(): boolean {
    return this.issues.length >= MAX_ISSUES;
  }

  add(code: IssueCode, message: string, ...within: Path): void {
    if (!this.isFull) this.issues.push({ path: [...this.#path, ...within], code, message });
  }

  /** Checks a nested value, under its name or place. */
  into(step: string | number, check: Check, value: unknown): void {
    this.#path.push(step);
    check(this, value);
    this.#path.pop();
  }
}

const checks = new WeakMap<GraphQLInputType, Check>();

/**
 * The check of a type, made once: asking graphql-js for the kind of a type costs more than checking a value of the
 * type.
 */
function checkOf(type: GraphQLInputType): Check {
  let check = checks.get(type);
  if (check === undefined) {
    check = isNonNullType(type) ? requiredCheck(type.ofType) : optionalCheck(type);
    checks.set(type, check);
  }
  return check;
}

function requiredCheck(type: GraphQLInputType): Check {
  const check = checkOf(type);
  return (visit, value) => {
    if (value === undefined) visit.add('required', 'must be given');
    else if (value === null) visit.add('required', 'must not be null');
    else check(visit, value);
  };
}

function optionalCheck(type: GraphQLInputType): Check {
  const check = givenCheck(type);
  return (visit, value) => {
    if (value !== undefined && value !== null && !visit.isFull) check(visit, value);
  };
}

function givenCheck(type: GraphQLInputType): Check {
  if (isListType(type)) return listCheck(type.ofType);
  if (isInputObjectType(type)) return objectCheck(type);
  if (isEnumType(type)) {
    const names = type.getValues().map(({ name }) => name);
    const allowed = `must be one of ${names.join(', ')}`;
    return (visit, value) => {
      if (typeof value !== 'string' || !names.includes(value)) visit.add('not_allowed', allowed);
    };
  }
  return scalarCheck(type as GraphQLScalarType);
}

function listCheck(type: GraphQLInputType): Check {
  const check = checkOf(type);
  return (visit, value) => {
    if (Array.isArray(value)) {
      for (let i = 0; i < value.length && !visit.isFull; i++) visit.into(i, check, value[i] ?? null);
    } else check(visit, value);
  };
}

function objectCheck(type: GraphQLInputObjectType): Check {
  const fields = type.getFields();
  const names = Object.keys(fields);
  const checksOf = () =>
    Object.values(fields).map(field => ({
      name: field.name,
      check: checkOf(field.type),
      // A field that is left out is valid, unless it is required.
      isRequired: field.defaultValue === undefined && isNonNullType(field.type),
    }));
  // Made on demand, because a type may contain itself.
  let list: ReturnType<typeof checksOf> | undefined;
  return (visit, value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      visit.add('wrong_type', 'must be an object');
      return;
    }
    list ??= checksOf();
    for (const { name, check, isRequired } of list) {
      const given = (value as Record<string, unknown>)[name];
      if (given !== undefined || isRequired) visit.into(name, check, given);
    }
    for (const name in value) {
      if (Object.hasOwn(fields, name)) continue;
      // Suggesting names for thousands of unknown ones would take seconds.
      if (visit.isFull) return;
      visit.add('unknown_field', unknownField(name, names), name);
    }
    const issue = type.isOneOf ? oneOfIssue(names, value) : undefined;
    if (issue) visit.add(issue.code, issue.message);
  };
}

function scalarCheck(type: GraphQLScalarType): Check {
  return (visit, value) => {
    try {
      type.parseValue(value);
    } catch {
      visit.add('wrong_type', mustBe(type.name, value));
    }
  };
}
