import { spawn } from 'node:child_process';
import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OWN_CLOCK } from '../support/own-clock.ts';
import { connectCarrier, shipment, upsertShipments } from '../support/platform-side.ts';
import { freePort } from '../support/ports.ts';
import { type Caller, useSharedWorld } from '../support/world.ts';

// The program of the guide about carriers without an interface, with webhooks in the shapes that 17TRACK and AfterShip
// publish, and invented values.

const world = useSharedWorld();
const FILE = new URL('../../src/http/docs/tracking/aggregator.mjs', import.meta.url);
const SECRETS = { SEVENTEENTRACK_KEY: 'key-of-17track', AFTERSHIP_SECRET: 'secret-of-aftership' };

let caller: Caller;
let url: string;
let program: ReturnType<typeof spawn>;

async function start(secrets: object) {
  const port = String(await freePort());
  const env = { PATH: process.env.PATH, ...OWN_CLOCK, API_URL: world.app.url, API_KEY: caller.apiKey, PORT: port };
  const started = spawn(process.execPath, [fileURLToPath(FILE)], { env: { ...env, ...secrets } });
  await once(started.stdout, 'data');
  return { started, at: `http://127.0.0.1:${port}` };
}

beforeAll(async () => {
  caller = await world.company();
  const connection = await connectCarrier(caller, 'FERCAM');
  await upsertShipments(caller, [shipment(connection, 'FE0017001'), shipment(connection, 'FE0017002')]);
  ({ started: program, at: url } = await start(SECRETS));
});
afterAll(() => program?.kill());

const signed17 = (body: string) => createHash('sha256').update(`${body}/${SECRETS.SEVENTEENTRACK_KEY}`).digest('hex');
const signedShip = (body: string) => createHmac('sha256', SECRETS.AFTERSHIP_SECRET).update(body).digest('base64');

const post = async (path: string, body: string, headers: Record<string, string>, at = url) =>
  (await fetch(`${at}${path}`, { method: 'POST', body, headers })).status;
const post17 = (payload: object, body = JSON.stringify(payload)) => post('/17track', body, { sign: signed17(body) });
const postShip = (payload: object, body = JSON.stringify(payload)) =>
  post('/aftership', body, { 'aftership-hmac-sha256': signedShip(body) });

async function timeline(number: string) {
  const { body } = await caller.rest('GET', `/shipments/tracking/by-tracking-number/${number}`);
  return body.timeline.map((item: Record<string, string>) => [
    item.timestamp,
    item.label,
    item.description,
    item.location,
  ]);
}

const place = { country: null, state: null, city: null, street: null, postal_code: null };
const scan17 = (
  time: object,
  status: string,
  description: string,
  location: string | null,
  city: string | null = null,
) => ({
  ...{ time_iso: null, time_utc: null, time_raw: null, ...time },
  ...{ description, location, stage: status.split('_')[0], sub_status: status, address: { ...place, city } },
});

/** Version 2.4: the newest event first. */
const SEVENTEEN = {
  event: 'TRACKING_UPDATED',
  data: {
    number: 'FE0017001',
    carrier: 100_999,
    tag: null,
    track_info: {
      shipping_info: { shipper_address: place, recipient_address: place },
      latest_status: { status: 'Delivered', sub_status: 'Delivered_Other', sub_status_descr: null },
      milestone: [{ key_stage: 'PickedUp', time_iso: null, time_utc: null }],
      tracking: {
        providers_hash: 1,
        providers: [
          {
            provider: { key: 100_999, name: 'Fercam', alias: 'FERCAM', country: 'IT' },
            latest_sync_status: 'Success',
            events: [
              scan17({ time_utc: '2026-11-23T10:12:00Z' }, 'Delivered_Other', 'Consegnata', 'Torino'),
              scan17({ time_iso: '2026-11-23T08:40:00+01:00' }, 'OutForDelivery_Other', 'In consegna', null, 'Torino'),
              scan17({ time_utc: '2026-11-22T09:00:00Z' }, 'Exception_Delayed', 'In ritardo', 'Novara'),
              scan17(
                { time_raw: { date: '2026-11-20', time: '17:05:00', timezone: null } },
                ...(['InTransit_PickedUp', 'Ritirata', 'Verona'] as const),
              ),
              scan17({}, 'InfoReceived', 'Dati ricevuti', null),
            ],
          },
        ],
      },
    },
  },
};

const AFTERSHIP = {
  ts: 1_795_000_000,
  event: 'tracking_update',
  event_id: '0198f0c2-0000-4000-8000-000000000001',
  is_tracking_first_tag: true,
  msg: {
    id: 'x1',
    tracking_number: 'FE0017002',
    slug: 'fercam',
    tag: 'Exception',
    subtag: 'Exception_011',
    checkpoints: [
      ...[
        ['2026-11-20T17:05:00+01:00', 'InTransit', 'InTransit_001', 'Ritirata', 'Verona'],
        ['2026-07-01T09:00:00', 'InTransit', 'InTransit_007', 'Partita', 'Brescia'],
        ['2026-11-23T10:00:00', 'AttemptFail', 'AttemptFail_001', 'Assente', null],
        ['2026-11-24', 'Exception', 'Exception_001', 'Anomalia', 'Torino'],
        ['2026-11-26T11:00:00', 'Exception', 'Exception_011', 'Resa al mittente', 'Verona'],
      ].map(([checkpoint_time, tag, subtag, message, location]) => ({
        ...{ slug: 'fercam', created_at: '2026-11-26T12:00:00+00:00', country_iso3: 'ITA', coordinates: [] },
        ...{ checkpoint_time, tag, subtag, subtag_message: tag, message, location, city: location ?? 'Torino' },
      })),
    ],
  },
};

test('The guide shows the program for aggregators', () => {
  const guide = readFileSync(new URL('../../src/docs/other-carriers.md', import.meta.url), 'utf8');
  expect(guide).toContain(readFileSync(FILE, 'utf8').trim());
});

test('A webhook of 17TRACK becomes the events of a shipment whose carrier is not asked, once', async () => {
  expect([await post17(SEVENTEEN), await post17(SEVENTEEN)]).toEqual([204, 204]);
  expect(await timeline('FE0017001')).toEqual([
    ['2026-11-20T16:05:00.000Z', 'Spedita', 'Ritirata', 'Verona'],
    ['2026-11-22T09:00:00.000Z', 'In ritardo', 'In ritardo', 'Novara'],
    ['2026-11-23T07:40:00.000Z', 'In consegna', 'In consegna', 'Torino'],
    ['2026-11-23T10:12:00.000Z', 'Consegnata', 'Consegnata', 'Torino'],
  ]);
});

test('A webhook of AfterShip becomes the events of a shipment, with local times in Italy’s zone', async () => {
  expect(await postShip(AFTERSHIP)).toBe(204);
  expect(await timeline('FE0017002')).toEqual([
    ['2026-07-01T07:00:00.000Z', 'In transito', 'Partita', 'Brescia'],
    ['2026-11-20T16:05:00.000Z', 'In transito', 'Ritirata', 'Verona'],
    ['2026-11-23T09:00:00.000Z', 'Tentativo di consegna fallito', 'Assente', 'Torino'],
    ['2026-11-24T22:59:59.000Z', 'In giacenza', 'Anomalia', 'Torino'],
    ['2026-11-26T10:00:00.000Z', 'Restituita al mittente', 'Resa al mittente', 'Verona'],
  ]);
});

test('A webhook with another event, or for an unknown number, is accepted and changes nothing', async () => {
  const unknown = { ...SEVENTEEN, data: { ...SEVENTEEN.data, number: 'NOBODYS' } };
  const others = [unknown, { event: 'TRACKING_STOPPED', data: { number: 'FE0017001' } }];
  for (const payload of others) expect(await post17(payload)).toBe(204);
  expect(await postShip({ event: 'edd_revise', msg: { tracking_number: 'FE0017002' } })).toBe(204);
});

test('A webhook that the aggregator did not sign is rejected, and so is one whose secret is not set', async () => {
  const body = JSON.stringify(SEVENTEEN);
  for (const sign of ['', 'é', signed17(`${body} `), signedShip(body)]) {
    expect(await post('/17track', body, { sign })).toBe(401);
  }
  expect(await post('/17track', body, {})).toBe(401);
  expect(await post('/aftership', body, { 'aftership-hmac-sha256': signed17(body) })).toBe(401);
  const { started, at } = await start({});
  const ofNone = createHash('sha256').update(`${body}/undefined`).digest('hex');
  expect(await post('/17track', body, { sign: ofNone }, at)).toBe(404);
  started.kill();
});
