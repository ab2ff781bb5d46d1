import { readFileSync } from 'node:fs';
import { projectFile } from './navigation.ts';

interface Contract {
  readonly servers: readonly object[];
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, ContractOperation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: ContractOperation }>>;
  readonly components: { readonly examples: Examples };
}

interface ContractOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly requestBody?: Exampled;
  readonly responses?: Readonly<Record<number, Exampled>>;
}

interface Exampled {
  readonly content: { readonly 'application/json': { readonly examples: Examples } };
}
type Examples = Readonly<Record<string, { readonly value: unknown }>>;

export const QUOTE_PATH = '/api/v1/integrations/shipments/quote';

/** An operation in the navigation and the search. */
export interface ReferenceEntry {
  readonly tag: string;
  /** `GET`, or `EVENT` for a webhook event. */
  readonly method: string;
  /** Path, or name of the event. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly address: string;
}

/** `schema/openapi.json` as it is checked in. */
const contract = JSON.parse(readFileSync(projectFile('schema/openapi.json'), 'utf8')) as Contract;

/** The contract with the address of this service as its server. */
export function servedContract(publicUrl: string): string {
  const servers = contract.servers.map(server => ({ ...server, url: publicUrl }));
  return `${JSON.stringify({ ...contract, servers }, null, 2)}\n`;
}

/** The recorded request and response of the quote with parcels. */
export function quoteExample(): { readonly request: unknown; readonly response: unknown } {
  const { requestBody, responses } = contract.paths[QUOTE_PATH]?.post ?? {};
  return {
    request: requestBody?.content['application/json'].examples.parcels?.value,
    response: responses?.[200]?.content['application/json'].examples.parcels?.value,
  };
}

export function problemExample(code: string): unknown {
  return contract.components.examples[code]?.value;
}

/** Every operation and every webhook event, by tag in the order of the contract. */
export function referenceEntries(): ReferenceEntry[] {
  const operations = Object.entries(contract.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => entry(operation, method.toUpperCase(), path)),
  );
  const events = Object.entries(contract.webhooks).map(([name, { post }]) => entry(post, 'EVENT', name));
  const all = [...operations, ...events];
  return contract.tags.flatMap(({ name }) => all.filter(({ tag }) => tag === name));
}

function entry(operation: ContractOperation, method: string, path: string): ReferenceEntry {
  const { operationId, summary, description, tags } = operation;
  const tag = tags[0] ?? '';
  const slug = method === 'EVENT' ? `webhook/${path}` : operationId;
  const address = `/docs/reference#tag/${tag.toLowerCase()}/${slug}`;
  return { tag, method, path, operationId, summary, description, address };
}
