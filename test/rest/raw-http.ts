import { Agent, type IncomingHttpHeaders, request } from 'node:http';

export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
  readonly body: any;
}

export interface RawRequest {
  readonly method?: string;
  /** Sent to the letter, where `fetch` would tidy it. */
  readonly path: string;
  readonly headers?: Record<string, string | string[]>;
  /** Parts of the body; without a `content-length` among the headers they go chunked. */
  readonly chunks?: readonly (string | Uint8Array)[];
  readonly agent?: Agent;
}

/** One HTTP request exactly as it stands; the answer counts even where the server hangs up on the rest of the body. */
export function send(url: string, { method = 'GET', path, headers = {}, chunks = [], agent }: RawRequest) {
  const { hostname, port } = new URL(url);
  const { promise, resolve, reject } = Promise.withResolvers<RawAnswer>();
  const outgoing = request({
    hostname,
    port,
    method,
    path,
    headers,
    agent: agent ?? new Agent({ keepAlive: false }),
  });
  outgoing.on('error', reject);
  outgoing.on('response', async response => {
    try {
      const parts: Buffer[] = [];
      for await (const part of response) parts.push(part as Buffer);
      const text = Buffer.concat(parts).toString();
      const isJson = /json/.test(response.headers['content-type'] ?? '');
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        text,
        body: text && isJson ? JSON.parse(text) : undefined,
      });
    } catch (error) {
      reject(error);
    }
  });
  for (const chunk of chunks) outgoing.write(chunk);
  outgoing.end();
  return promise;
}

/** A refusal byte for byte, but for what names the one request: its id and its path (and so its length and its time), and what is left of a rate. */
export function unnamed(answer: {
  readonly status: number;
  readonly headers: Headers | IncomingHttpHeaders;
  readonly text: string;
}) {
  const { requestId, instance } = JSON.parse(answer.text) as { requestId: string; instance: string };
  const headers = answer.headers instanceof Headers ? Object.fromEntries(answer.headers) : answer.headers;
  const { date: _, 'x-request-id': __, 'content-length': ___, ratelimit: ____, ...kept } = headers;
  return {
    status: answer.status,
    headers: kept,
    text: answer.text
      .replace(`"requestId":${JSON.stringify(requestId)}`, '"requestId":…')
      .replace(`"instance":${JSON.stringify(instance)}`, '"instance":…'),
  };
}
