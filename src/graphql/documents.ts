import {
  type ASTVisitor,
  type DocumentNode,
  FieldsOnCorrectTypeRule,
  GraphQLError,
  type GraphQLSchema,
  getNullableType,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  parse,
  type SelectionSetNode,
  specifiedRules,
  type ValidationContext,
  VariablesInAllowedPositionRule,
  validate,
} from 'graphql';
import { SharedCache } from '../platform/caches/shared-cache.ts';
import { ownTurn } from '../platform/limits/turns.ts';
import { knownFields } from './did-you-mean.ts';
import type { Limit, Limits } from './limits.ts';
import { compileOperation, interpretedOperation, type Operation } from './operation.ts';
import { fragmentsOf, NOTHING, type Outline, outlineOf } from './outline.ts';

/** The limit for one document, because validation takes quadratic time. Long data belong into variables. */
const MAX_TOKENS = 3_000;

/** How often an operation is seen before it is compiled. */
const COMPILE_AFTER = 3;

/** An operation with more fields, counted with its fragments, stays interpreted: compiling this many takes 10 ms. */
const MAX_COMPILED_FIELDS = 200;

/** The memory of all documents together, and the share of the documents of one company. */
const MAX_BYTES = 64_000_000;
const COMPANY_SHARE = 1 / 4;

/** The measured memory of documents: their trees, by the character, and their compiled code, by the field. */
const BYTES_OF_DOCUMENT = 2_000;
const BYTES_PER_CHARACTER = 150;
const BYTES_PER_COMPILED_FIELD = 2_500;
/** An upper bound: a string takes two bytes a character if one of them needs it. */
const BYTES_PER_ANSWERED_CHARACTER = 2;

/** A consumer's operation. It may run only if its variables and its limit allow it. */
export interface LimitedOperation extends Operation {
  readonly limit: Limit;
  /** The response of introspection without variables, which never changes. */
  readonly constant?: ConstantAnswer | undefined;
}

/** The text of a response that never changes, once it was made. */
export interface ConstantAnswer {
  readonly text: string | undefined;
  keep(text: string): void;
}

interface KnownOperation {
  readonly node: OperationDefinitionNode;
  readonly outline: Outline;
  seen: number;
  interpreted?: LimitedOperation;
  compiled?: LimitedOperation;
}

interface Unreadable {
  readonly error: GraphQLError;
}

interface KnownDocument {
  readonly text: string;
  readonly document: DocumentNode;
  readonly operations: Map<OperationDefinitionNode, KnownOperation>;
  errors?: readonly GraphQLError[];
  compiledFields: number;
  /** Characters of the responses that are kept with it. */
  answers: number;
}

/**
 * Consumers' documents: each is parsed, validated and weighed once while it is cached, and its operations are compiled
 * when they are sent again. The cache is bounded by memory, in all and for each company.
 */
export class Documents {
  readonly #schema: GraphQLSchema;
  readonly #limits: Limits;
  readonly #known = new SharedCache<KnownDocument | Unreadable>({ maxWeight: MAX_BYTES, ownerShare: COMPANY_SHARE });

  constructor(schema: GraphQLSchema, limits: Limits) {
    this.#schema = schema;
    this.#limits = limits;
  }

  get counts() {
    return this.#known.counts;
  }

  /** @throws GraphQLError if the text does not parse */
  parse(text: string, owner: string): DocumentNode {
    return this.#document(text, owner).document;
  }

  /** Errors of a document that was parsed here. */
  validate(document: DocumentNode): readonly GraphQLError[] {
    const known = byTree.get(document);
    if (known === undefined) return validate(this.#schema, document, DOCUMENT_RULES);
    known.errors ??= whileShallow(() => validate(this.#schema, document, DOCUMENT_RULES));
    return known.errors;
  }

  /** The root fields of an operation; none if the text does not parse or has no such operation. */
  outline(text: string, operationName: string | undefined, owner: string): Outline {
    try {
      return this.#operation(this.#document(text, owner), operationName)?.outline ?? NOTHING;
    } catch {
      // The graph reports the error.
      return NOTHING;
    }
  }

  /** Whether a text is cached, so that reading it is almost free. */
  isKnown(text: string): boolean {
    return this.#known.has(text);
  }

  /**
   * An operation of a valid document.
   *
   * @throws Fault `graphql_invalid` if the document has several operations and none of them is named
   */
  operation(document: DocumentNode, operationName: string | undefined, owner: string): LimitedOperation {
    const known = byTree.get(document);
    const operation = known && this.#operation(known, operationName);
    if (operation?.compiled) return operation.compiled;
    const limit = operation?.interpreted?.limit ?? this.#limits.of(document, operationName);
    const interpreted = operation?.interpreted ?? {
      ...interpretedOperation(this.#schema, document, operationName),
      limit,
      constant: known && operation && this.#constant(known, operation, owner),
    };
    if (known === undefined || operation === undefined) return interpreted;
    operation.interpreted = interpreted;
    operation.seen++;
    if (operation.outline.isSubscription) {
      // A subscription is executed again for each event, so it is compiled at once.
      if (operation.seen === 1) this.#compile(known, operation, operationName, owner);
      return operation.compiled ?? interpreted;
    }
    if (operation.seen === COMPILE_AFTER) {
      const compile = () => this.#compile(known, operation, operationName, owner);
      // Runs in its own turn of the event loop, because parsing and validating may just have taken some milliseconds.
      // Nobody awaits it, so an error would end the process; the operation then stays interpreted.
      ownTurn(owner)
        .then(compile)
        .catch(() => undefined);
    }
    return interpreted;
  }

  #document(text: string, owner: string): KnownDocument {
    const before = this.#known.get(text);
    if (before && 'error' in before) throw before.error;
    if (before) return before;
    const document = this.#parse(text, owner);
    const known: KnownDocument = { text, document, operations: new Map(), compiledFields: 0, answers: 0 };
    byTree.set(document, known);
    this.#keep(known, owner);
    return known;
  }

  /** @throws GraphQLError */
  #parse(text: string, owner: string): DocumentNode {
    try {
      return whileShallow(() => parse(text, { maxTokens: MAX_TOKENS }));
    } catch (error) {
      const weight = BYTES_OF_DOCUMENT + text.length * BYTES_PER_CHARACTER;
      if (error instanceof GraphQLError) this.#known.set(text, { error }, { owner, weight });
      throw error;
    }
  }

  #operation(known: KnownDocument, operationName: string | undefined): KnownOperation | undefined {
    const node = getOperationAST(known.document, operationName);
    if (!node) return undefined;
    let operation = known.operations.get(node);
    if (operation === undefined) {
      operation = { node, outline: outlineOf(this.#schema, node, known.document.definitions), seen: 0 };
      known.operations.set(node, operation);
    }
    return operation;
  }

  #compile(known: KnownDocument, operation: KnownOperation, operationName: string | undefined, owner: string): void {
    const fields = writtenFields(operation.node, known.document);
    if (operation.interpreted === undefined || fields > MAX_COMPILED_FIELDS) return;
    const { limit, constant } = operation.interpreted;
    operation.compiled = { ...compileOperation(this.#schema, known.document, operationName), limit, constant };
    known.compiledFields += fields;
    this.#keep(known, owner);
  }

  /** graphql-js makes the response of introspection in one step, which blocks the event loop for too long. */
  #constant(known: KnownDocument, { node, outline }: KnownOperation, owner: string): ConstantAnswer | undefined {
    const isIntrospection = outline.names.every(name => name.startsWith('__'));
    if (!isIntrospection || node.variableDefinitions?.length) return undefined;
    let kept: string | undefined;
    return {
      get text() {
        return kept;
      },
      keep: text => {
        if (kept !== undefined) return;
        kept = text;
        known.answers += text.length;
        this.#keep(known, owner);
      },
    };
  }

  #keep(known: KnownDocument, owner: string): void {
    const { text, compiledFields, answers } = known;
    const characters = text.length * BYTES_PER_CHARACTER + answers * BYTES_PER_ANSWERED_CHARACTER;
    const bytes = BYTES_OF_DOCUMENT + characters + compiledFields * BYTES_PER_COMPILED_FIELD;
    this.#known.set(text, known, { owner, weight: bytes });
  }
}

/** Documents by their parsed tree, which Yoga passes from one step to the next. */
const byTree = new WeakMap<DocumentNode, KnownDocument>();

/** Fields as graphql-jit writes them: every fragment where it is spread, so that few can become very much code. */
function writtenFields(operation: OperationDefinitionNode, { definitions }: DocumentNode): number {
  const fragments = fragmentsOf(definitions);
  let fields = 0;
  const count = (set: SelectionSetNode | undefined): void => {
    for (const selection of set?.selections ?? []) {
      if (++fields > MAX_COMPILED_FIELDS) return;
      count(
        selection.kind === Kind.FRAGMENT_SPREAD
          ? fragments.get(selection.name.value)?.selectionSet
          : selection.selectionSet,
      );
    }
  };
  count(operation.selectionSet);
  return fields;
}

/** Reports a document that is nested so deeply that reading it overflows the stack. */
function whileShallow<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw error instanceof RangeError ? new GraphQLError('The document is nested too deeply.') : error;
  }
}

/** The rules by which documents are validated: the rules of graphql-js, two of them with a correction. */
const DOCUMENT_RULES = specifiedRules.map(rule => {
  if (rule === FieldsOnCorrectTypeRule) return knownFields;
  return rule === VariablesInAllowedPositionRule ? variablesInPlace : rule;
});

/** graphql-js misses a nullable variable in a `@oneOf` input that is itself required. */
function variablesInPlace(context: ValidationContext): ASTVisitor {
  const getRecursiveVariableUsages = (operation: OperationDefinitionNode) =>
    context.getRecursiveVariableUsages(operation).map(usage => ({
      ...usage,
      parentType: getNullableType(usage.parentType),
    }));
  return VariablesInAllowedPositionRule(
    Object.create(context, { getRecursiveVariableUsages: { value: getRecursiveVariableUsages } }),
  );
}
