import OpenAPIHandler from '@graphql-mesh/openapi';
import { InMemoryStoreStorageAdapter, MeshStore } from '@graphql-mesh/store';
import { type GraphQLSchema, parse } from 'graphql';
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit';

/** The context that a call passes to Mesh's `fetch`. */
export interface MeshContext {
  readonly baseUrl: string;
}

export type MeshResponse = Pick<Response, 'status' | 'statusText' | 'headers' | 'text'>;

export type MeshFetch<Context> = (url: string, init: RequestInit, context: Context) => Promise<MeshResponse>;

export interface MeshAnswer {
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

/** A carrier's interface as a schema, made from its OpenAPI document. Only this file imports Mesh. */
export class CarrierSchema<Context extends MeshContext> {
  readonly schema: GraphQLSchema;
  readonly #compiled = new Map<string, CompiledQuery>();

  private constructor(schema: GraphQLSchema) {
    this.schema = schema;
  }

  static async load<Context extends MeshContext>(
    document: string,
    fetch: MeshFetch<Context>,
  ): Promise<CarrierSchema<Context>> {
    const handler = new OpenAPIHandler({
      name: document,
      baseDir: FOLDER,
      config: { source: `${FOLDER}${document}.yaml`, endpoint: '{context.baseUrl}', operationHeaders: {} },
      store: new MeshStore(document, new InMemoryStoreStorageAdapter(), { validate: false, readonly: false }),
      logger: silent,
      importFn: (module: string) => import(module),
    } as unknown as ConstructorParameters<typeof OpenAPIHandler>[0]);
    const fetchFn = (url: string, init: RequestInit, context: Context) => fetch(url, init, context);
    const { schema } = await handler.getMeshSource({ fetchFn } as unknown as Parameters<
      typeof handler.getMeshSource
    >[0]);
    return new CarrierSchema(schema);
  }

  /** Runs an operation. Never rejects. */
  async run(operation: string, variables: Readonly<Record<string, unknown>>, context: Context): Promise<MeshAnswer> {
    const { data, errors } = await this.#operation(operation).query(undefined, context, variables);
    return { data: data ?? null, errors: errors?.length ?? 0 };
  }

  /** Compiled once, because graphql-js would interpret it with every call. */
  #operation(text: string): CompiledQuery {
    let operation = this.#compiled.get(text);
    if (operation === undefined) {
      const compiled = compileQuery(this.schema, parse(text));
      if (!isCompiledQuery(compiled))
        throw new Error(`The document lacks the requested part: ${JSON.stringify(compiled.errors)}`);
      operation = compiled;
      this.#compiled.set(text, operation);
    }
    return operation;
  }
}
