import { setTimeout } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import pg from 'pg';
import { serviceStatement } from '../statements/statements.ts';

/**
 * Connections to one of several servers: the primary, or a standby. `pg` connects to a single host. So all servers are
 * asked what they are before a connection is opened, and it leads to the one that is wanted. Nothing else follows a
 * promotion: connections to the former primary end, and the next ones lead to the new primary.
 */

/** The wanted servers, by the values of `target_session_attrs`. */
export const SERVER_ROLES = ['read-write', 'primary', 'prefer-standby'] as const;
export type ServerRole = (typeof SERVER_ROLES)[number];

/** How long connections share one choice: a pool opens many at once, above all after a promotion. */
const SHARED_MS = 250;
/** How long a server has for its connection, and as long for its answer; together less than a pool waits. */
const ANSWER_MS = 2_000;
/**
 * How long to wait for the other servers after the first suitable answer, since two servers may think that they are
 * primary.
 */
const GRACE_MS = 200;

// A promotion begins a timeline, so a former primary that was started again has an older one than the new primary.
const TIMELINE = serviceStatement(
  'server-timeline',
  `select case when not pg_is_in_recovery() and not current_setting('default_transaction_read_only')::boolean
      then ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer end as timeline`,
);
const noop = () => undefined;

interface Answer {
  readonly server: pg.ClientConfig;
  /** Null for a server that accepts no changes. */
  readonly timeline: number | null;
}

type Choice = { readonly server: pg.ClientConfig } | { readonly error: unknown };

/** Chooses among servers, again and again. */
export class ServerChoice {
  readonly #servers: readonly pg.ClientConfig[];
  readonly #role: ServerRole;
  /** The newest timeline so far. */
  #newest = 0;
  readonly #choices = new LRUCache<'choice', Choice>({
    max: 1,
    ttl: SHARED_MS,
    // A failure is shared too, because all requests ask again while there is no primary.
    fetchMethod: () =>
      this.#choose().then(
        server => ({ server }),
        error => ({ error }),
      ),
  });

  constructor(servers: readonly pg.ClientConfig[], role: ServerRole) {
    this.#servers = servers;
    this.#role = role;
  }

  async server(): Promise<pg.ClientConfig> {
    const choice = (await this.#choices.fetch('choice')) as Choice;
    if ('error' in choice) throw choice.error;
    return choice.server;
  }

  async #choose(): Promise<pg.ClientConfig> {
    const answers: Answer[] = [];
    const { promise: isSuitable, resolve } = Promise.withResolvers<void>();
    const asked = this.#servers.map(async server => {
      const timeline = await timelineOf(server);
      answers.push({ server, timeline });
      if ((timeline === null) === (this.#role === 'prefer-standby')) resolve();
    });
    const all = Promise.allSettled(asked);
    await Promise.race([all, isSuitable.then(() => setTimeout(GRACE_MS, undefined, { ref: false }))]);
    this.#newest = Math.max(this.#newest, ...answers.map(({ timeline }) => timeline ?? 0));
    const primary = answers.find(({ timeline }) => timeline === this.#newest);
    const standby = answers.find(({ timeline }) => timeline === null);
    const chosen = this.#role === 'prefer-standby' ? (standby ?? primary) : primary;
    if (chosen) return chosen.server;
    if (answers.length > 0) throw noPrimary();
    const failures = (await all).flatMap(result => (result.status === 'rejected' ? [result.reason] : []));
    throw failures[0];
  }
}

/** With PostgreSQL's code for "cannot connect now". */
function noPrimary(): Error {
  return Object.assign(new Error('none of its servers is a primary'), { code: '57P03' });
}

/** The timeline of the log that a server writes; null if it accepts no changes. */
export async function timelineOf(server: pg.ClientConfig): Promise<number | null> {
  const client = new pg.Client({ ...server, connectionTimeoutMillis: ANSWER_MS, query_timeout: ANSWER_MS });
  client.on('error', noop);
  try {
    await client.connect();
    return (await client.query(TIMELINE.text)).rows[0].timeline;
  } finally {
    void client.end().catch(noop);
  }
}

/** A client that connects to the chosen server. */
export function clientOf(choice: ServerChoice): typeof pg.Client {
  return class extends pg.Client {
    #isEnded = false;

    override connect(): Promise<pg.Client>;
    override connect(callback: ((error: Error) => void) | ((error: null, client: pg.Client) => void)): void;
    override connect(callback?: (error: never, client: pg.Client) => void): Promise<pg.Client> | undefined {
      const connected = this.#connect();
      if (callback === undefined) return connected;
      connected.then(
        () => callback(null as never, this),
        error => callback(error as never, this),
      );
      return undefined;
    }

    override end(): Promise<void>;
    override end(callback: (error: Error) => void): void;
    override end(callback?: (error: Error) => void): Promise<void> | undefined {
      this.#isEnded = true;
      if (callback === undefined) return super.end();
      super.end(callback);
      return undefined;
    }

    async #connect(): Promise<pg.Client> {
      const { host, port } = await choice.server();
      // The client was ended before it had a connection.
      if (this.#isEnded) throw new Error('Client was closed');
      Object.assign(this, { host, port });
      return super.connect();
    }
  };
}
