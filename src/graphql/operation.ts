import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  type GraphQLSchema,
  getOperationAST,
  isEnumType,
  Kind,
  parseType,
  type VariableDefinitionNode,
  valueFromASTUntyped,
  visit,
} from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import { Fault, type Issue } from '../platform/fault.ts';
import { RecordId } from '../platform/record-id.ts';
import type { RequestContext } from './context.ts';
import { variableCheck } from './variables.ts';

/**
 * REST shows the domain's own values: decimals are numbers, enums have their values, and ids are the keys of records.
 * The graph has strings.
 */
const asItIs = (value: unknown) => value;
const keyOf = (value: unknown) => (value instanceof RecordId ? value.key : value);

export type Variables = Readonly<Record<string, unknown>>;

/** An operation of a document that was parsed and validated. */
export interface Parsed {
  readonly document: DocumentNode;
  readonly operationName: string | undefined;
  readonly variables: Variables;
}

/** One operation of a valid document, ready to run any number of times. */
export interface Operation {
  /** All errors of the variables. The operation may run only if there are none. */
  check(variables: Variables): Issue[];
  /** @param root the object that root fields are read from: the event of a subscription or of a selection */
  run(context: RequestContext, variables: Variables, root?: object): Promise<ExecutionResult> | ExecutionResult;
}

/** Compiles an operation: this takes some tenths of a millisecond once, and spares the interpretation of its document. */
export function compileOperation(schema: GraphQLSchema, document: DocumentNode, operationName?: string): Operation {
  const run = compiledRun(schema, document, operationName);
  // graphql-jit returns a result with errors for an operation that it cannot compile; graphql-js then runs it.
  if (!run) return interpretedOperation(schema, document, operationName);
  return { check: checker(schema, document, operationName), run };
}

/** Compiles an operation of REST, whose `input` was read from the body before. */
export function compileRestOperation(schema: GraphQLSchema, document: DocumentNode): Operation['run'] {
  const run = compiledRun(schema, visit(document, { VariableDefinition: inputAsItIs }), undefined, ownValues(schema));
  if (!run) throw new Error('An operation of REST cannot be compiled');
  return run;
}

/** The scalar JSON passes a value on without a check. */
function inputAsItIs(definition: VariableDefinitionNode): VariableDefinitionNode {
  return definition.variable.name.value === 'input' ? { ...definition, type: parseType('JSON!') } : definition;
}

function compiledRun(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName?: string,
  customSerializers: Record<string, typeof asItIs> = {},
): Operation['run'] | undefined {
  const compiled = compileQuery(schema, document, operationName ?? '', { customSerializers });
  if (!isCompiledQuery(compiled)) return undefined;
  const defaults = requiredDefaults(document, operationName);
  const whole = (variables: Variables) => (defaults === undefined ? variables : { ...defaults, ...variables });
  return (context, variables, root) => compiled.query(root, context, whole(variables) as Record<string, unknown>);
}

/**
 * The defaults of variables such as `$first: Int! = 10`, without which graphql-jit rejects an operation that omits them;
 * undefined if there are none, as in almost every operation.
 */
function requiredDefaults(document: DocumentNode, operationName: string | undefined): Variables | undefined {
  const { variableDefinitions = [] } = getOperationAST(document, operationName) ?? {};
  const defaults = variableDefinitions.flatMap(({ variable, type, defaultValue }) =>
    type.kind === Kind.NON_NULL_TYPE && defaultValue
      ? [[variable.name.value, valueFromASTUntyped(defaultValue)] as const]
      : [],
  );
  return defaults.length === 0 ? undefined : Object.fromEntries(defaults);
}

function ownValues(schema: GraphQLSchema): Record<string, typeof asItIs> {
  const enums = Object.values(schema.getTypeMap()).filter(isEnumType);
  const own = ['Decimal', 'Money', ...enums.map(({ name }) => name)].map(name => [name, asItIs]);
  return { ...Object.fromEntries(own), ID: keyOf };
}

/** An operation that is not compiled, for documents that are seen once. */
export function interpretedOperation(schema: GraphQLSchema, document: DocumentNode, operationName?: string): Operation {
  return {
    check: checker(schema, document, operationName),
    run: (contextValue, variableValues, rootValue) =>
      execute({ schema, document, operationName, contextValue, variableValues, rootValue }),
  };
}

function checker(schema: GraphQLSchema, document: DocumentNode, operationName: string | undefined) {
  const operation = getOperationAST(document, operationName);
  if (!operation) throw new Fault('graphql_invalid', { detail: whichIsMissing(operationName) });
  return variableCheck(schema, document, operation);
}

function whichIsMissing(operationName: string | undefined): string {
  if (operationName !== undefined) return 'The document has no operation with the name in `operationName`.';
  return 'The document has several operations. Name the one to run in `operationName`.';
}
