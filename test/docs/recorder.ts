import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** The origin that the guides are written for, in place of which the commands ask this one. */
export interface Recorder {
  readonly url: string;
  /** The outcomes of the requests since the last call: `ok`, or the code or status of the failure. */
  outcomes(): Outcome[];
  close(): void;
}

export interface Outcome {
  readonly status: number;
  /** The code of a problem, of the first error of a GraphQL response, or of a warning. */
  readonly code?: string;
  readonly detail?: string;
}

/** Passes requests on to a service and keeps their outcomes, since a command shows no status by itself. */
export async function startRecorder(target: string): Promise<Recorder> {
  let recorded: Outcome[] = [];
  const server: Server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const body = await buffer(request);
    const { host: _, connection: __, 'content-length': ___, expect: ____, ...sent } = headers;
    const answer = await fetch(target + url, {
      method,
      headers: { ...(sent as Record<string, string>), 'accept-encoding': 'identity' },
      ...(body.length > 0 && { body }),
    });
    const text = await answer.text();
    recorded.push(outcomeOf(answer.status, text));
    const { 'transfer-encoding': _____, connection: ______, ...rest } = Object.fromEntries(answer.headers);
    response.writeHead(answer.status, rest).end(text);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    outcomes() {
      const since = recorded;
      recorded = [];
      return since;
    },
    close: () => void server.close(),
  };
}

interface Failure {
  /** The code of a quote that no carrier applies to. */
  readonly warning?: boolean;
  readonly code?: string;
  readonly detail?: string;
  readonly message?: string;
  readonly data?: Readonly<Record<string, { readonly userErrors?: readonly UserError[] } | null>> | null;
  readonly errors?: readonly { readonly message: string; readonly extensions?: { readonly code?: string } }[];
}

interface UserError {
  readonly code: string;
  readonly message: string;
}

export function outcomeOf(status: number, text: string): Outcome {
  const body = parsed(text);
  const error = Array.isArray(body.errors) ? body.errors[0] : undefined;
  // Errors of a field of a problem have no extensions.
  if (error?.extensions) return { status, code: error.extensions.code ?? '', detail: error.message };
  const [userError] = Object.values(body.data ?? {}).flatMap(field => field?.userErrors ?? []);
  if (userError) return { status, code: userError.code, detail: userError.message };
  return status < 400 && !body.warning
    ? { status }
    : { status, code: body.code ?? '', detail: body.detail ?? body.message ?? text };
}

function parsed(text: string): Failure {
  try {
    return (JSON.parse(text) ?? {}) as Failure;
  } catch {
    return {};
  }
}
