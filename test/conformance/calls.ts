/** HTTP as an integrator sends it: JSON in, JSON out, and nothing between. */

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: statements look into whatever arrives
  readonly body: any;
  /** The body as it arrived. */
  readonly text: string;
}

export interface Sent {
  /** An object is sent as JSON, a string as it is. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a request to a path below `/api/v1/integrations`. */
export type Call = (method: string, path: string, sent?: Sent) => Promise<Reply>;

export const BASE_PATH = '/api/v1/integrations';

export async function send(url: string, method: string, { body, headers = {} }: Sent = {}): Promise<Reply> {
  const isText = typeof body === 'string';
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    headers: body === undefined ? headers : { 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = /json/.test(response.headers.get('content-type') ?? '');
  return { status: response.status, headers: response.headers, text, body: isJson && text ? JSON.parse(text) : {} };
}

/** Calls with the key in `x-api-key`, or with no key at all. */
export const callsWith =
  (url: string, key: string | undefined): Call =>
  (method, path, sent = {}) =>
    send(`${url}${BASE_PATH}${path}`, method, {
      ...sent,
      headers: { ...(key && { 'x-api-key': key }), ...sent.headers },
    });
