import { beforeAll, describe, expect, test } from 'vitest';
import { SECRETS } from '../../src/service-settings.ts';
import { askedAt, CREDENTIALS, useLoggedApp, useSandbox } from '../support/carriers.ts';
import { LogWatch } from '../support/log-watch.ts';
import { operators } from '../support/operators.ts';
import { WAREHOUSE } from '../support/platform-side.ts';
import { REACHABLE, useReceiver } from '../support/receiver.ts';
import { type Caller, useWorld } from '../support/world.ts';
import { type Busy, beBusy, MARK, pollNow } from './busy.ts';

const SETTINGS = {
  METRICS_TOKEN: 'scrape-token-of-sixteen',
  OPS_USERS: operators({ anna: 'password-of-the-operators' }),
};
const receiver = useReceiver();
const sandbox = useSandbox();
const world = useWorld(Object.assign(askedAt(sandbox), REACHABLE, { ROLE: 'api' }));
const logged = useLoggedApp(world, Object.assign(askedAt(sandbox), REACHABLE, SETTINGS, { ROLE: 'all' }));

let caller: Caller;
let busy: Busy;

beforeAll(async () => {
  caller = logged.as(await world.sandbox());
  busy = await beBusy(caller, receiver);
  await pollNow(world, caller);
  await brokenDatabase();
  for (const path of ['/metrics', '/ops/jobs']) await fetch(logged.app.url + path);
});

/** The log lines of failed statements, whose errors quote the failed row. */
async function brokenDatabase(): Promise<void> {
  const table = async (change: string) => {
    await world.pool.query(`alter table warehouse ${change}`);
  };
  await table('add constraint broken check (length(address) < 5) not valid');
  const broken = await caller.rest('POST', '/warehouses', { ...WAREHOUSE, address: `Via ${MARK} 9` });
  await table('drop constraint broken');
  await table('rename column address to elsewhere');
  const gone = await caller.rest('POST', '/warehouses', { ...WAREHOUSE, address: `Via ${MARK} 9` });
  await table('rename column elsewhere to address');
  expect([broken.status, gone.status]).toEqual([500, 500]);
}

test('The log of these requests and jobs, to the last trace, has no part of a key, secret, credential, recipient or address', () => {
  const log = logged.log().toLowerCase();
  // Nor where webhooks go.
  for (const hidden of [...busy.hidden, CREDENTIALS.GLS.depot as string, receiver.url]) {
    expect(log).not.toContain(hidden.toLowerCase());
  }
});

test('The log has a line for each request, carrier, job and fault, with ids and codes', () => {
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

describe('The scan of a log', () => {
  const recipient = { companyName: 'Ada "Conti" & figli', address: 'Via Libertà 12', telephone: '+39 091 5550123' };
  const key = { id: '0123456789abcdef'.repeat(2), secret: 'k3Y'.repeat(14) };
  const watching = () => {
    const watch = new LogWatch();
    watch.settings({ ...SETTINGS, DATABASE_URL: 'postgres://service:pass-of-the-database@127.0.0.1/db', ROLE: 'api' });
    watch.issued(`sk_live_${key.id}_${key.secret}z_00000000`);
    watch.issued(JSON.stringify({ id: '1', secret: 'whsec_c2VjcmV0+b2Y/YW4=' }));
    watch.sent(JSON.stringify({ query: '', variables: { input: { recipient, orderNumber: 'NUMBER-1' } } }));
    watch.sent('{"name":"Magazzino centrale","city":"Palermo","postalCode":"90139"}');
    watch.sent(
      'mutation { connectCarrier(input: { credentials: { username: "sandbox", password: "di \\"casa\\"" } }) }',
    );
    watch.sent('{"url":"https://hooks.example.com/of-a-shop"}');
    return watch;
  };
  const offences = (entry: object) => {
    const watch = watching();
    watch.read(JSON.stringify({ msg: 'before' }));
    watch.read(JSON.stringify({ ...entry, msg: 'here' }));
    return watch.offences();
  };

  test.each([
    ['API key', 'sk_live_whatever'],
    ['API key', `${key.secret}z`],
    ['webhook secret', 'whsec_whatever'],
    ['webhook secret', 'c2VjcmV0+b2Y/YW4='],
    ['bearer token', 'Bearer abc'],
    ['basic credentials', 'Basic YTpi'],
    ['e-mail address', 'ada@example.com'],
    ['setting', SETTINGS.METRICS_TOKEN],
    ['setting', SETTINGS.OPS_USERS],
    ['setting', 'pass-of-the-database'],
    ['personal data', recipient.companyName],
    ['personal data', recipient.address],
    ['personal data', recipient.address.toUpperCase()],
    ['personal data', recipient.telephone],
    ['personal data', 'Magazzino centrale'],
    ['personal data', 'Palermo'],
    ['carrier credential', 'di "casa"'],
    ['webhook address', 'https://hooks.example.com/of-a-shop'],
  ])('finds a %s: %s', (kind, secret) => {
    const line = JSON.stringify({ reason: 'so: ***!', msg: 'here' });
    expect(offences({ reason: `so: ${secret}!` })).toEqual([{ kind, line }]);
    expect(offences({ input: { of: [secret] } })).toMatchObject([{ kind }]);
    expect(offences({ [secret]: 1 })).toMatchObject([{ kind }]);
  });

  test.each(SECRETS)('finds a setting: the value of %s', name => {
    const watch = new LogWatch();
    watch.settings({ [name]: 'value-of-a-secret' });
    watch.read(JSON.stringify({ reason: 'so: value-of-a-secret!', msg: 'here' }));
    expect(watch.offences()).toMatchObject([{ kind: 'setting' }]);
  });

  test('finds nothing else', () => {
    const codes = { route: '/warehouses/{id}', orderNumber: 'NUMBER-1', postalCode: '90139', environment: 'sandbox' };
    expect(offences({ ...codes, requestId: crypto.randomUUID(), apiKeyId: key.id, status: 200 })).toEqual([]);
  });
});
