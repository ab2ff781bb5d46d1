import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { record, told } from '../graphql/webhook-calls.ts';
import { withClient } from '../support/databases.ts';
import { connectCarrier, createWarehouse, entriesOf, shipment, upsertShipments } from '../support/platform-side.ts';
import { REACHABLE, useReceiver } from '../support/receiver.ts';
import { SECRETS_KEY, useWorld } from '../support/world.ts';
import { inProcess } from './in-process.ts';
import { answerOf, type Env, type Json } from './processes.ts';

// Endpoints by the command line: their filter and selection, and what they would be sent.

const world = useWorld(REACHABLE);
const receiver = useReceiver();
let settings: Env;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'webhook-endpoints-'));
  settings = { ...REACHABLE, DATA_DIR: join(folder, 'data'), DATABASE_URL: world.databaseUrl, SECRETS_KEY };
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const run = (...args: string[]) => inProcess(['--json', 'webhook', ...args], settings);
const done = async (...args: string[]): Promise<Json> => answerOf(await run(...args));

async function fileOf(name: string, text: string): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, text);
  return file;
}

test('An endpoint can be created with a filter and a selection, tried out, changed, and shown', async () => {
  const caller = await world.company();
  const brt = await connectCarrier(caller);
  const company = ['--company', caller.companyId];
  const warehouseId = await createWarehouse(caller);
  const selection = await fileOf('a.graphql', '{ type shipment { trackingNumber metadata { key value } } }\n');
  await fileOf('metadata.json', '[{"key":"channel","values":["b2b","b2c"]},{"key":"team","values":["nord"]}]');
  const {
    secret,
    webhookEndpoint: { id, ...created },
  } = await done(
    ...[
      'create',
      ...company,
      '--label',
      'Shop',
      '--url',
      `${receiver.url}/a`,
      '--events',
      'tracking.delivered,tracking.in_transit',
    ],
    ...['--carriers', 'brt,GLS', '--warehouses', String(warehouseId), '--statuses', 'delivered,in_transit'],
    ...['--metadata', join(folder, 'metadata.json'), '--selection', selection],
  );
  expect(secret).toMatch(/^whsec_/);
  const filter = {
    carriers: ['BRT', 'GLS'],
    warehouseIds: [String(warehouseId)],
    marketplaces: null,
    statusCodes: ['DELIVERED', 'IN_TRANSIT'],
    metadata: [
      { key: 'channel', values: ['b2b', 'b2c'] },
      { key: 'team', values: ['nord'] },
    ],
  };
  expect(created).toMatchObject({
    label: 'Shop',
    filter,
    selection: expect.stringContaining('metadata'),
    state: 'ACTIVE',
  });
  expect(await done('list', ...company)).toMatchObject([{ id, filter, selection: created.selection }]);
  const { stdout } = await inProcess(['webhook', 'list', ...company], settings);
  expect(stdout).toContain('carriers BRT, GLS');
  expect(stdout).toContain('key channel, values b2b, b2c');

  const tried = await done('test', ...company, '--endpoint', id, '--event', 'tracking.delivered');
  expect(tried).toMatchObject({ eventType: 'TRACKING_DELIVERED' });
  const [request] = await receiver.waitFor(1, ({ path }) => path === '/a');
  expect(request?.json).toMatchObject({
    id: tried.eventId,
    data: { type: 'TRACKING_DELIVERED', shipment: { trackingNumber: '084000000000000', metadata: [] } },
  });

  const metadata = { channel: 'b2c', team: 'nord' };
  await upsertShipments(caller, [
    shipment(brt, 'n', { warehouseId, metadata }),
    shipment(brt, 'm', { warehouseId, metadata: { ...metadata, team: 'sud' } }),
  ]);
  await record(caller, told('n', 1, 'delivered'), told('m', 1, 'delivered'));
  const [, sent] = await receiver.waitFor(2, ({ path }) => path === '/a');
  expect(sent?.json.data.shipment).toEqual({ trackingNumber: 'n', metadata: entriesOf(metadata) });

  const update = ['update', ...company, '--endpoint', id];
  expect(await done(...update, '--carriers', 'GLS')).toMatchObject({ filter: { carriers: ['GLS'] }, label: 'Shop' });
  expect(await done(...update, '--label', 'Neu')).toMatchObject({ filter: { carriers: ['GLS'] }, label: 'Neu' });
  expect(await done(...update, '--selection', 'none')).toMatchObject({ selection: null });
  expect(await done('remove-filter', ...company, '--endpoint', id)).toMatchObject({ filter: null });
});

test('An invalid option of an endpoint is named', async () => {
  const { companyId } = await world.company();
  const base = [
    'create',
    '--company',
    companyId,
    '--label',
    'x',
    '--url',
    'https://8.8.8.8/',
    '--events',
    'tracking.*',
  ];
  const wrong: [string[], RegExp][] = [
    [['--carriers', 'XYZ'], /'--carriers <list>' argument 'XYZ' is invalid\. It must be one of AMAZON, BRT, /],
    [['--warehouses', '12'], /--warehouses 0 must be the id of a warehouse/],
    [['--warehouses', 'x'], /--warehouses 0 must be an id of the type warehouse, or its number/i],
    [['--statuses', 'gone'], /must be one of .*DELIVERED/],
    [['--metadata', '[{"key":"a b","values":["c"]}]'], /--metadata: \/0\/key must be a key of/],
    [
      ['--selection', await fileOf('b.graphql', '{\n  gone\n}')],
      /b\.graphql: must be a selection on WebhookEvent: WebhookEvent has no field gone; allowed are .*line 2, column 3/,
    ],
    [['--selection', join(folder, 'none.graphql')], /none\.graphql does not exist/],
  ];
  for (const [options, says] of wrong) {
    const { code, stderr } = await run(...base, ...options);
    expect(code, options.join(' ')).not.toBe(0);
    expect(stderr).toMatch(says);
  }
});

test('The doctor warns of a selection that this version cannot use, and says what to do', async () => {
  const { companyId } = await world.company();
  const url = 'https://8.8.8.8/';
  const selection = await fileOf('c.graphql', '{ type }');
  const options = ['--label', 'x', '--url', url, '--events', 'tracking.*', '--selection', selection];
  const {
    webhookEndpoint: { id },
  } = await done('create', '--company', companyId, ...options);
  const findings = async (): Promise<Json[]> => {
    const { stdout } = await inProcess(['--json', 'doctor'], settings);
    return JSON.parse(stdout).filter(({ check }: Json) => check === 'webhooks');
  };
  expect(await findings()).toEqual([
    { check: 'webhooks', status: 'ok', found: expect.stringMatching(/^all \d+ /), advice: null },
  ]);
  await withClient(world.ownerUrl, client =>
    client.query("update webhook_endpoint set selection = '{ gone }' where id = $1", [id]),
  );
  expect(await findings()).toEqual([
    {
      check: 'webhooks',
      status: 'warn',
      found: expect.stringMatching(new RegExp(`${id} of company ${companyId} .*has no field gone`)),
      advice: expect.stringContaining('webhook update --selection'),
    },
  ]);
});

test('An endpoint for notices can be created for one company or for all, changed, tried out, and shown', async () => {
  const { companyId } = await world.company();
  const company = ['--company', companyId];
  const notice = async (...args: string[]): Promise<Json> =>
    answerOf(await inProcess(['--json', 'notice', ...args, ...company], settings));
  const about = ['--label', 'On-call', '--url', `${receiver.url}/notices`];
  const { id, secret, ...made } = await notice('create', ...about, '--notices', 'notice.key_expiring');
  expect(secret).toMatch(/^whsec_/);
  expect(made).toMatchObject({ topic: 'notices', allCompanies: false, notices: ['notice.key_expiring'] });
  const all = await notice('create', ...about, '--notices', 'notice.*', '--all-companies');
  expect(all).toMatchObject({ topic: 'notices', allCompanies: true, notices: ['notice.*'] });
  const notices = ['NOTICE_KEY_EXPIRING', 'NOTICE_TARIFF_ENDING'];
  const updated = await notice('update', '--endpoint', id, '--notices', 'notice.key_expiring,notice.tariff_ending');
  expect(updated).toMatchObject({ id, notices });
  expect(await notice('list')).toMatchObject([
    { id: all.id, allCompanies: true },
    { id, allCompanies: false, notices },
  ]);
  const tried = await done('test', ...company, '--endpoint', id, '--event', 'notice.key_expiring');
  const [request] = await receiver.waitFor(1, ({ path }) => path === '/notices');
  expect(request?.json).toEqual(JSON.parse(tried.body));
  expect(request?.json).toMatchObject({ type: 'notice.key_expiring', company: { id: companyId } });
});
