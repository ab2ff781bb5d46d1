import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { newSecretsKey } from '../../src/platform/secrets/secret-box.ts';
import { type Running, startArguments, startProcess } from '../bench/processes.ts';
import { freePort } from '../support/ports.ts';
import { type Api, ask, LiveReader, PollReader, type Reader, startWebhookReader } from './change-readers.ts';
import { type Written, write } from './change-writers.ts';
import { kill, prepareDatabase, query, settledUpTo, terminateConnections, timeOf } from './fault-tools.ts';
import type { FaultOptions } from './faults.ts';
import { OwnPostgres } from './own-postgres.ts';

const WRITERS = 8;
const APIS = 2;
const POLLERS = 3;
const STREAMS = 2;
const FROZEN_MS = 3_000;
const ROOT = new URL('../../', import.meta.url).pathname;

const print = (text: string) => process.stdout.write(`${text}\n`);
const pauseMs = () => 2_000 + Math.random() * 3_000;

/**
 * Writers record changes while processes, connections and PostgreSQL are killed. In the end every reader of the change log
 * must have exactly what the table has, in its order.
 */
export async function run({ changes, rounds, only }: FaultOptions): Promise<boolean> {
  const webhooks = await startWebhookReader();
  const postgres = await OwnPostgres.start();
  const processes = new Map<string, Running>();
  try {
    const { apiKey } = await prepareDatabase(postgres.url);
    const ports = await Promise.all(Array.from({ length: APIS }, freePort));
    const env = {
      DATABASE_URL: postgres.url,
      DEMO: 'false',
      LOG_LEVEL: 'info',
      DATABASE_POOL_SIZE: '10',
      SECRETS_KEY: newSecretsKey(),
      WEBHOOK_ALLOW_PRIVATE: '127.0.0.0/8',
      WEBHOOK_ALLOW_HTTP: 'true',
    };
    const roles = { ...Object.fromEntries(ports.map((port, i) => [`api ${i + 1}`, { port, role: 'api' }])) };
    const all: Readonly<Record<string, { port: number; role: string }>> = {
      ...roles,
      worker: { port: 0, role: 'worker' },
    };
    const start = async (name: string) => {
      const { port, role } = all[name] ?? { port: 0, role: 'api' };
      const settings = { ...env, PORT: String(port), ROLE: role };
      processes.set(name, await startProcess(await startArguments(ROOT), settings));
    };
    const restart = async (name: string) => {
      const one = processes.get(name);
      if (one) await kill(one);
      await start(name);
    };
    await Promise.all(Object.keys(all).map(start));

    const api: Api = { urls: ports.map(port => `http://127.0.0.1:${port}`), apiKey };
    const carrierConnectionId = await prepareCompany(api, webhooks.url);
    const written: Written[] = [];
    const total = () => written.reduce((sum, { shipments, events, updates }) => sum + shipments + events + updates, 0);
    let areFaultsDone = false;
    const isOver = () => areFaultsDone && total() >= changes;
    const writers = Array.from({ length: WRITERS }, (_, writer) => {
      const acknowledged = (now: Written) => {
        written[writer] = now;
      };
      return write(api, { writer, carrierConnectionId, acknowledged, isOver });
    });
    const saboteur = rollBack(postgres.url, isOver);
    const pollers = Array.from({ length: POLLERS }, (_, i) => new PollReader(`poll ${i + 1}`, api));
    const streams = Array.from({ length: STREAMS }, (_, i) => new LiveReader(`live ${i + 1}`, api));
    const reading = Promise.all([...pollers, ...streams].map(reader => reader.run()));

    const faults: Readonly<Record<string, () => Promise<unknown>>> = {
      'an api process killed (kill -9)': () => restart(`api ${1 + Math.floor(Math.random() * APIS)}`),
      'all connections terminated': () => terminateConnections(postgres.url),
      'the worker killed (kill -9)': () => restart('worker'),
      [`an api process frozen for ${FROZEN_MS / 1_000} s`]: async () => {
        processes.get('api 1')?.child.kill('SIGSTOP');
        await setTimeout(FROZEN_MS);
        processes.get('api 1')?.child.kill('SIGCONT');
      },
      'PostgreSQL killed (kill -9)': () => postgres.crash(),
    };
    const chosen = Object.entries(faults).filter(([name]) => name.includes(only));
    for (let round = 1; round <= rounds || total() < changes; round++) {
      for (const [name, work] of chosen) {
        await setTimeout(pauseMs());
        await work();
        print(`  ${String(total()).padStart(9)} changes: ${name}`);
      }
      if (chosen.length === 0) await setTimeout(pauseMs());
    }
    areFaultsDone = true;
    await Promise.all([...writers, saboteur]);
    print(`  ${String(total()).padStart(9)} changes: the writers have ended`);
    for (const poller of pollers) poller.stop();
    const [end] = await query<{ last: number }>(
      postgres.url,
      'select max(number)::integer as last from tracking_change',
    );
    for (const stream of streams) stream.stop(end?.last ?? 0);
    await reading;
    print(`  ${String(total()).padStart(9)} changes: the readers have ended`);
    await settledUpTo(postgres.url, await timeOf(postgres.url));
    return await report(postgres.url, {
      written: total(),
      ordered: [...pollers, ...streams],
      unordered: [webhooks],
    });
  } finally {
    await Promise.all(Array.from(processes.values(), one => one.stop()));
    await postgres.close();
    webhooks.close();
  }
}

/** Returns the carrier connection that shipments are made with. */
async function prepareCompany(api: Api, receiver: string): Promise<number> {
  const { connectCarrier } = await ask<{ connectCarrier: { carrierConnection: { databaseId: number } } }>(
    api,
    'mutation { connectCarrier(input: { carrierCode: BRT, label: "Faults" }) { carrierConnection { databaseId } } }',
    {},
  );
  await ask(
    api,
    'mutation ($input: CreateWebhookEndpointInput!) { createWebhookEndpoint(input: $input) { webhookEndpoint { id } userErrors { message } } }',
    { input: { label: 'Faults', url: receiver, events: ['TRACKING_PICKUP_POINT'] } },
  );
  return connectCarrier.carrierConnection.databaseId;
}

/** Transactions that take numbers, hold them for a moment, and are rolled back. */
async function rollBack(connectionString: string, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const client = new pg.Client({ connectionString });
    client.on('error', () => undefined);
    try {
      await client.connect();
      while (!isOver()) {
        await client.query('begin');
        await client.query('update tracking_change_count set last = last + 3');
        await setTimeout(Math.random() * 50);
        await client.query('rollback');
        await setTimeout(Math.random() * 500);
      }
    } catch {
      await setTimeout(200);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

interface Found {
  readonly written: number;
  /** Readers that must have everything, in order and once. */
  readonly ordered: readonly Reader[];
  /** Receivers that must get every webhook at least once. */
  readonly unordered: readonly Reader[];
}

async function report(url: string, { written, ordered, unordered }: Found): Promise<boolean> {
  const rows = await query<{ number: number; sends: boolean }>(
    url,
    `select number::integer as number, kind = 'status' and status_code = 'pickup_point' as sends
      from tracking_change order by number`,
  );
  const table = rows.map(({ number }) => number);
  const sent = rows.filter(({ sends }) => sends).map(({ number }) => number);
  const dense = table.every((number, i) => number === i + 1);
  print(`\nacknowledged  ${written}`);
  print(`in the table  ${table.length}${dense ? ', numbered without a gap' : ', NOT numbered without a gap'}\n`);
  print(columns(['reader', 'changes', 'missing', 'twice', 'in order', 'failures']));
  let isWhole = dense && table.length === written;
  for (const reader of ordered) {
    const { missing, twice } = compared(reader.numbers, table);
    const isOrdered = reader.numbers.every((number, i) => number === table[i]);
    print(line(reader, missing, twice, isOrdered ? 'yes' : 'NO'));
    isWhole &&= missing === 0 && twice === 0 && isOrdered && reader.numbers.length === table.length;
  }
  for (const reader of unordered) {
    const { missing, twice, strange } = compared(reader.numbers, sent);
    print(line(reader, missing, twice, '–'));
    isWhole &&= missing === 0 && strange === 0 && sent.length > 0;
  }
  print(isWhole ? '\nNothing was lost.' : '\nSOMETHING WAS LOST, is twice, or is not in order.');
  return isWhole;
}

function compared(numbers: readonly number[], expected: readonly number[]) {
  const [had, wanted] = [new Set(numbers), new Set(expected)];
  return {
    missing: expected.filter(number => !had.has(number)).length,
    twice: numbers.length - had.size,
    strange: [...had].filter(number => !wanted.has(number)).length,
  };
}

function line({ name, numbers, failures }: Reader, missing: number, twice: number, order: string) {
  return columns([name, numbers.length, missing, twice, order, failures]);
}

function columns([first, ...others]: readonly unknown[]): string {
  return String(first).padEnd(12) + others.map(one => String(one).padStart(10)).join('');
}
