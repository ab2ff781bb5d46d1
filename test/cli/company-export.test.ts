import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { createWebhook } from '../jobs/webhooks.ts';
import { PALERMO, quote } from '../rest/tariffs.ts';
import { furnishAll } from '../security/support/furnish.ts';
import { connectCarrier, order, shipment, upsertOrders, upsertShipments } from '../support/platform-side.ts';
import { REACHABLE, useReceiver } from '../support/receiver.ts';
import { type Caller, SECRETS_KEY, useWorld } from '../support/world.ts';
import { inProcess } from './in-process.ts';
import { answerOf, type Env, type Json, Program, useProcesses } from './processes.ts';

// `company export`: everything that a company has, as it is at one moment, in a form that can be taken back.

const receiver = useReceiver();
const processes = useProcesses();
const world = useWorld({ ...REACHABLE, CARRIER_SANDBOX_URL: 'http://127.0.0.1:9' });
let settings: Env;
let folder: string;
beforeAll(async () => {
  folder = await processes.dataDir();
  await mkdir(folder, { recursive: true });
  settings = {
    DATA_DIR: folder,
    DATABASE_URL: world.databaseUrl,
    SECRETS_KEY,
    CARRIER_SANDBOX_URL: 'http://127.0.0.1:9',
  };
});

const json = async (...args: string[]): Promise<Json> => answerOf(await inProcess(['--json', ...args], settings));

interface ManifestFile {
  readonly name: string;
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: string;
  readonly importedBy: string | null;
}

/** The content of an archive, unpacked by a common program. */
interface Unpacked {
  readonly folder: string;
  readonly manifest: {
    readonly files: readonly ManifestFile[];
    readonly leftOut: readonly { readonly what: string }[];
  };
  text(name: string): Promise<string>;
  lines(name: string): Promise<Json[]>;
}

let exports = 0;

async function exported({ companyId }: Pick<Caller, 'companyId'>): Promise<Unpacked & { readonly answer: Json }> {
  const name = `${folder}/export-${++exports}`;
  const answer = await json('company', 'export', '--company', companyId, '--out', `${name}.tar.gz`);
  return { ...(await unpack(name)), answer };
}

async function unpack(name: string): Promise<Unpacked> {
  await mkdir(name);
  const tar = new Program(['-xzf', `${name}.tar.gz`, '-C', name], {}, { file: 'tar' });
  expect(await tar.ended()).toMatchObject({ code: 0, stderr: '' });
  const text = (file: string) => readFile(`${name}/${file}`, 'utf8');
  return {
    folder: name,
    manifest: JSON.parse(await text('manifest.json')),
    text,
    lines: async file => (await text(file)).split('\n').flatMap(line => (line === '' ? [] : [JSON.parse(line)])),
  };
}

const LIST = `{
  orders(first: 50) { nodes { orderNumber marketplace marketplaceOrderId marketplaceOrderNumber codAmount metadata { key value }
    recipient { companyName address postalCode city province countryCode }
    parcels { weight length width height quantity } warehouse { name typeId address } } }
  shipments(first: 50) { nodes { trackingNumber statusCode statusAt reference parcelId parcelCount weight volume trackingUrl
    metadata { key value } orderNumber recipient { companyName address postalCode city }
    timeline { nodes { occurredAt statusCode description location note } }
    relatedShipments { nodes { type trackingNumber } } carrierConnection { carrierCode label } } }
  carrierConnections { nodes { carrierCode label isActive environment } }
  carrierReferences(first: 50) { nodes { carrierCode kind name } }
}`;

/** A record without the ids and times that a related shipment was given when it was stored. */
const unnumbered = (record: string) => record.replace(/"id":\d+|"createdAt":"[^"]+"/g, '');

/** All of a company that the graph shows, but for ids and for when it was stored. */
async function shown(caller: Caller): Promise<Json> {
  const { data, errors } = await caller.graphql<Json>(LIST);
  expect(errors).toBeUndefined();
  return data;
}

describe('A company export', () => {
  let source: Caller;
  let archive: Unpacked;
  const target = {} as { caller: Caller; connection: number; warehouse: number };
  beforeAll(async () => {
    source = await world.company();
    const { connection } = await furnishAll({ database: world.app.database }, source, receiver.url, 'Sorgente');
    const { companyId } = source;
    await writeFile(`${folder}/fuel.csv`, 'month;percent\n2026-10;4,5\n2026-11;5\n');
    await json('fuel', 'import', `${folder}/fuel.csv`, '--company', companyId, '--carrier', 'BRT');
    await writeFile(`${folder}/isole.json`, '{"postalCodes":["98055"],"provinces":["SU"]}');
    await json(
      'places',
      'import',
      `${folder}/isole.json`,
      '--company',
      companyId,
      '--carrier',
      'BRT',
      '--list',
      'isole',
    );
    await upsertOrders(source, [order('META', { metadata: { canale: 'eBay' }, codAmount: '12.5' })]);
    await upsertShipments(source, [
      shipment(connection as number, 'META1', {
        weight: '2.5',
        shippedAt: '2026-11-20T08:00:00Z',
        metadata: { a: 'b' },
      }),
    ]);
    archive = await exported(source);
  });

  test('has a manifest that says what each file holds, and by which command it is taken back', async () => {
    const { manifest } = archive;
    expect(manifest).toMatchObject({ format: 1, companyId: source.companyId, exportedAt: expect.any(String) });
    for (const { name, rows, bytes, sha256 } of manifest.files) {
      const text = await archive.text(name);
      expect([name, Buffer.byteLength(text)]).toEqual([name, bytes]);
      expect(createHash('sha256').update(text).digest('hex')).toBe(sha256);
      if (/\.(jsonl|csv)$/.test(name)) expect([name, text.split('\n').length - 1]).toEqual([name, rows]);
    }
    const written = await readdir(archive.folder, { recursive: true });
    const names = manifest.files.map(({ name }) => name);
    expect(written.filter(name => /\.\w+$/.test(name)).toSorted()).toEqual([...names, 'manifest.json'].toSorted());
    const commands = new Map(manifest.files.map(({ name, importedBy }) => [name.replace(/\d+/, 'ID'), importedBy]));
    expect(Object.fromEntries(commands)).toMatchObject({
      'warehouses.jsonl': null,
      'orders.jsonl': 'import orders',
      'shipments.jsonl': 'import shipments',
      'events.jsonl': 'import events',
      'tariffs/ID.json': 'tariff import',
      'fuel/BRT/fuel.csv': 'fuel import',
      'places/BRT/isole.json': 'places import',
      'records/saved_quote.jsonl': null,
    });
  });

  test('has the sandbox of the company in a folder of its own', async () => {
    const { companyId: liveId } = await world.company();
    const sandbox = await world.key(liveId, ['all'], undefined, 'sandbox');
    await upsertOrders(sandbox, [order('SANDBOX1')]);
    const { manifest, lines } = await exported({ companyId: liveId });
    expect(manifest).toMatchObject({ companyId: liveId, sandboxId: sandbox.companyId });
    expect(await lines('orders.jsonl')).toEqual([]);
    expect(await lines('sandbox/orders.jsonl')).toMatchObject([{ orderNumber: 'SANDBOX1' }]);
  });

  test('can be read only by the user who made it', async () => {
    expect((await stat(`${archive.folder}.tar.gz`)).mode & 0o777).toBe(0o600);
  });

  test('has every row of every other table, including tables of later versions', async () => {
    const { rows } = await world.pool.query<{ name: string }>(
      `select table_name as name from information_schema.columns join information_schema.tables using (table_schema, table_name)
        where table_schema = 'public' and column_name = 'company_id' and table_type = 'BASE TABLE'`,
    );
    const inArchive = archive.manifest.files.map(({ name }) => name.replace(/^records\/(.*)\.jsonl$/, '$1'));
    const leftOut = archive.manifest.leftOut.map(({ what }) => what);
    const missing = rows.map(({ name }) => name).filter(name => !inArchive.includes(name) && !leftOut.includes(name));
    const inOwnForm =
      /^(warehouse|carrier_connection|carrier_reference|customer_order|order_contact|shipment|tracking_event|webhook_endpoint|shipment_(contact|label|relation)|tariff(_version|_zone|_place|_band)?)$/;
    expect(missing.filter(name => !inOwnForm.test(name) && !/_p\d$/.test(name))).toEqual([]);
    const changes = await archive.lines('records/tracking_change.jsonl');
    const counted = await world.pool.query(
      'select count(*)::integer as count from tracking_change where company_id = $1',
      [source.companyId],
    );
    expect(changes).toHaveLength(counted.rows[0].count);
    expect(changes[0]).toMatchObject({ number: 1, kind: 'created' });
  });

  test('has no secret: no key or hash of a key, no credentials, no secret of a webhook', async () => {
    const { rows } = await world.pool.query<{ secret: Buffer | null }>(
      `select secret_hash as secret from api_key where company_id = $1
        union all select box from webhook_secret where company_id = $1
        union all select credentials from carrier_connection where company_id = $1
        union all select answer from idempotent_request where company_id = $1`,
      [source.companyId],
    );
    const secrets = rows.flatMap(({ secret }) => (secret ? [secret.toString('hex'), secret.toString('base64')] : []));
    expect(secrets.length).toBeGreaterThanOrEqual(8);
    for (const { name } of archive.manifest.files) {
      const text = await archive.text(name);
      for (const secret of [...secrets, source.apiKey, 'whsec_']) expect(text.includes(secret), name).toBe(false);
    }
    expect(archive.manifest.leftOut.map(({ what }) => what)).toEqual(
      expect.arrayContaining(['webhook_secret', 'api_key.secret_hash', 'carrier_connection.credentials']),
    );
  });

  test('can be imported into an empty company, which then shows the same', async () => {
    const caller = await world.company();
    const { companyId } = caller;
    const ids: { warehouses: Json; carriers: Json } = { warehouses: {}, carriers: {} };
    for (const { id, ...warehouse } of await archive.lines('warehouses.jsonl')) {
      ids.warehouses[id] = (await caller.rest('POST', '/warehouses', warehouse)).body.id;
    }
    for (const { carrierCompanyId, carrierCode, label } of await archive.lines('carriers.jsonl')) {
      const options = ['--company', companyId, '--carrier', carrierCode, '--label', label];
      ids.carriers[carrierCompanyId] = (await json('carrier', 'connect', ...options)).databaseId;
    }
    await writeFile(`${folder}/ids.json`, JSON.stringify(ids));
    for (const { name } of archive.manifest.files) {
      const [kind, of = '', last = ''] = name.split('/');
      const file = `${archive.folder}/${name}`;
      const named = last.split('.')[0] ?? '';
      const carrier = ['--company', companyId, '--carrier', of];
      if (kind === 'fuel') await json('fuel', 'import', file, ...carrier, '--index', named);
      if (kind === 'places') await json('places', 'import', file, ...carrier, '--list', named);
      if (kind !== 'tariffs') continue;
      const connection = String(ids.carriers[of.split('.')[0] ?? '']);
      await json('tariff', 'import', file, '--company', companyId, '--connection', connection, '--yes');
    }
    for (const kind of ['orders', 'shipments', 'events']) {
      const { manifest, folder: from } = archive;
      const rows = manifest.files.find(({ name }) => name === `${kind}.jsonl`)?.rows;
      const options = ['--company', companyId, '--ids', `${folder}/ids.json`];
      expect(await json('import', kind, `${from}/${kind}.jsonl`, ...options)).toMatchObject({
        created: rows,
        rejected: 0,
      });
    }
    for (const { url, events, topic } of await archive.lines('webhooks.jsonl')) {
      if (topic === 'tracking') await createWebhook(caller, url, events);
    }
    expect(await shown(caller)).toEqual(await shown(source));
    Object.assign(target, {
      caller,
      connection: Object.values(ids.carriers)[0],
      warehouse: Object.values(ids.warehouses)[0],
    });
  });

  test('gives the same prices after it was imported, and finds shipments by the same numbers', async () => {
    const [warehouse] = await archive.lines('warehouses.jsonl');
    const priceOf = async (caller: Caller, warehouseId: number) => {
      const { body } = await quote(caller, { warehouseId, destination: PALERMO, totalWeight: 7, totalVolume: 30_000 });
      return body.map(({ carrierCompanyId: _, ...item }: Json) => item);
    };
    const priced = await priceOf(source, warehouse.id);
    expect(priced).not.toEqual([]);
    expect(await priceOf(target.caller, target.warehouse)).toEqual(priced);
    const shipments = await archive.lines('shipments.jsonl');
    const numbers = shipments.flatMap(({ trackingNumber, labels = [] }: Json) => [trackingNumber, ...labels]);
    for (const number of numbers) {
      const path = `/shipments/tracking/by-tracking-number/${number}`;
      const [was, is] = [await source.rest('GET', path), await target.caller.rest('GET', path)];
      expect(unnumbered(is.text)).toEqual(unnumbered(was.text));
    }
    const contacts = (companyId: string) =>
      world.pool.query('select email, telephone from shipment_contact where company_id = $1 order by shipment_id', [
        companyId,
      ]);
    expect((await contacts(target.caller.companyId)).rows).toEqual((await contacts(source.companyId)).rows);
  });

  test('is recorded in the audit trail of the company, and so in itself', async () => {
    const [newest] = await json('audit', '--company', source.companyId, '--actions', 'company_exported');
    expect(newest).toMatchObject({ action: 'COMPANY_EXPORTED', actor: { kind: 'OPERATOR' } });
    const entries = await archive.lines('records/audit_entry.jsonl');
    expect(entries.at(-1)).toMatchObject({
      action: 'company_exported',
      hash: expect.stringMatching(/^\\x[0-9a-f]{64}$/),
    });
  });

  test('has nothing of another company', async () => {
    const other = await world.company();
    const { manifest, answer } = await exported(other);
    expect(answer).toMatchObject({ companyId: other.companyId, rows: 5 });
    const full = manifest.files.filter(({ rows }) => rows > 0).map(({ name, rows }) => `${name} ${rows}`);
    expect(full).toEqual(['records/api_key.jsonl 1', 'records/audit_entry.jsonl 3', 'records/audit_head.jsonl 1']);
  });
});

test('An export shows one moment while shipments are created', async () => {
  const caller = await world.company();
  const connection = await connectCarrier(caller);
  let isDone = false;
  let created = 0;
  const write = async () => {
    while (!isDone) {
      const numbers = Array.from({ length: 50 }, () => shipment(connection, `W${++created}`));
      await upsertShipments(caller, numbers);
    }
  };
  const writing = write();
  try {
    const { lines } = await exported(caller);
    const shipments = await lines('shipments.jsonl');
    const changes = await lines('records/tracking_change.jsonl');
    expect(changes).toHaveLength(shipments.length);
    expect(shipments.length % 50).toBe(0);
  } finally {
    isDone = true;
    await writing;
  }
});

test('An archive that exists is not written over, and one that cannot be finished is removed', async () => {
  const { companyId } = await world.company();
  const file = `${folder}/there.tar.gz`;
  await writeFile(file, 'kept');
  const refused = await inProcess(['company', 'export', '--company', companyId, '--out', file], settings);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('exists already')]);
  expect(await readFile(file, 'utf8')).toBe('kept');
  await world.pool.query('alter table tracking_event rename column note to note_away');
  try {
    const out = `${folder}/never.tar.gz`;
    const failed = await inProcess(['company', 'export', '--company', companyId, '--out', out], settings);
    expect(failed.code).toBe(1);
    expect((await readdir(folder)).filter(name => name.startsWith('never'))).toEqual([]);
  } finally {
    await world.pool.query('alter table tracking_event rename column note_away to note');
  }
});
