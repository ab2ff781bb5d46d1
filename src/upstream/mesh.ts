import OpenAPIHandler from '@graphql-mesh/openapi';
import { InMemoryStoreStorageAdapter, MeshStore } from '@graphql-mesh/store';
import { type GraphQLOutputType, type GraphQLSchema, getNamedType, isObjectType, isUnionType, parse } from 'graphql';
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit';

/** A call brings the address of the carrier, and the `fetch` that asks it. */
export interface MeshContext {
  readonly baseUrl: string;
  fetch(url: string, init: RequestInit): Promise<MeshResponse>;
}

export type MeshResponse = Pick<Response, 'status' | 'statusText' | 'headers' | 'text'>;

interface MeshAnswer {
  readonly data: object | null;
  /** The number of deviations from the document. Their messages stay here, because Mesh's errors have URL and body. */
  readonly errors: number;
}

const FOLDER = new URL('../../schema/carriers/', import.meta.url).pathname;

const silent = {
  name: 'mesh',
  log: () => undefined,
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => silent,
};

/** The schemas of this process, by document. */
const loaded = new Map<string, Promise<CarrierSchema>>();

/** A carrier's interface as a schema, made from its OpenAPI document. Only this file imports Mesh. */
export class CarrierSchema {
  readonly schema: GraphQLSchema;
  readonly #compiled = new Map<string, CompiledQuery>();

  private constructor(schema: GraphQLSchema) {
    this.schema = schema;
  }

  /** Made once in a process: it belongs to nobody, and takes a tenth of a second. */
  static load(document: string): Promise<CarrierSchema> {
    const known = loaded.get(document);
    if (known) return known;
    const loading = CarrierSchema.#make(document);
    loaded.set(document, loading);
    loading.catch(() => loaded.delete(document));
    return loading;
  }

  static async #make(document: string): Promise<CarrierSchema> {
    const handler = new OpenAPIHandler({
      name: document,
      baseDir: FOLDER,
      config: { source: `${FOLDER}${document}.yaml`, endpoint: '{context.baseUrl}', operationHeaders: {} },
      store: new MeshStore(document, new InMemoryStoreStorageAdapter(), { validate: false, readonly: false }),
      logger: silent,
      importFn: (module: string) => import(module),
    } as unknown as ConstructorParameters<typeof OpenAPIHandler>[0]);
    const fetchFn = (url: string, init: RequestInit, context: MeshContext) => context.fetch(url, init);
    const { schema } = await handler.getMeshSource({ fetchFn } as unknown as Parameters<
      typeof handler.getMeshSource
    >[0]);
    return new CarrierSchema(schema);
  }

  /** Runs an operation of the document. Never rejects because of the carrier. */
  async run(
    operationId: string,
    variables: Readonly<Record<string, unknown>>,
    context: MeshContext,
  ): Promise<MeshAnswer> {
    const { data, errors } = await this.#operation(operationId).query(undefined, context, variables);
    return { data: data ?? null, errors: errors?.length ?? 0 };
  }

  /** The GraphQL operation that takes all parameters and reads all that the document describes of the response. */
  text(operationId: string, name: string): string {
    const types = { query: this.schema.getQueryType(), mutation: this.schema.getMutationType() };
    for (const [kind, type] of Object.entries(types)) {
      const field = type?.getFields()[operationId];
      if (!field) continue;
      const declared = field.args.map(arg => `$${arg.name}: ${arg.type}`).join(', ');
      const passed = field.args.map(arg => `${arg.name}: $${arg.name}`).join(', ');
      return `${kind} ${name}(${declared}) { ${operationId}(${passed}) ${selectionOf(field.type)} }`;
    }
    throw new Error(`The document has no operation ${operationId}`);
  }

  /** Compiled once, because graphql-js would interpret it with every call. */
  #operation(operationId: string): CompiledQuery {
    let operation = this.#compiled.get(operationId);
    if (operation === undefined) {
      const compiled = compileQuery(this.schema, parse(this.text(operationId, 'Asking')));
      if (!isCompiledQuery(compiled)) throw new Error(`The document has a fault: ${JSON.stringify(compiled.errors)}`);
      operation = compiled;
      this.#compiled.set(operationId, operation);
    }
    return operation;
  }
}

/** Every field of a type. A union has a type for each status of a response, which `__typename` tells apart. */
function selectionOf(output: GraphQLOutputType): string {
  const type = getNamedType(output);
  if (isUnionType(type)) {
    return `{ __typename ${type
      .getTypes()
      .map(one => `... on ${one.name} ${selectionOf(one)}`)
      .join(' ')} }`;
  }
  if (!isObjectType(type)) return '';
  const fields = Object.values(type.getFields());
  return `{ ${fields.map(field => `${field.name} ${selectionOf(field.type)}`).join(' ')} }`;
}
