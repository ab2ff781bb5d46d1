import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { newSecretsKey } from '../../src/platform/secrets/secret-box.ts';
import { type Running, startArguments, startProcess } from '../bench/processes.ts';
import { RECIPIENT } from '../support/platform-side.ts';
import { kill, prepareDatabase, query, settledUpTo, terminateConnections, timeOf } from './fault-tools.ts';
import type { FaultOptions } from './faults.ts';
import { OwnPostgres } from './own-postgres.ts';

const ENDPOINTS = 5;
const SHIPMENTS = 40;
const WORKERS = 2;
/** Events recorded at a time, and the pause between. */
const BATCH = 20;
const PAUSE_MS = 150;
/** Longer than a worker's hold lasts without a sign of life. */
const FROZEN_MS = 20_000;
const BETWEEN_MS = 3_000;
const ROOT = new URL('../../', import.meta.url).pathname;
/** These fire, and each is another than the one before. */
const STATUSES = ['IN_TRANSIT', 'OUT_FOR_DELIVERY', 'DELIVERY_FAILED', 'PICKUP_POINT', 'DELAYED'];

const print = (text: string) => process.stdout.write(`${text}\n`);

interface Fault {
  readonly name: string;
  readonly recoveryMs: number;
}

/** Events continue to be recorded while workers, connections and PostgreSQL die; then everything must have arrived. */
export async function run({ rounds, only }: FaultOptions): Promise<boolean> {
  const receiver = await startReceiver();
  const postgres = await OwnPostgres.start();
  const { apiKey } = await prepareDatabase(postgres.url);
  const env = {
    DATABASE_URL: postgres.url,
    PORT: '0',
    DEMO: 'false',
    LOG_LEVEL: 'info',
    DATABASE_POOL_SIZE: '8',
    SECRETS_KEY: newSecretsKey(),
    WEBHOOK_ALLOW_PRIVATE: '127.0.0.0/8',
    WEBHOOK_ALLOW_HTTP: 'true',
  };
  const start = async (role: string) => startProcess(await startArguments(ROOT), { ...env, ROLE: role });
  const api = await start('api');
  const workers: Running[] = await Promise.all(Array.from({ length: WORKERS }, () => start('worker')));
  const load = new Load(api.url, apiKey);
  const faults: Fault[] = [];
  try {
    await load.prepare(receiver.url);
    const loading = load.run();
    const observed = async (name: string, work: () => Promise<void>) => {
      if (!name.includes(only)) return;
      await setTimeout(BETWEEN_MS);
      const startedAt = Date.now();
      await work();
      await settledUpTo(postgres.url, await timeOf(postgres.url));
      faults.push({ name, recoveryMs: Date.now() - startedAt });
      print(`  ${name}: recovered in ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
    };
    for (let round = 0; round < rounds; round++) {
      await observed('a worker killed (SIGKILL)', async () => {
        await Promise.all(workers.splice(0, 1).map(kill));
        workers.push(await start('worker'));
      });
      await observed('all connections terminated', () => terminateConnections(postgres.url));
      await observed('PostgreSQL stopped at once and started', () => postgres.crash());
      await observed('all workers killed (SIGKILL)', async () => {
        await Promise.all(workers.splice(0).map(kill));
        for (let i = 0; i < WORKERS; i++) workers.push(await start('worker'));
      });
      await observed(`a worker frozen for ${FROZEN_MS / 1000} s and woken`, async () => {
        workers[0]?.child.kill('SIGSTOP');
        await setTimeout(FROZEN_MS);
        workers[0]?.child.kill('SIGCONT');
      });
    }
    load.stop();
    await loading;
    await settledUpTo(postgres.url, await timeOf(postgres.url));
    return await report(postgres.url, receiver.arrivals, faults, load.recorded);
  } finally {
    await Promise.all([api, ...workers].map(one => one.stop()));
    await postgres.close();
    receiver.close();
  }
}

/** Counts what arrives, by event and endpoint; answers after a moment, so that there is always something under way. */
async function startReceiver() {
  const arrivals = new Map<string, number>();
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const key = `${request.headers['webhook-id']} ${request.url}`;
      arrivals.set(key, (arrivals.get(key) ?? 0) + 1);
      void setTimeout(30).then(() => response.writeHead(204).end());
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    arrivals,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A platform that records events without end, and each again until it hears that it was recorded. */
class Load {
  recorded = 0;
  readonly #url: string;
  readonly #apiKey: string;
  #isStopped = false;

  constructor(url: string, apiKey: string) {
    this.#url = url;
    this.#apiKey = apiKey;
  }

  async prepare(receiverUrl: string): Promise<void> {
    for (let i = 0; i < ENDPOINTS; i++) {
      await this.#ask(
        'mutation ($input: CreateWebhookEndpointInput!) { createWebhookEndpoint(input: $input) { webhookEndpoint { id } userErrors { code pointer message } } }',
        {
          input: { label: `${i}`, url: `${receiverUrl}/${i}`, events: ['TRACKING_ALL'] },
        },
      );
    }
    const { connectCarrier } = await this.#ask<{ connectCarrier: { carrierConnection: { databaseId: number } } }>(
      'mutation { connectCarrier(input: { carrierCode: BRT, label: "Faults" }) { carrierConnection { databaseId } userErrors { code pointer message } } }',
    );
    await this.#ask(
      'mutation ($input: [ShipmentInput!]!) { upsertShipments(input: { shipments: $input }) { created userErrors { code pointer message } } }',
      {
        input: Array.from({ length: SHIPMENTS }, (_, i) => ({
          carrierConnectionId: connectCarrier.carrierConnection.databaseId,
          trackingNumber: `F${i}`,
          recipient: RECIPIENT,
        })),
      },
    );
  }

  async run(): Promise<void> {
    const start = Date.now() - 3_600_000;
    for (let n = 0; !this.#isStopped; n++) {
      const events = Array.from({ length: BATCH }, (_, i) => {
        const turn = Math.floor((n * BATCH + i) / SHIPMENTS);
        return {
          trackingNumber: `F${(n * BATCH + i) % SHIPMENTS}`,
          occurredAt: new Date(start + turn * 1_000).toISOString(),
          statusCode: STATUSES[turn % STATUSES.length],
        };
      });
      for (;;) {
        try {
          const { recordTrackingEvents: told } = await this.#ask<{ recordTrackingEvents: { rejected: number } }>(
            'mutation ($input: [TrackingEventInput!]!) { recordTrackingEvents(input: { events: $input }) { rejected userErrors { code pointer message } } }',
            { input: events },
          );
          if (told.rejected > 0) throw new Error('events are rejected');
          break;
        } catch {
          await setTimeout(200);
        }
      }
      this.recorded += BATCH;
      await setTimeout(PAUSE_MS);
    }
  }

  stop(): void {
    this.#isStopped = true;
  }

  async #ask<Data>(query: string, variables: object = {}): Promise<Data> {
    const response = await fetch(`${this.#url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': this.#apiKey },
      body: JSON.stringify({ query, variables }),
      signal: AbortSignal.timeout(15_000),
    });
    const { data, errors } = (await response.json()) as { data: Data; errors?: { message: string }[] };
    if (!response.ok || errors?.[0]) throw new Error(errors?.[0]?.message ?? `answered ${response.status}`);
    return data;
  }
}

async function report(url: string, arrivals: ReadonlyMap<string, number>, faults: readonly Fault[], recorded: number) {
  const [found] = await query<{ events: number; deliveries: number; unmatched: number; doubly: number }>(
    url,
    `select (select count(*)::integer from webhook_event) as events, (select count(*)::integer from webhook_delivery) as deliveries,
      (select count(*)::integer from webhook_delivery where status <> 'success') as unmatched,
      (select count(*)::integer from (select from webhook_attempt where outcome = 'delivered' group by delivery_id having count(*) > 1) d) as doubly`,
  );
  const expected = await query<{ key: string }>(
    url,
    `select d.event_id || ' ' || substring(w.url from '/[^/]*$') as key from webhook_delivery d
      join webhook_endpoint w on w.company_id = d.company_id and w.id = d.endpoint_id`,
  );
  const lost = expected.filter(({ key }) => !arrivals.has(key)).length;
  const duplicates = [...arrivals.values()].reduce((sum, times) => sum + times - 1, 0);
  const strangers = arrivals.size - expected.length + lost;
  print(`events recorded        ${recorded} (${found?.events} that fire)`);
  print(`deliveries             ${found?.deliveries} (${ENDPOINTS} an event)`);
  print(`faults                 ${faults.length}`);
  print(`lost                   ${lost}`);
  print(`not settled as success ${found?.unmatched}`);
  print(`duplicates             ${duplicates} (all with the webhook-id of the first)`);
  print(`settled as delivered twice ${found?.doubly}`);
  print(`arrived without an event   ${strangers}`);
  const recoveries = faults.map(({ recoveryMs }) => recoveryMs / 1000).toSorted((a, b) => a - b);
  print(`recovery               ${recoveries.at(0)?.toFixed(1)}–${recoveries.at(-1)?.toFixed(1)} s`);
  const isComplete = found?.events === recorded && found.deliveries === recorded * ENDPOINTS;
  if (!isComplete) print('An event that was recorded has no delivery to every endpoint.');
  return lost === 0 && found?.unmatched === 0 && found.doubly === 0 && strangers === 0 && isComplete;
}
