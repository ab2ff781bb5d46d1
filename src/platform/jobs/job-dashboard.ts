import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import type { DashboardHandler } from '@pg-boss/dashboard/handler';
import { currentAddress } from '../database/connections/connection-settings.ts';
import type { Database } from '../database/database.ts';
import { JOB_LINKS, jobOfPath, jobPage } from './job-page.ts';
import { jobById } from './pgboss-tables.ts';

interface DashboardOptions {
  readonly databaseUrl: string;
  /** The path that the dashboard is mounted at, without a slash at its end. Undefined for a server of its own. */
  readonly basePath?: string;
  /** Where the page of a job reads it. */
  readonly database: Database;
}

/**
 * Its pages and scripts load fonts from Google, which would let Google see who opens the dashboard. They get an empty
 * style in place of the fonts. Pages and scripts are rewritten alike, because the script would otherwise add the link
 * to the page again.
 */
const OUTSIDE_FONTS = /https:\/\/fonts\.(?:googleapis|gstatic)\.com[^"'`\s]*/g;
const NO_STYLE = 'data:text/css,';
const REWRITTEN_TYPES = /^(?:text\/html|(?:text|application)\/javascript)\b/;

/** Inline scripts have no address, so the policy names them by their hashes. */
function inlineScripts(html: string): string[] {
  const scripts: string[] = [];
  let end = 0;
  for (;;) {
    const tag = html.indexOf('<script', end);
    const begin = html.indexOf('>', tag) + 1;
    end = html.indexOf('</script>', begin);
    if (tag < 0 || begin === 0 || end < 0) return scripts;
    if (!/\bsrc=/.test(html.slice(tag, begin))) scripts.push(html.slice(begin, end));
  }
}

/**
 * The headers of every response. Nothing is loaded from another host, and only inline scripts of the page run, by their
 * hashes. Inline styles are allowed, because the components set them on elements.
 */
function securityHeaders(html = ''): Readonly<Record<string, string>> {
  const hashes = inlineScripts(html).map(code => ` 'sha256-${sha256(code)}'`);
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
 * pg-boss' own dashboard. Its callers pass on requests of operators only. It is loaded, and opens its own connections,
 * with the first request. It is read-only: its actions need a pg-boss with the schema of the service, but the package brings
 * another version; and forged requests cannot change anything on a read-only page.
 */
export class JobDashboard {
  readonly #options: DashboardOptions;
  #handler: Promise<DashboardHandler> | undefined;

  constructor(options: DashboardOptions) {
    this.#options = options;
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = `http://${request.headers.host ?? ''}${request.url ?? '/'}`;
    if (!URL.canParse(url)) {
      response.writeHead(400).end();
      return;
    }
    if (await this.#answerJob(new URL(url).pathname, request, response)) return;
    this.#handler ??= this.#open();
    const opened = this.#handler;
    const handle = await opened.catch(error => {
      this.#forget(opened);
      throw error;
    });
    const answer = await handle(fetchRequest(url, request));
    // Its connections may lead to a server that is no longer the primary.
    if (answer.status >= 500 && this.#forget(opened)) await handle.close();
    for (const [name, value] of answer.headers) response.appendHeader(name, value);
    const type = answer.headers.get('content-type') ?? '';
    const text = REWRITTEN_TYPES.test(type)
      ? (await answer.text()).replace(OUTSIDE_FONTS, NO_STYLE).replace(/<\/body>(?=\s*<\/html>)/, `${JOB_LINKS}$&`)
      : undefined;
    if (text !== undefined) response.removeHeader('content-length');
    const html = type.startsWith('text/html') ? text : undefined;
    for (const [name, value] of Object.entries(securityHeaders(html))) response.setHeader(name, value);
    response.writeHead(answer.status);
    if (answer.body === null || text !== undefined || request.method === 'HEAD') response.end(text);
    // A browser that disconnects in the middle is not an error of the service.
    else await pipeline(Readable.fromWeb(answer.body as ReadableStream), response).catch(() => undefined);
  }

  /** Answers with the page of a job; false for any other path. */
  async #answerJob(path: string, request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const { basePath = '', database } = this.#options;
    const named = path.startsWith(`${basePath}/`) ? jobOfPath(path.slice(basePath.length)) : undefined;
    if (named === undefined) return false;
    const job = await jobById(database, named.queue, named.id);
    const html = job
      ? jobPage({ basePath, job })
      : 'There is no such job. Jobs that are over are deleted after a while.';
    const type = job ? 'text/html; charset=utf-8' : 'text/plain; charset=utf-8';
    response.writeHead(job ? 200 : 404, { 'content-type': type, ...securityHeaders(html) });
    response.end(request.method === 'HEAD' ? undefined : html);
    return true;
  }

  async close(): Promise<void> {
    const handler = await this.#handler?.catch(() => undefined);
    await handler?.close();
  }

  /** Has the next request open it again; returns false if another request did. */
  #forget(opened: Promise<DashboardHandler>): boolean {
    if (this.#handler !== opened) return false;
    this.#handler = undefined;
    return true;
  }

  async #open(): Promise<DashboardHandler> {
    const { createDashboardHandler } = await import('@pg-boss/dashboard/handler');
    const { databaseUrl, basePath } = this.#options;
    // The package reads this setting only from the environment.
    process.env.PGBOSS_DASHBOARD_READ_ONLY = '1';
    return createDashboardHandler({
      databases: [{ url: await currentAddress(databaseUrl), name: 'Shipping Integrations API' }],
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
