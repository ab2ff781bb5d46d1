import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import { BASE_PATH } from '../../src/http/rest/endpoints.ts';
import { urlOf, withClient } from '../support/databases.ts';
import { DEPOT, SHOP } from './calls.ts';

/** The service that is recorded, and the database it stands on. */
export interface Recorded {
  readonly url: string;
  readonly apiKey: string;
  readonly databaseUrl: string;
}

type Problem = Readonly<Record<string, unknown>>;

/**
 * Rejections that an ordinary request can't cause, by their code: the service is broken for them, filled up to its limits,
 * or asked by a client that breaks the rules of HTTP.
 */
export const FAULTS: Readonly<Record<string, (recorded: Recorded) => Promise<Problem>>> = {
  // A header that is sent twice, which `fetch` would merge.
  malformed_request: ({ url, apiKey }) => sent(url, 'GET', '/health', { 'x-api-key': [apiKey, apiKey] }),
  // An expectation that HTTP does not know.
  expectation_failed: ({ url, apiKey }) => sent(url, 'GET', '/health', { 'x-api-key': apiKey, expect: '200-maybe' }),
  headers_too_large: ({ url, apiKey }) =>
    sent(url, 'GET', '/health', { 'x-api-key': apiKey, 'x-note': 'x'.repeat(20_000) }),
  // A body of which nothing comes.
  request_timeout: ({ url, apiKey }) =>
    sent(url, 'POST', '/warehouses', {
      'x-api-key': apiKey,
      'content-type': 'application/json',
      'content-length': String(JSON.stringify(DEPOT).length),
    }),
  // A repeated request while the first one waits for a locked table.
  idempotency_in_progress: ({ url, apiKey, databaseUrl }) =>
    withClient(databaseUrl, async client => {
      const headers = { 'idempotency-key': crypto.randomUUID() };
      const create = () => posted(url, apiKey, '/warehouses', { ...DEPOT, name: 'Deposito Padova' }, headers);
      await client.query('begin');
      await client.query('lock table warehouse in access exclusive mode');
      const first = create();
      await waitsForLock(client);
      const second = await create();
      await client.query('rollback');
      await first;
      return second;
    }),
  // A repeated request whose response is lost, as if the process had died before it stored the response.
  idempotency_answer_lost: ({ url, apiKey, databaseUrl }) =>
    withClient(databaseUrl, async client => {
      const key = crypto.randomUUID();
      const create = () =>
        posted(url, apiKey, '/warehouses', { ...DEPOT, name: 'Deposito Trento' }, { 'idempotency-key': key });
      await create();
      await client.query(
        "update idempotent_request set answer = null, claimed_at = now() - interval '1 hour' where idempotency_key = $1",
        [key],
      );
      return create();
    }),
  // A table that is gone.
  internal_error: ({ url, apiKey, databaseUrl }) =>
    withClient(databaseUrl, async client => {
      await client.query('alter table carrier_connection rename to carrier_connection_away');
      const problem = await sent(url, 'GET', '/carriers', { 'x-api-key': apiKey });
      await client.query('alter table carrier_connection_away rename to carrier_connection');
      return problem;
    }),
  warehouse_limit_reached: recorded =>
    untilRejected(recorded, '/warehouses', i => ({ ...DEPOT, name: `Deposito ${i}` })),
  webhook_limit_reached: recorded => untilRejected(recorded, '/webhooks', i => ({ ...SHOP, label: `Shop ${i}` })),
  // A database that lets nobody in.
  unavailable: ({ url, apiKey, databaseUrl }) => {
    const name = new URL(databaseUrl).pathname.slice(1);
    return withClient(urlOf(databaseUrl, 'postgres'), async client => {
      await client.query(`alter database ${name} allow_connections false`);
      await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
      const problem = await sent(url, 'GET', '/warehouses/1', { 'x-api-key': apiKey });
      await client.query(`alter database ${name} allow_connections true`);
      return problem;
    });
  },
};

/** A request by Node's own client, which sends headers as they are given, and a body only where there is one. */
async function sent(
  url: string,
  method: string,
  path: string,
  headers: Readonly<Record<string, string | readonly string[]>>,
): Promise<Problem> {
  const outgoing = request(url + BASE_PATH + path, { method, headers: headers as Record<string, string[]> });
  outgoing.on('error', () => undefined);
  if (method === 'GET') outgoing.end();
  else outgoing.flushHeaders();
  const [response] = await once(outgoing, 'response');
  const problem = JSON.parse(await text(response)) as Problem;
  outgoing.destroy();
  return problem;
}

async function posted(url: string, apiKey: string, path: string, body: object, more: object = {}): Promise<Problem> {
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json', ...more };
  const response = await fetch(url + BASE_PATH + path, { method: 'POST', headers, body: JSON.stringify(body) });
  return (await response.json()) as Problem;
}

/** Creates things until the company may have no more of them. */
async function untilRejected(
  { url, apiKey }: Recorded,
  path: string,
  body: (number: number) => object,
): Promise<Problem> {
  for (let number = 1; ; number++) {
    const answer = await posted(url, apiKey, path, body(number));
    if ('code' in answer) return answer;
  }
}

async function waitsForLock(client: pg.Client): Promise<void> {
  for (;;) {
    const { rowCount } = await client.query(
      "select from pg_locks where not granted and relation = 'warehouse'::regclass",
    );
    if (rowCount) return;
    await setTimeout(10);
  }
}
