import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import type { DashboardHandler } from '@pg-boss/dashboard/handler';
import { addressForLibraries } from '../database/connection-settings.ts';
import { isPassword } from '../secrets/basic-password.ts';

export interface DashboardOptions {
  readonly databaseUrl: string;
  /** Where it is mounted; without a slash at its end. Undefined for a server of its own. */
  readonly basePath?: string;
  /** Where browsers reach it, which its forms must come from, if a proxy stands before it. */
  readonly publicUrl?: string | undefined;
  readonly user: string;
  readonly password: string;
}

/**
 * Its pages and scripts load fonts of Google, which would tell Google who looks at the queues, and when. They are served
 * with an empty style in place of the fonts. Pages and scripts are rewritten alike, or the script would put back what the
 * page lacks.
 */
const OUTSIDE_FONTS = /https:\/\/fonts\.(?:googleapis|gstatic)\.com[^"'`\s]*/g;
const NO_STYLE = 'data:text/css,';
const REWRITTEN_TYPES = /^(?:text\/html|(?:text|application)\/javascript)\b/;

/**
 * Nothing is loaded from elsewhere. The pages have scripts and styles of their own in line. Their buttons act with the
 * password that a browser sends by itself, so that no other page may show them in a frame.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline' data:",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * pg-boss' own dashboard, for those who know the password. It is loaded, and opens connections of its own, with the first
 * request that does.
 */
export class JobDashboard {
  readonly #options: DashboardOptions;
  #handler: Promise<DashboardHandler> | undefined;

  constructor(options: DashboardOptions) {
    this.#options = options;
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { user, password } = this.#options;
    if (!isPassword(request.headers.authorization, user, password)) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="Operations", charset="UTF-8"' }).end();
      return;
    }
    const url = `http://${request.headers.host ?? ''}${request.url ?? '/'}`;
    if (!URL.canParse(url)) {
      response.writeHead(400).end();
      return;
    }
    this.#handler ??= this.#open();
    const handle = await this.#handler;
    const answer = await handle(fetchRequest(url, request));
    for (const [name, value] of answer.headers) response.appendHeader(name, value);
    response.setHeader('content-security-policy', CONTENT_SECURITY_POLICY);
    const isRewritten = REWRITTEN_TYPES.test(answer.headers.get('content-type') ?? '');
    if (isRewritten) response.removeHeader('content-length');
    response.writeHead(answer.status);
    if (answer.body === null || request.method === 'HEAD') response.end();
    else if (isRewritten) response.end((await answer.text()).replace(OUTSIDE_FONTS, NO_STYLE));
    // A browser that goes away in the middle is nobody's to mend.
    else await pipeline(Readable.fromWeb(answer.body as ReadableStream), response).catch(() => undefined);
  }

  async close(): Promise<void> {
    const handler = await this.#handler?.catch(() => undefined);
    await handler?.close();
  }

  async #open(): Promise<DashboardHandler> {
    const { createDashboardHandler } = await import('@pg-boss/dashboard/handler');
    const { databaseUrl, basePath, publicUrl } = this.#options;
    return createDashboardHandler({
      databases: [{ url: addressForLibraries(databaseUrl), name: 'Shipping Integrations API' }],
      basePath,
      allowedActionOrigins: publicUrl === undefined ? undefined : [new URL(publicUrl).host],
    });
  }
}

function fetchRequest(url: string, request: IncomingMessage): Request {
  const { method = 'GET' } = request;
  const headers = Object.entries(request.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const body = hasBody ? (Readable.toWeb(request) as ReadableStream) : null;
  return new Request(url, { method, headers, body: body as BodyInit | null, duplex: 'half' } as RequestInit);
}
