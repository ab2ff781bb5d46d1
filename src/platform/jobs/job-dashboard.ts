import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import type { DashboardHandler } from '@pg-boss/dashboard/handler';
import { addressForLibraries } from '../database/connections/connection-settings.ts';
import { isPassword } from '../secrets/basic-password.ts';

export interface DashboardOptions {
  readonly databaseUrl: string;
  /** Where it is mounted; without a slash at its end. Undefined for a server of its own. */
  readonly basePath?: string;
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

/** Scripts in line: they have no address. */
const INLINE_SCRIPT = /<script\b(?![^>]*\bsrc=)[^>]*>(.*?)<\/script>/gis;

/**
 * The headers of every response. Nothing is loaded from elsewhere, and no script runs in line but those that the page came
 * with, by their hashes. Styles stay in line, because the components set them on elements.
 */
function securityHeaders(html = ''): Readonly<Record<string, string>> {
  const hashes = Array.from(html.matchAll(INLINE_SCRIPT), ([, code = '']) => ` 'sha256-${sha256(code)}'`);
  const policy = [
    "default-src 'self'",
    `script-src 'self'${hashes.join('')}`,
    "style-src 'self' 'unsafe-inline' data:",
    "img-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ];
  return {
    'content-security-policy': policy.join('; '),
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  };
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('base64');

/**
 * pg-boss' own dashboard, for those who know the password. It is loaded, and opens connections of its own, with the first
 * request that does. It shows and changes nothing: its actions need a pg-boss of the same schema as the service's, which the
 * package brings along in another version, and a page that changes nothing is no target for forms of other pages.
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
    const type = answer.headers.get('content-type') ?? '';
    const text = REWRITTEN_TYPES.test(type) ? (await answer.text()).replace(OUTSIDE_FONTS, NO_STYLE) : undefined;
    if (text !== undefined) response.removeHeader('content-length');
    const html = type.startsWith('text/html') ? text : undefined;
    for (const [name, value] of Object.entries(securityHeaders(html))) response.setHeader(name, value);
    response.writeHead(answer.status);
    if (answer.body === null || text !== undefined || request.method === 'HEAD') response.end(text);
    // A browser that goes away in the middle is nobody's to mend.
    else await pipeline(Readable.fromWeb(answer.body as ReadableStream), response).catch(() => undefined);
  }

  async close(): Promise<void> {
    const handler = await this.#handler?.catch(() => undefined);
    await handler?.close();
  }

  async #open(): Promise<DashboardHandler> {
    const { createDashboardHandler } = await import('@pg-boss/dashboard/handler');
    const { databaseUrl, basePath } = this.#options;
    // The package takes this from the environment alone.
    process.env.PGBOSS_DASHBOARD_READ_ONLY = '1';
    return createDashboardHandler({
      databases: [{ url: addressForLibraries(databaseUrl), name: 'Shipping Integrations API' }],
      basePath,
    });
  }
}

function fetchRequest(url: string, request: IncomingMessage): Request {
  const { method = 'GET' } = request;
  const headers = Object.entries(request.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  return new Request(url, { method, headers });
}
