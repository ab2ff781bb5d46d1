import { beforeAll, expect, test } from 'vitest';
import { WAREHOUSE } from '../rest/feed.ts';
import { askedAt, CREDENTIALS, useLoggedApp, useSandbox } from '../support/carriers.ts';
import { REACHABLE, useReceiver } from '../support/receiver.ts';
import { type Caller, SECRETS_KEY, useWorld } from '../support/world.ts';
import { type Busy, beBusy, MARK, pollNow } from './busy.ts';

const SETTINGS = { METRICS_TOKEN: 'scrape-token-of-sixteen', OPS_PASSWORD: 'password-of-the-operators' };
const receiver = useReceiver();
const sandbox = useSandbox();
const world = useWorld(Object.assign(askedAt(sandbox), REACHABLE, { ROLE: 'api' }));
const logged = useLoggedApp(world, Object.assign(askedAt(sandbox), REACHABLE, SETTINGS, { ROLE: 'all' }));

let caller: Caller;
let busy: Busy;

beforeAll(async () => {
  caller = logged.as(await world.company());
  busy = await beBusy(caller, receiver);
  await pollNow(world, caller);
  await brokenDatabase();
  for (const path of ['/metrics', '/ops/jobs']) await fetch(logged.app.url + path);
});

/** What the service tells of statements that fail, which name the row they failed on. */
async function brokenDatabase(): Promise<void> {
  const table = async (change: string) => {
    await world.app.database.pool.query(`alter table warehouse ${change}`);
  };
  await table('add constraint broken check (length(address) < 5) not valid');
  const broken = await caller.rest('POST', '/warehouses', { ...WAREHOUSE, address: `Via ${MARK} 9` });
  await table('drop constraint broken');
  await table('rename column address to elsewhere');
  const gone = await caller.rest('POST', '/warehouses', { ...WAREHOUSE, address: `Via ${MARK} 9` });
  await table('rename column elsewhere to address');
  expect([broken.status, gone.status]).toEqual([500, 500]);
}

test('to the last trace, the log of all that has no key, secret, credential, recipient or address in it', () => {
  const log = logged.log();
  const hidden = [...busy.hidden, ...Object.values(SETTINGS), SECRETS_KEY, CREDENTIALS.GLS.depot as string];
  for (const secret of hidden) expect(log.toLowerCase()).not.toContain(secret.toLowerCase());
  // Nor where webhooks go, what answered, and how the database is entered.
  for (const address of [receiver.url, new URL(world.databaseUrl).password]) expect(log).not.toContain(address);
  expect(log).not.toMatch(/whsec_|sk_live_|bearer |basic [a-z0-9]/i);
  expect(log).not.toMatch(/[\w.+-]+@[\w-]+\.[a-z]{2,}/i);
});

test('and yet tells of each request, carrier, job and fault, by ids and codes', () => {
  const entries = () =>
    logged
      .log()
      .trim()
      .split('\n')
      .map(line => JSON.parse(line));
  const seen = () => new Set(entries().map(({ msg }) => msg));
  for (const what of ['request', 'request failed', 'carrier asked', 'job done']) expect(seen()).toContain(what);
  const requests = entries().filter(({ msg }) => msg === 'request');
  for (const one of requests) {
    expect(one).toEqual(expect.objectContaining({ requestId: expect.any(String), status: expect.any(Number) }));
    expect(one.durationMs).toBeGreaterThanOrEqual(0);
    expect(one.route).not.toContain(busy.trackingNumber);
  }
  const routes = requests.map(({ route }) => route);
  expect(routes).toEqual(expect.arrayContaining(['/ops/jobs', '/metrics', '/graphql']));
});
