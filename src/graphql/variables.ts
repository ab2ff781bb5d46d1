import {
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLScalarType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  type OperationDefinitionNode,
  typeFromAST,
} from 'graphql';
import { type Issue, MAX_ISSUES, pointer } from '../platform/fault.ts';
import { checkInput } from '../platform/input.ts';
import { schemaOfInput } from './input-schemas.ts';
import { mustBe } from './scalars.ts';

type Path = readonly (string | number)[];

/**
 * Whose rules for values hold: GraphQL takes a single value for a list of one, and decimals as texts, which are exact in
 * every language; in a REST body a list is an array and a decimal a JSON number.
 */
export type Surface = 'rest' | 'graphql';

/**
 * Everything wrong with an operation's variables. GraphQL's own check stops at sentences without a path; this one returns
 * what a JSON pointer needs. A path leads into the variable where that is an object or a list of them, and starts with the
 * variable's name otherwise.
 *
 * Whether the types are right is checked here, before the operation runs; the rules of inputs are checked as part of it,
 * by the schemas of the inputs. Where a type is wrong the operation never runs, so the rules are checked here too: a
 * caller hears of everything at once.
 */
export function variableIssues(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
  surface: Surface,
): Issue[] {
  const found: Issue[] = [];
  for (const { variable, type: typeNode, defaultValue } of operation.variableDefinitions ?? []) {
    const name = variable.name.value;
    const type = typeFromAST(schema, typeNode) as GraphQLInputType | undefined;
    if (type === undefined || (variables[name] === undefined && defaultValue !== undefined)) continue;
    const check = new VariableCheck(surface);
    check.value(type, variables[name], isInputObjectType(getNamedType(type)) ? [] : [name]);
    if (check.issues.length > 0) found.push(...withRules(check.issues, type, variables[name]));
  }
  return found;
}

/** Wrong types and broken rules together. Of one value that has both, the type's code and the words of the field's rule. */
function withRules(typeIssues: readonly Issue[], type: GraphQLInputType, value: unknown): Issue[] {
  const byPlace = new Map(ruleIssues(type, value, []).map(issue => [pointer(issue.path), issue]));
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

/** What the schemas of inputs find in a value whose types need not be right. */
function ruleIssues(type: GraphQLInputType, value: unknown, path: Path): Issue[] {
  const inner = getNullableType(type);
  if (isListType(inner)) {
    const list = Array.isArray(value) ? value : [];
    return list.slice(0, MAX_ISSUES).flatMap((element, i) => ruleIssues(inner.ofType, element, [...path, i]));
  }
  const schema = isInputObjectType(inner) ? schemaOfInput(inner.name) : undefined;
  if (schema === undefined || value == null) return [];
  return checkInput(schema, withLists(inner, value)).issues.map(issue => ({
    ...issue,
    path: [...path, ...issue.path],
  }));
}

/** GraphQL takes a single value for a list of one. */
function withLists(type: GraphQLInputType, value: unknown): unknown {
  const inner = getNullableType(type);
  if (value == null) return value;
  if (isListType(inner)) {
    return Array.isArray(value) ? value.map(one => withLists(inner.ofType, one)) : [withLists(inner.ofType, value)];
  }
  if (!isInputObjectType(inner) || typeof value !== 'object' || Array.isArray(value)) return value;
  const fields = inner.getFields();
  return Object.fromEntries(
    Object.entries(value).map(([name, given]) => {
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
      return [name, field ? withLists(field.type, given) : given];
    }),
  );
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
