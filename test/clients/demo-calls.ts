import { BASE_PATH } from '../../src/http/rest/endpoints.ts';
import type { OperationName } from '../../src/http/rest/operations.ts';
import { CALLS } from '../examples/calls.ts';

/** Where the demo company is asked, and its key. */
interface Place {
  readonly url: string;
  readonly apiKey: string;
}

export interface Asked {
  readonly operation: OperationName;
  readonly status: number;
  /** Undefined where there is none. */
  readonly body: unknown;
  readonly headers: Headers;
}

/** Makes the calls that are recorded as examples, and returns the responses. */
export async function* asked({ url, apiKey }: Place): AsyncGenerator<Asked> {
  const known: Record<string, string | number> = { weakKey: apiKey };
  for (const { operation, step, keep } of CALLS) {
    const { method, path, parameters = {}, request, headers } = step(known);
    const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(parameters[name] ?? ''));
    const response = await fetch(url + BASE_PATH + filled, {
      method,
      headers: {
        'x-api-key': apiKey,
        ...(request !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: request === undefined ? undefined : JSON.stringify(request),
    });
    const text = await response.text();
    const body = text === '' ? undefined : JSON.parse(text);
    if (keep) known[keep] = body.id;
    yield { operation, status: response.status, body, headers: response.headers };
  }
}
