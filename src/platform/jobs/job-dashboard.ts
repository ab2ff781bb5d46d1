import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import type { DashboardHandler } from '@pg-boss/dashboard/handler';
import { secretsEqual } from '../secrets/secrets-equal.ts';

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
    if (!this.#isOperator(request.headers.authorization)) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="Jobs", charset="UTF-8"' }).end();
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
    // Its buttons act with the password that a browser sends by itself: no other page may show it in a frame.
    response.setHeader('content-security-policy', "frame-ancestors 'none'");
    response.writeHead(answer.status);
    if (answer.body === null || request.method === 'HEAD') response.end();
    // A browser that goes away in the middle is nobody's to mend.
    else await pipeline(Readable.fromWeb(answer.body as ReadableStream), response).catch(() => undefined);
  }

  async close(): Promise<void> {
    const handler = await this.#handler?.catch(() => undefined);
    await handler?.close();
  }

  #isOperator(authorization = ''): boolean {
    const [, given = ''] = /^Basic +(\S+) *$/i.exec(authorization) ?? [];
    const { user, password } = this.#options;
    return secretsEqual(Buffer.from(given, 'base64').toString(), `${user}:${password}`);
  }

  async #open(): Promise<DashboardHandler> {
    const { createDashboardHandler } = await import('@pg-boss/dashboard/handler');
    const { databaseUrl, basePath, publicUrl } = this.#options;
    return createDashboardHandler({
      databases: [{ url: databaseUrl, name: 'Shipping Integrations API' }],
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
