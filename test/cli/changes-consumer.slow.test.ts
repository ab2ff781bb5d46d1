import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { globalId, keyOf } from '../support/global-id.ts';
import { freePort } from '../support/ports.ts';
import { UNLIMITED } from '../support/world.ts';
import { answerOf, DEADLINE_MS, type Env, embeddedServer, type Json, Program, useProcesses } from './processes.ts';

// A consumer that follows the guide on changes (`copy-shipments.mjs`), with everything around it being killed.

const processes = useProcesses();
const CONSUMER = new URL('copy-shipments.mjs', import.meta.url).pathname;
const SOON = { timeout: DEADLINE_MS, interval: 50 };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'changes-consumer-'));
});
afterAll(() => rm(folder, { recursive: true }));

interface Api {
  readonly url: string;
  readonly apiKey: string;
}

/** Sends a document until it is accepted, as the program of a platform does. */
async function send({ url, apiKey }: Api, query: string, variables: object = {}): Promise<Json> {
  for (;;) {
    try {
      const response = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
        body: JSON.stringify({ query, variables }),
        signal: AbortSignal.timeout(10_000),
      });
      const { data, errors } = (await response.json()) as Json;
      if (data && !errors) return Object.values(data)[0];
    } catch {
      // The service is away.
    }
    await setTimeout(100);
  }
}

const UPSERT = `mutation ($input: [ShipmentInput!]!) { upsertShipments(input: { shipments: $input }) { rejected } }`;
const RECORD = `mutation ($input: [TrackingEventInput!]!) { recordTrackingEvents(input: { events: $input }) { rejected } }`;

/** Makes shipments, moves and changes them, until it is stopped. */
async function write(service: Api, isOver: () => boolean): Promise<void> {
  const { carrierConnection } = await send(
    service,
    'mutation { connectCarrier(input: { carrierCode: BRT, label: "Copied" }) { carrierConnection { databaseId } } }',
  );
  const recipient = { companyName: 'Anna', address: 'Via Roma 1', postalCode: '20121', city: 'Milano' };
  for (let turn = 0; !isOver(); turn++) {
    const numbers = [0, 1, 2].map(i => `C${turn % 20}-${i}`);
    const input = numbers.map(trackingNumber => ({
      carrierConnectionId: carrierConnection.databaseId,
      trackingNumber,
      recipient,
      weight: String(1 + (turn % 7)),
    }));
    expect(await send(service, UPSERT, { input })).toEqual({ rejected: 0 });
    const events = numbers.map(trackingNumber => ({
      trackingNumber,
      occurredAt: new Date(Date.UTC(2026, 9, 1) + turn * 60_000).toISOString(),
      statusCode: turn % 2 ? 'IN_TRANSIT' : 'AT_DEPOT',
    }));
    expect(await send(service, RECORD, { input: events })).toEqual({ rejected: 0 });
  }
}

test('A consumer keeps a complete copy while it, the service and PostgreSQL are killed', {
  timeout: 6 * DEADLINE_MS,
}, async () => {
  const dataDir = await processes.dataDir();
  const port = await freePort();
  const settings: Env = { ...UNLIMITED, DATA_DIR: dataDir, PORT: String(port), DEMO: 'false', ROLE: 'api' };
  const cli = async (...args: string[]) => answerOf(await processes.cli(['--json', ...args], settings));
  const { companyId } = await cli('company', 'create', '--name', 'Copied');
  const { apiKey } = await cli('key', 'create', '--company', companyId, '--label', 'Copy', '--scopes', 'all');
  const first = await processes.service(settings);
  const service = { url: first.url, apiKey };
  let running = first.program;
  const file = join(folder, 'copy.json');
  const readCopy = async (): Promise<Json> => JSON.parse(await readFile(file, 'utf8'));
  const consume = () => new Program([CONSUMER], { API_URL: first.url, API_KEY: apiKey, COPY_FILE: file });

  let isOver = false;
  let consumer = consume();
  const writing = write(service, () => isOver);
  try {
    /** It has more than the log had when this was called. */
    const goesOn = async () => {
      const { latest } = await send(service, '{ changeLog { latest } }');
      await vi.waitFor(async () => expect((await readCopy()).last).toBeGreaterThan(latest ?? 0), SOON);
    };
    await goesOn();
    consumer.kill('SIGKILL');
    await consumer.ended();
    consumer = consume();
    await goesOn();
    process.kill((await embeddedServer(dataDir))?.pid ?? 0, 'SIGKILL');
    await goesOn();
    running.kill('SIGKILL');
    await running.ended();
    ({ program: running } = await processes.service(settings));
    await goesOn();

    isOver = true;
    await writing;
    const { latest } = await send(service, '{ changeLog { latest } }');
    const copy = await vi.waitFor(async () => {
      const now = await readCopy();
      expect(now.last).toBe(latest);
      return now;
    }, SOON);
    expect({ stderr: consumer.stderr, runs: consumer.runs }).toEqual({ stderr: '', runs: true });

    const database = await processes.connect((await embeddedServer(dataDir))?.url ?? '');
    const { rows } = await database.query(
      'select id, tracking_number, upper(status_code) as status_code, weight::text as weight from shipment order by id',
    );
    const shipments = Object.values(copy.shipments as Json).map(({ id, trackingNumber, statusCode, weight }: Json) => {
      return { id: Number(keyOf(id)), tracking_number: trackingNumber, status_code: statusCode, weight };
    });
    expect(rows.length).toBeGreaterThan(0);
    expect(shipments.toSorted((a, b) => a.id - b.id)).toEqual(rows);

    // As a restored backup shows a shipment whose change it lost.
    const { rows: moved } = await database.query(
      `update shipment set status_code = 'delivered', updated_at = now() where id = (select max(id) from shipment) returning id`,
    );
    expect(moved).toHaveLength(1);
    // The copy is made anew, as after a restore too: that database may give its numbers to other changes.
    expect(await cli('changes', 'expire', '--yes')).toEqual({ companies: 1 });
    await vi.waitFor(async () => expect((await readCopy()).cursor).not.toBe(copy.cursor), SOON);
    const id = globalId('Shipment', moved[0].id);
    const whole = { ...copy.shipments, [id]: { ...copy.shipments[id], statusCode: 'DELIVERED' } };
    expect((await readCopy()).shipments).toEqual(whole);
  } finally {
    isOver = true;
    consumer.kill('SIGKILL');
    await Promise.allSettled([writing, consumer.ended()]);
  }
});
