import { parse } from 'graphql';
import pg from 'pg';
import { afterAll, beforeAll, vi } from 'vitest';
import { failureOf } from '../support/graphql-client.ts';
import { note } from '../support/log-watch.ts';
import { inNames, inOwnValues } from '../support/own-values.ts';
import type { BatchResult, Item } from '../support/platform-side.ts';
import type { Caller, World } from '../support/world.ts';

// Calls that arrive during another transaction of their kind and company, each under an `Idempotency-Key`.

export interface Call {
  readonly document: string;
  readonly input: readonly Item[];
  /** A new one where left out; null for a call without a key. */
  readonly key?: string | null;
  readonly signal?: AbortSignal;
}

export interface Answer {
  readonly key: string;
  readonly status: number;
  readonly text: string;
  readonly isReplayed: boolean;
  /** Undefined where it failed. */
  readonly result: BatchResult | undefined;
  readonly code: string | undefined;
}

let keys = 0;

export async function send({ app }: World, { apiKey }: Caller, call: Call): Promise<Answer> {
  const key = call.key === undefined ? `gathered-${++keys}` : (call.key ?? '');
  const document = parse(call.document);
  const body = JSON.stringify({ query: call.document, variables: inNames(document, { input: call.input }) });
  note('sent', body);
  const headers = {
    'x-api-key': apiKey,
    'content-type': 'application/json',
    ...(key !== '' && { 'idempotency-key': key }),
  };
  const signal = call.signal ?? null;
  const response = await fetch(`${app.url}/graphql`, { method: 'POST', headers, body, signal });
  const text = await response.text();
  const { data: shown, errors } = JSON.parse(text);
  const data = inOwnValues(document, shown) as object;
  const failure = failureOf({ data, errors });
  return {
    key,
    status: response.status,
    text,
    isReplayed: response.headers.get('idempotent-replayed') === 'true',
    result: failure ? undefined : (Object.values(data)[0] as BatchResult),
    code: failure?.code,
  };
}

/** The tools to make calls arrive while another process holds their lock. */
export function useHeldLocks(world: World) {
  let client: pg.Client;
  beforeAll(async () => {
    client = new pg.Client({ connectionString: world.ownerUrl });
    await client.connect();
  });
  afterAll(() => client.end());

  const count = async (text: string, values: unknown[]) =>
    Number((await client.query(`select count(*) as count from ${text}`, values)).rows[0].count);
  /** Requests of a company that have been begun. */
  const begun = ({ companyId }: Caller) => count('idempotent_request where company_id = $1', [companyId]);
  const until = (look: () => Promise<boolean>) =>
    vi.waitFor(
      async () => {
        if (!(await look())) throw new Error('not yet');
      },
      { timeout: 8_000, interval: 3 },
    );
  const waiting = "pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";

  /** Holds what transactions of a kind and company wait for, until `meanwhile` has ended. */
  async function holding<T>({ companyId }: Caller, kind: string, meanwhile: () => Promise<T>): Promise<T> {
    await client.query('begin');
    try {
      // Events lock their shipments, and other kinds a name.
      if (kind === 'events')
        await client.query('select from shipment where company_id = $1 for update skip locked', [companyId]);
      else await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`${companyId} ${kind}`]);
      return await meanwhile();
    } finally {
      await client.query('rollback');
    }
  }

  /**
   * Sends calls in their order while another process holds the lock, one after the other has arrived; then does something
   * else, and lets go of the lock.
   */
  async function sendTogether(
    caller: Caller,
    kind: string,
    calls: readonly Call[],
    meanwhile: () => Promise<unknown> = async () => undefined,
  ): Promise<PromiseSettledResult<Answer>[]> {
    let arrived = await begun(caller);
    const answers: Promise<Answer>[] = [];
    await holding(caller, kind, async () => {
      for (const call of calls) {
        const answer = send(world, caller, call);
        answer.catch(() => undefined);
        answers.push(answer);
        if (call.key === null) continue;
        const count = ++arrived;
        await until(async () => (await begun(caller)) >= count);
      }
      await until(async () => (await count(waiting, [])) > 0);
      await meanwhile();
    });
    return Promise.allSettled(answers);
  }

  /**
   * Sends calls of several companies, in the order of each company, while the transaction of another company, whose
   * call came first, waits for a lock; then lets go of the lock.
   */
  async function answersBehind(
    first: Caller,
    kind: string,
    call: Call,
    calls: readonly (Call & { readonly caller: Caller })[],
  ): Promise<Answer[]> {
    const companyIds = [...new Set(calls.map(({ caller }) => caller.companyId))];
    const allBegun = () => count('idempotent_request where company_id = any($1::uuid[])', [companyIds]);
    const before = await allBegun();
    const sent: Promise<Answer>[] = [];
    await holding(first, kind, async () => {
      sent.push(send(world, first, call));
      await until(async () => (await count(waiting, [])) > 0);
      for (const [i, one] of calls.entries()) {
        // Calls of one company arrive in their order.
        const isFirst = calls.findIndex(({ caller }) => caller === one.caller) === i;
        if (!isFirst) await until(async () => (await allBegun()) >= before + i);
        sent.push(send(world, one.caller, one));
      }
      await until(async () => (await allBegun()) >= before + calls.length);
    });
    return (await Promise.all(sent)).slice(1);
  }

  return {
    client: () => client,
    holding,
    until,
    waiting: () => count(waiting, []),
    sendTogether,
    answersBehind,
    /** Sends them, and requires that every call is answered. */
    answersOf: async (caller: Caller, kind: string, calls: readonly Call[]): Promise<Answer[]> =>
      (await sendTogether(caller, kind, calls)).map(settled => {
        if (settled.status === 'rejected') throw settled.reason;
        return settled.value;
      }),
  };
}
