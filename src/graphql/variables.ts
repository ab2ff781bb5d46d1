import {
  type DocumentNode,
  GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLList,
  GraphQLNonNull,
  type GraphQLScalarType,
  type GraphQLSchema,
  GraphQLString,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  type OperationDefinitionNode,
  typeFromAST,
} from 'graphql';
import { type Issue, MAX_ISSUES, pointer } from '../platform/fault.ts';
import { checkInput, type InputSchema } from '../platform/input.ts';
import type { IssueCode } from '../platform/issue-codes.ts';
import { schemaOfInput } from './input-schemas.ts';
import { mustBe } from './scalars.ts';
import { fromInput, variablePlaces } from './variable-places.ts';

type Path = readonly (string | number)[];

/**
 * Whose rules for values hold: GraphQL takes a single value for a list of one, and decimals as texts, which are exact in
 * every language; in a REST body a list is an array and a decimal a JSON number.
 */
export type Surface = 'rest' | 'graphql';

/**
 * Finds everything wrong with an operation's variables. GraphQL's own check stops at sentences without a path; this one
 * returns what a JSON pointer needs. A path starts at the input of the field that takes the variable (`variable-places.ts`).
 *
 * Whether the types are right is checked here, before the operation runs; the rules of inputs are checked as part of it,
 * by the schemas of the inputs. Where a type is wrong the operation never runs, so the rules are checked here too: a
 * caller hears of everything at once.
 *
 * @param known fields of inputs that are no caller's to give here, such as an id that a path names
 * @returns a check that is made once for an operation, and called with each request's variables
 */
export function variableCheck(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  surface: Surface,
  known: ReadonlySet<string> = NONE,
): (variables: Readonly<Record<string, unknown>>) => Issue[] {
  const { variableDefinitions = [] } = operation;
  const places = variableDefinitions.length > 0 ? variablePlaces(document, operation) : undefined;
  const definitions = variableDefinitions.flatMap(({ variable, type: typeNode, defaultValue }) => {
    const stated = typeFromAST(schema, typeNode) as GraphQLInputType | undefined;
    if (stated === undefined) return [];
    const type = withoutKnown(stated, known);
    const name = variable.name.value;
    const path = fromInput(places?.get(name) ?? [name], isInputObjectType(getNullableType(type)));
    return [{ name, type, path, check: checkOf(type), hasDefault: defaultValue !== undefined }];
  });
  return variables => {
    const found: Issue[] = [];
    for (const { name, type, path, check, hasDefault } of definitions) {
      const value = variables[name];
      if (value === undefined && hasDefault) continue;
      const walk = new Walk(surface, path);
      check(walk, value);
      if (walk.issues.length > 0) found.push(...withRules(walk.issues, type, value, path));
    }
    return found;
  };
}

/**
 * Finds what the rules of inputs say against an operation's variables, whose types are right: what the operation itself
 * would find once it runs, for those who must know it before.
 */
export function rulesCheck(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode | null | undefined,
): (variables: Readonly<Record<string, unknown>>) => Issue[] {
  const definitions = (operation?.variableDefinitions ?? []).flatMap(({ variable, type: typeNode }) => {
    const type = typeFromAST(schema, typeNode) as GraphQLInputType | undefined;
    return type === undefined ? [] : [{ name: variable.name.value, type }];
  });
  return variables => definitions.flatMap(({ name, type }) => ruleIssues(type, variables[name], []));
}

const NONE: ReadonlySet<string> = new Set();

/** An input type without some of its fields. */
function withoutKnown(type: GraphQLInputType, known: ReadonlySet<string>): GraphQLInputType {
  const object = getNullableType(type);
  if (!isInputObjectType(object) || !Object.keys(object.getFields()).some(name => known.has(name))) return type;
  const config = object.toConfig();
  const fields = Object.fromEntries(Object.entries(config.fields).filter(([name]) => !known.has(name)));
  return new GraphQLNonNull(new GraphQLInputObjectType({ ...config, fields }));
}

/** Wrong types and broken rules together. Of one value that has both, the type's code and the words of the field's rule. */
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

/** What the schemas of inputs find in a value whose types need not be right. */
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

/** The same of the fields of a value whose type has no schema of its own. */
function fieldIssues(type: GraphQLInputObjectType, value: unknown, path: Path): Issue[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(type.getFields()).flatMap(field =>
    ruleIssues(field.type, (value as Record<string, unknown>)[field.name], [...path, field.name]),
  );
}

/** The fields of a value that its schema has rules for: it knows nothing of the ids beside them. */
function withoutIds(type: GraphQLInputObjectType, { shape }: InputSchema, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const isId = (name: string) => !Object.hasOwn(shape, name) && Object.hasOwn(type.getFields(), name);
  return Object.fromEntries(Object.entries(value).filter(([name]) => !isId(name)));
}

/** A value as resolvers get it: a single one for a list is a list of one, and the names of enums are what they stand for. */
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

/** A check of values of one type; what is wrong goes to the walk. */
type Check = (walk: Walk, value: unknown) => void;

/** One walk through a variable. */
class Walk {
  readonly issues: Issue[] = [];
  readonly surface: Surface;
  /** Where it is. Copied where something is wrong: a path for every value would cost more than its check. */
  readonly #path: (string | number)[];

  constructor(surface: Surface, path: Path) {
    this.surface = surface;
    this.#path = [...path];
  }

  get isFull(): boolean {
    return this.issues.length >= MAX_ISSUES;
  }

  add(code: IssueCode, message: string, ...within: Path): void {
    if (!this.isFull) this.issues.push({ path: [...this.#path, ...within], code, message });
  }

  /** Checks what is in a value, under its name or place. */
  into(step: string | number, check: Check, value: unknown): void {
    this.#path.push(step);
    check(this, value);
    this.#path.pop();
  }
}

const checks = new WeakMap<GraphQLInputType, Check>();

/** The check of a type. It is made once: to ask graphql-js of what kind a type is costs more than to check a value of it. */
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
  return (walk, value) => {
    if (value === undefined) walk.add('required', 'must be given');
    else if (value === null) walk.add('required', 'must not be null');
    else check(walk, value);
  };
}

function optionalCheck(type: GraphQLInputType): Check {
  const check = givenCheck(type);
  return (walk, value) => {
    if (value !== undefined && value !== null && !walk.isFull) check(walk, value);
  };
}

function givenCheck(type: GraphQLInputType): Check {
  if (isListType(type)) return listCheck(type.ofType);
  if (isInputObjectType(type)) return objectCheck(type);
  if (isEnumType(type)) {
    const names = type.getValues().map(({ name }) => name);
    const allowed = `must be one of ${names.join(', ')}`;
    return (walk, value) => {
      const isText = typeof value === 'string';
      // A REST body has what enums stand for, which the rule of the field knows.
      if (walk.surface === 'rest') {
        if (!isText) walk.add('wrong_type', mustBe('String'));
      } else if (!isText || !names.includes(value)) walk.add('not_allowed', allowed);
    };
  }
  return scalarCheck(type as GraphQLScalarType);
}

function listCheck(type: GraphQLInputType): Check {
  const check = checkOf(type);
  return (walk, value) => {
    if (Array.isArray(value)) {
      for (let i = 0; i < value.length && !walk.isFull; i++) walk.into(i, check, value[i] ?? null);
    } else if (walk.surface === 'rest') walk.add('wrong_type', 'must be an array');
    else check(walk, value);
  };
}

function objectCheck(type: GraphQLInputObjectType): Check {
  const fields = type.getFields();
  const allowed = Object.keys(fields).join(', ');
  const checksOf = () =>
    Object.values(fields).map(field => ({
      name: field.name,
      check: checkOf(field.type),
      // Nothing can be wrong with what is left out, unless it must be given.
      isRequired: field.defaultValue === undefined && isNonNullType(field.type),
    }));
  // When it is needed: a type may contain itself.
  let list: ReturnType<typeof checksOf> | undefined;
  return (walk, value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      walk.add('wrong_type', 'must be an object');
      return;
    }
    list ??= checksOf();
    for (const { name, check, isRequired } of list) {
      const given = (value as Record<string, unknown>)[name];
      if (given !== undefined || isRequired) walk.into(name, check, given);
    }
    for (const name in value) {
      if (!Object.hasOwn(fields, name)) walk.add('unknown_field', `is not a known field; allowed are ${allowed}`, name);
    }
  };
}

function scalarCheck(type: GraphQLScalarType): Check {
  return (walk, value) => {
    if (type.name === 'Decimal' && walk.surface === 'rest' && typeof value !== 'number') {
      walk.add('wrong_type', 'must be a number');
      return;
    }
    try {
      type.parseValue(value);
    } catch {
      walk.add('wrong_type', mustBe(type.name, value));
    }
  };
}

/**
 * The schema for variables that REST bodies become: enums are texts in them, since a body has what enums stand for. Which
 * there are is said by the rules of the input, together with all else that is wrong.
 */
export function withTextsForEnums(schema: GraphQLSchema): GraphQLSchema {
  const copies = new Map<string, GraphQLInputObjectType>();
  const texts = (type: GraphQLInputType): GraphQLInputType => {
    if (isNonNullType(type)) return new GraphQLNonNull(texts(type.ofType));
    if (isListType(type)) return new GraphQLList(texts(type.ofType));
    if (isEnumType(type)) return GraphQLString;
    return isInputObjectType(type) ? copyOf(type) : type;
  };
  const copyOf = (type: GraphQLInputObjectType): GraphQLInputObjectType => {
    const known = copies.get(type.name);
    if (known) return known;
    const { fields, ...config } = type.toConfig();
    const named = Object.entries(fields).map(([name, field]) => [name, { ...field, type: texts(field.type) }]);
    const copy = new GraphQLInputObjectType({ ...config, fields: Object.fromEntries(named) });
    copies.set(type.name, copy);
    return copy;
  };
  const getType = (name: string) => {
    const type = schema.getType(name);
    return isInputObjectType(type) ? copyOf(type) : type;
  };
  return Object.create(schema, { getType: { value: getType } });
}
