import type { OperationName } from './operations.ts';

/** A recorded call and its response. */
export interface Example {
  readonly summary: string;
  readonly parameters?: Readonly<Record<string, string | number>>;
  readonly request?: unknown;
  /** Left out if there was no body. */
  readonly response?: unknown;
  readonly etag?: string;
}

/** An event that was posted to a webhook endpoint. */
export interface EventExample {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** The recordings of `npm run schema:examples` from the demo company, in `schema/examples/`. */
export interface Examples {
  readonly operations: Readonly<Partial<Record<OperationName, Readonly<Record<string, Example>>>>>;
  /** By fault code, for any operation. */
  readonly problems: Readonly<Record<string, unknown>>;
  /** By operation and fault code, if a problem depends on the operation. */
  readonly rejections: Readonly<Partial<Record<OperationName, Readonly<Record<string, unknown>>>>>;
  readonly events: Readonly<Record<string, EventExample>>;
}

/** OpenAPI's `examples` of one part of the calls; nothing if none has it. */
export function examplesOf(
  calls: Readonly<Record<string, Example>> | undefined,
  part: (example: Example) => unknown,
): { examples?: Record<string, { summary: string; value: unknown }> } {
  const entries = Object.entries(calls ?? {})
    .filter(([, example]) => part(example) !== undefined)
    .map(([name, example]) => [name, { summary: example.summary, value: part(example) }] as const);
  return entries.length > 0 ? { examples: Object.fromEntries(entries) } : {};
}
