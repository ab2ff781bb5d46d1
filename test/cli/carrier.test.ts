import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { brt } from '../../src/sandbox/brt-stand-in.ts';
import { askedAt, CREDENTIALS, connectSandbox, useSandbox } from '../support/carriers.ts';
import { INSTANT } from '../support/instants.ts';
import { connectCarrier } from '../support/platform-side.ts';
import { type Caller, SECRETS_KEY, useWorld } from '../support/world.ts';
import { inProcess } from './in-process.ts';
import { answerOf, type Env, expectSentence, type Json, useProcesses } from './processes.ts';

const processes = useProcesses();
const sandbox = useSandbox({ carriers: [brt] });
const world = useWorld(askedAt(sandbox));
let settings: Env;
let folder: string;
let caller: Caller;
beforeAll(async () => {
  const dataDir = await processes.dataDir();
  folder = dirname(dataDir);
  settings = { DATA_DIR: dataDir, DATABASE_URL: world.databaseUrl, SECRETS_KEY, ...askedAt(sandbox) };
});

const run = (...args: string[]) => inProcess(['--json', 'carrier', ...args], settings);
const json = async (...args: string[]): Promise<Json> => answerOf(await run(...args));
const company = () => ['--company', caller.companyId];
const list = () => json('list', ...company());

describe('`carrier test`', () => {
  beforeAll(async () => {
    caller = await world.sandbox();
  });

  test('fails unless the carrier accepts the credentials', async () => {
    const [good, bad] = [await connectSandbox(caller, 'BRT'), await connectCarrier(caller, 'BRT')];
    const tested = await run('test', ...company(), '--connection', `${good}`);
    const accepted = { outcome: 'ACCEPTED', tracking: 'ACCEPTED', addressCheck: 'ACCEPTED' };
    expect(answerOf(tested)).toEqual(accepted);
    const failed = await run('test', ...company(), '--connection', `${bad}`);
    expect(failed).toMatchObject({ code: 1, stderr: '' });
    const none = { outcome: 'NO_CREDENTIALS', tracking: null, addressCheck: null };
    expect(JSON.parse(failed.stdout)).toEqual(none);
  });
});

describe('`carrier read`', () => {
  const evento = { id: '704', data: '24.11.2026', ora: '10.30', descrizione: 'CONSEGNATA', filiale: 'PALERMO' };
  const parcel = { esito: 0, executionMessage: { code: 0 }, lista_eventi: [{ evento }] };
  const body = JSON.stringify({ ttParcelIdResponse: parcel });
  const saved = async (name: string, bytes: string | Buffer) => {
    await writeFile(join(folder, name), bytes);
    return join(folder, name);
  };

  test('shows what the service reads in a response of a carrier, compressed or not', async () => {
    const plain = await saved('brt.json', body);
    const packed = await saved('brt.json.gz', gzipSync(body));
    const read = {
      finding: 'events',
      events: [
        {
          occurredAt: '2026-11-24T09:30:00.000Z',
          statusCode: 'delivered',
          code: '704',
          description: 'CONSEGNATA',
          location: 'PALERMO',
          note: null,
        },
      ],
      current: 'delivered',
      estimate: null,
      related: [],
      notUnderstood: [],
    };
    expect(await json('read', '--carrier', 'brt', plain)).toEqual(read);
    expect(await json('read', '--carrier', 'BRT', '--encoding', 'gzip', packed)).toEqual(read);
  });

  test('names what the service does not understand', async () => {
    const unknown = body.replace('"704"', '"XYZ"').replace('CONSEGNATA', 'TESTO NUOVO').replace('10.30', 'alle dieci');
    expect(await json('read', '--carrier', 'BRT', await saved('unknown.json', unknown))).toMatchObject({
      notUnderstood: ['no status for XYZ TESTO NUOVO', 'Orario non leggibile: 24.11.2026 alle dieci'],
    });
  });

  test('asks for the number, where the response has a shipment of another one', async () => {
    const shipment = { shipmentTrackingNumber: '4540441264', status: 'Success', events: [] };
    const file = await saved('dhl.json', JSON.stringify({ shipments: [shipment] }));
    const read = await inProcess(['carrier', 'read', '--carrier', 'DHL', file], settings);
    expect(read.stdout).toMatch(/^finding +not_found\nevents +–\n/);
    expectSentence(read.stderr);
    expect(read.stderr).toContain('--number');
    expect((await run('read', '--carrier', 'DHL', '--number', '4540441264', file)).stderr).toBe('');
  });

  test('gives the verdict on an address', async () => {
    const routing = { executionMessage: { code: -63 }, consigneeCity: '', consigneeZIPCode: '' };
    const file = await saved('routing.json', JSON.stringify({ routingResponse: routing }));
    const address = ['--address', 'Via Roma 1', '--city', 'Palermo', '--zip', '90139', '--province', 'PA'];
    expect(await json('read', '--carrier', 'BRT', ...address, file)).toMatchObject({ code: 'ADDRESS_NOT_FOUND' });
  });

  test('says which carriers and files it cannot read', async () => {
    const file = await saved('brt.json', body);
    const refusal = async (...args: string[]) => {
      const { code, stderr } = await run('read', ...args);
      expect(code).not.toBe(0);
      expectSentence(stderr);
      return stderr;
    };
    expect(await refusal('--carrier', 'PONY', file)).toContain('--carrier must be one of BRT, GLS, DHL');
    expect(await refusal('--carrier', 'FERCAM', file)).toContain('no interface to FERCAM');
    const address = ['--city', 'Milano', '--zip', '20121'];
    expect(await refusal('--carrier', 'POSTE', ...address, file)).toContain('no interface to POSTE for addresses');
    expect(await refusal('--carrier', 'BRT', join(folder, 'none.json'))).toContain("can't be read");
  });
});

describe('The commands for connections', () => {
  beforeAll(async () => {
    caller = await world.company();
  });

  test('change only what an update names, and list the connections of a company', async () => {
    const id = await connectCarrier(caller, 'BRT', 'Prima');
    const theirs = await connectCarrier(await world.company(), 'GLS', 'Loro');
    const find = async (): Promise<Json> => (await list()).find(({ databaseId }: Json) => databaseId === id);
    expect(await find()).toEqual({
      databaseId: id,
      carrierCode: 'BRT',
      label: 'Prima',
      environment: 'LIVE',
      isActive: true,
      hasCredentials: false,
      baseUrl: null,
      createdAt: expect.stringMatching(INSTANT),
      updatedAt: expect.stringMatching(INSTANT),
    });
    expect((await list()).some(({ databaseId }: Json) => databaseId === theirs)).toBe(false);

    const file = join(folder, 'brt.json');
    await writeFile(file, JSON.stringify(CREDENTIALS.BRT));
    const update = (...options: string[]) => json('update', ...company(), '--connection', `${id}`, ...options);
    const updated = await update(
      '--label',
      'Seconda',
      '--credentials',
      file,
      '--base-url',
      'https://93.184.215.14/brt',
    );
    expect(updated).toMatchObject({ databaseId: id, label: 'Seconda', isActive: true, hasCredentials: true });
    expect(updated.baseUrl).toBe('https://93.184.215.14/brt');
    const bare = await update('--active', 'no', '--base-url', 'none', '--credentials', 'none');
    expect(bare).toMatchObject({ label: 'Seconda', isActive: false, hasCredentials: false, baseUrl: null });
    expect(await find()).toMatchObject(bare);
  });

  test('name the option of an invalid value', async () => {
    const id = await connectCarrier(caller, 'BRT');
    const file = join(folder, 'wrong.json');
    await writeFile(file, '{"userId":"x","contractCode":"y"}');
    const cases = [
      { options: ['--base-url', 'http://127.0.0.1'], names: ['--base-url must'] },
      {
        options: ['--label', '', '--credentials', file],
        names: ['--label must', '--credentials contractCode must'],
      },
    ];
    for (const { options, names } of cases) {
      const ended = await run('update', ...company(), '--connection', `${id}`, ...options);
      expect(ended).toMatchObject({ code: 2, stdout: '' });
      expectSentence(ended.stderr);
      for (const name of names) expect(ended.stderr).toContain(name);
    }
  });

  test('no longer list a connection that is disconnected', async () => {
    const id = await connectCarrier(caller, 'BRT', 'Terza');
    expect(await json('disconnect', ...company(), '--connection', `${id}`, '--yes')).toMatchObject({ label: 'Terza' });
    expect((await list()).map(({ label }: Json) => label)).not.toContain('Terza');
  });
});
