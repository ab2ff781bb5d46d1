import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { connect, type Socket } from 'node:net';

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

/** A connection on which bytes are sent as they are. */
export function open(url: string): Socket {
  const { hostname, port } = new URL(url);
  return connect(Number(port), hostname);
}

/** All responses that come on a connection until it ends. */
export async function responses(socket: Socket): Promise<RawAnswer[]> {
  const parts: Buffer[] = [];
  for await (const part of socket) parts.push(part as Buffer);
  let rest = Buffer.concat(parts).toString('latin1');
  const answers: RawAnswer[] = [];
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n');
    const [statusLine = '', ...lines] = rest.slice(0, end).split('\r\n');
    const headers = Object.fromEntries(
      lines.map(line => line.split(': ', 2).map((word, i) => (i ? word : word.toLowerCase()))),
    );
    const length = Number(headers['content-length'] ?? 0);
    const text = rest.slice(end + 4, end + 4 + length);
    rest = rest.slice(end + 4 + length);
    const isJson = /json/.test(headers['content-type'] ?? '');
    answers.push({
      status: Number(statusLine.split(' ')[1]),
      headers,
      text,
      body: isJson ? JSON.parse(text) : undefined,
    });
  }
  return answers;
}

/**
 * A rejection byte for byte, except data of the single request: its id and its path (and so its length and its time),
 * and the remaining rate.
 */
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
