import type { OperationName } from './operations.ts';

/** A call that was recorded, and its answer. */
export interface Example {
  readonly summary: string;
  /** Path parameters. */
  readonly parameters?: Readonly<Record<string, string | number>>;
  readonly request?: unknown;
  /** Left out where there was no body. */
  readonly response?: unknown;
  /** Of what was read. */
  readonly etag?: string;
}

/** An event as it was posted to a webhook endpoint. */
export interface EventExample {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** What `npm run schema:examples` recorded of the demo company, in `schema/examples/`. */
export interface Examples {
  readonly operations: Readonly<Partial<Record<OperationName, Readonly<Record<string, Example>>>>>;
  /** By fault code: of any operation. */
  readonly problems: Readonly<Record<string, unknown>>;
  /** By operation and fault code, where a problem says something that depends on the operation. */
  readonly rejections: Readonly<Partial<Record<OperationName, Readonly<Record<string, unknown>>>>>;
  /** By type of event. */
  readonly events: Readonly<Record<string, EventExample>>;
}

/** OpenAPI's `examples` of one part of the calls; nothing where none has it. */
export function examplesOf(
  calls: Readonly<Record<string, Example>> | undefined,
  part: (example: Example) => unknown,
): { examples?: Record<string, { summary: string; value: unknown }> } {
  const entries = Object.entries(calls ?? {})
    .filter(([, example]) => part(example) !== undefined)
    .map(([name, example]) => [name, { summary: example.summary, value: part(example) }] as const);
  return entries.length > 0 ? { examples: Object.fromEntries(entries) } : {};
}
