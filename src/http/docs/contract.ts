import { readFileSync } from 'node:fs';

/** `schema/openapi.json` as it is checked in: what is served, and what the guides take their examples from. */
export const CONTRACT_TEXT = readFileSync(new URL('../../../schema/openapi.json', import.meta.url), 'utf8');

interface Examples {
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

interface Contract {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: EventOperation }>>;
  readonly components: Required<Examples>;
}

interface Operation {
  readonly operationId: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, Examples>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Examples>> }>>;
}

interface EventOperation {
  readonly summary: string;
  readonly parameters: readonly { readonly name: string; readonly example?: string }[];
  readonly requestBody: { readonly content: Readonly<Record<string, { readonly example?: unknown }>> };
}

const contract = JSON.parse(CONTRACT_TEXT) as Contract;
const operations = new Map(
  Object.values(contract.paths)
    .flatMap(path => Object.values(path))
    .map(operation => [operation.operationId, operation]),
);
const JSON_TYPE = 'application/json';

export function requestExample(operationId: string, name: string): unknown {
  return operations.get(operationId)?.requestBody?.content[JSON_TYPE]?.examples?.[name]?.value;
}

export function answerExample(operationId: string, name: string): unknown {
  const answers = Object.values(operations.get(operationId)?.responses ?? {});
  return answers.map(({ content }) => content?.[JSON_TYPE]?.examples?.[name]?.value).find(value => value !== undefined);
}

export function problemExample(code: string): unknown {
  return contract.components.examples[code]?.value;
}

/** Each event, when it is fired, and what was posted of it. */
export const EVENTS = Object.entries(contract.webhooks).map(([type, { post }]) => ({
  type,
  summary: post.summary,
  headers: post.parameters.map(({ name, example }) => [name, example] as const),
  body: post.requestBody.content[JSON_TYPE]?.example,
}));
