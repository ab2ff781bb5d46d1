import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { until } from '../../bench/until.ts';
import { feedEvents, WAREHOUSE } from '../../support/platform-side.ts';
import { portOf } from '../../support/ports.ts';
import type { Caller } from '../../support/world.ts';
import type { Report } from '../report.ts';
import { Cases } from '../support/cases.ts';
import { type Clock, openClock } from '../support/clock.ts';
import { furnishAll } from '../support/furnish.ts';
import type { Ids } from '../support/sdl.ts';
import type { Service } from '../support/service.ts';
import { callerOf, type Key, type SecurityWorld, UNLIMITED } from '../support/world.ts';

const PART = 'clock';
const HOUR = 3_600;
/** How often in a minute the key with a rate of its own may read. */
const READS = 30;
const MINUTE = 60;
/** Webhooks say when they were signed; receivers take them within five minutes. */
const TOLERANCE = 300;
/** A timer that is always due would take a whole processor. */
const BUSY_SHARE = 0.5;
const LOOK_MS = 2_000;
const PATIENCE = { timeoutMs: 40_000 };

/** Steps of the service's clock, in seconds from the true time, one after the other. */
const STEPS = [0, 2 * HOUR, 0, -2 * HOUR, 0, 12 * HOUR, -12 * HOUR, 0];

/** A webhook as it came. */
interface Came {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** The clock of the service jumps forward and backward while PostgreSQL keeps the true time. */
export async function run(world: SecurityWorld, report: Report): Promise<void> {
  const clock = await openClock();
  if (!clock) {
    const figures = 'libfaketime is not installed here';
    const bound = 'Debian: apt install faketime';
    report.add({ part: PART, name: 'steps of the clock', figures, bound, failures: [], isSkipped: true });
    return;
  }
  const came: Came[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    came.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
    response.writeHead(204).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const service = await world.start({ ...UNLIMITED, ...clock.env });
  try {
    const key = await world.company('Clock');
    const caller = callerOf(key, service);
    const ids = await furnishAll(world, caller, `http://127.0.0.1:${portOf(server)}`);
    const walk = new Steps(world, service, caller, key, ids, clock, came);
    await walk.prepare();
    for (const [i, seconds] of STEPS.entries()) await walk.step(i, seconds);
    for (const [name, bound] of Object.entries(BOUNDS)) {
      const { count, failed, failures } = walk.cases[name as keyof typeof BOUNDS];
      report.add({ part: PART, name, figures: `${count} cases, ${failed} failed`, bound, failures });
    }
  } finally {
    await service.kill();
    server.closeAllConnections();
    server.close();
    await clock.close();
  }
}

const BOUNDS = {
  keys: 'expired by the clock in force; revoked ones are never let in again',
  idempotency: 'a request that is sent again is answered again, and carried out once',
  rates: `nobody waits for more than ${MINUTE} s, and nobody gets more than two minutes' share`,
  schedules: 'what is due is sent in seconds, once',
  signatures: `valid, and of the clock in force (± ${TOLERANCE} s)`,
  process: 'alive, ready, no 5xx, and idle afterwards',
} as const;

class Steps {
  readonly cases = Object.fromEntries(Object.keys(BOUNDS).map(name => [name, new Cases()])) as Record<
    keyof typeof BOUNDS,
    Cases
  >;
  readonly #world: SecurityWorld;
  readonly #service: Service;
  readonly #caller: Caller;
  readonly #key: Key;
  readonly #ids: Ids;
  readonly #clock: Clock;
  readonly #came: Came[];
  #expiring = '';
  #revoked = '';
  #limited = '';
  #secret = '';
  #warehouseId = 0;

  constructor(world: SecurityWorld, service: Service, caller: Caller, key: Key, ids: Ids, clock: Clock, came: Came[]) {
    this.#world = world;
    this.#service = service;
    this.#caller = caller;
    this.#key = key;
    this.#ids = ids;
    this.#clock = clock;
    this.#came = came;
  }

  async prepare(): Promise<void> {
    const keyWith = async (change: string, ...values: unknown[]) => {
      const { apiKey, apiKeyId } = await this.#world.key(this.#key.companyId, ['all']);
      await this.#world.database.pool.query(`update api_key set ${change} where id = $1`, [apiKeyId, ...values]);
      return apiKey;
    };
    this.#expiring = await keyWith(`expires_at = now() + interval '1 hour'`);
    this.#revoked = await keyWith('revoked_at = now()');
    this.#limited = await keyWith('rates = $2', JSON.stringify({ reads: READS }));
    const { body } = await this.#caller.rest('GET', '/webhooks');
    await this.#caller.rest('DELETE', `/webhooks/${body[0].id}`);
    const url = body[0].url as string;
    const made = await this.#caller.rest('POST', '/webhooks', { label: 'Clock', url, events: ['tracking.*'] });
    this.#secret = made.body.secret;
    const first = await this.#create();
    this.#warehouseId = first.body.id;
  }

  /** Sets the clock, and asks for everything that depends on it. */
  async step(i: number, seconds: number): Promise<void> {
    await this.#clock.set(seconds);
    const at = `step ${i} to ${seconds / HOUR} h`;
    const { keys, idempotency, rates, process } = this.cases;
    const isExpired = seconds >= HOUR;
    keys.check(`expires in an hour, ${at}`, (await this.#status(this.#expiring)) === (isExpired ? 401 : 200), () => at);
    keys.check(`revoked, ${at}`, (await this.#status(this.#revoked)) === 401, () => at);
    keys.check(`good, ${at}`, (await this.#status(this.#key.apiKey)) === 200, () => at);
    const again = await this.#create();
    idempotency.check(at, again.status === 201 && again.body.id === this.#warehouseId, () => again.text);
    await this.#rate(rates, at);
    await this.#webhook(i, seconds, at);
    const ready = await fetch(`${this.#service.url}/readyz`);
    process.check(`ready, ${at}`, ready.status === 200 && this.#service.isAlive, () => ready.status);
    const cpuMs = await this.#service.cpuMs();
    await setTimeout(LOOK_MS);
    const share = ((await this.#service.cpuMs()) - cpuMs) / LOOK_MS;
    process.check(`idle, ${at}`, share < BUSY_SHARE, () => `it computes ${(100 * share).toFixed(0)} % of the time`);
  }

  #create() {
    return this.#caller.rest('POST', '/warehouses', WAREHOUSE, { 'idempotency-key': 'clock' });
  }

  async #status(apiKey: string): Promise<number> {
    const { status } = await this.#read(apiKey);
    this.cases.process.check('no 5xx', status < 500, () => status);
    return status;
  }

  #read(apiKey: string): Promise<Response> {
    return fetch(`${this.#service.url}/api/v1/integrations/warehouses`, { headers: { 'x-api-key': apiKey } });
  }

  /** Uses up the minute: after a step, no more than another minute's share is available, and soon. */
  async #rate(cases: Cases, at: string): Promise<void> {
    let served = 0;
    for (let i = 0; i < 3 * READS; i++) {
      const { status, headers } = await this.#read(this.#limited);
      if (status === 200) served++;
      const after = Number(headers.get('retry-after') ?? 0);
      cases.check(`${at}: Retry-After`, status === 200 || (status === 429 && after <= MINUTE), () => [status, after]);
      if (status === 429) break;
    }
    cases.check(`${at}: let in`, served <= 2 * READS, () => served);
  }

  async #webhook(i: number, seconds: number, at: string): Promise<void> {
    const { schedules, signatures } = this.cases;
    const description = `Passo ${randomUUID()}`;
    const occurredAt = new Date(Date.now() - (50 - i) * 60_000).toISOString();
    const statusCode = i % 2 === 0 ? 'out_for_delivery' : 'in_transit';
    await feedEvents(this.#caller, { trackingNumber: this.#ids.trackingNumber, occurredAt, statusCode, description });
    const mine = () => this.#came.filter(({ body }) => body.includes(description));
    const found = await until(
      async () => mine(),
      one => one.length > 0,
      PATIENCE,
    ).catch(() => []);
    schedules.check(`sent, ${at}`, found.length > 0, () => at);
    const [first] = found;
    if (!first) return;
    const { 'webhook-id': id, 'webhook-timestamp': signedAt, 'webhook-signature': signature } = first.headers;
    const secret = Buffer.from(this.#secret.replace('whsec_', ''), 'base64');
    const expected = createHmac('sha256', secret).update(`${id}.${signedAt}.${first.body}`).digest('base64');
    signatures.check(`valid, ${at}`, String(signature).includes(`v1,${expected}`), () => signature);
    const off = Math.abs(Number(signedAt) - (Date.now() / 1000 + seconds));
    signatures.check(`of its time, ${at}`, off <= TOLERANCE, () => `${off} s off`);
    schedules.check(`once, ${at}`, new Set(mine().map(({ headers }) => headers['webhook-id'])).size === 1, () => at);
  }
}
