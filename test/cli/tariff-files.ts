// Tariffs in files, and the commands that read and write them.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect } from 'vitest';
import { readTariff } from '../../src/domain/pricing/tariffs/check/tariff.check.rules.ts';
import { importTariff } from '../rest/feed.ts';
import { connectCarrier, createWarehouse } from '../support/platform-side.ts';
import { freePort } from '../support/ports.ts';
import { type Caller, useSharedWorld } from '../support/world.ts';
import { inProcess } from './in-process.ts';
import { answerOf, type Ended, type Env, type Json, useProcesses } from './processes.ts';

const DEMO = fileURLToPath(new URL('../../src/demo/tariffs', import.meta.url));
export const PALERMO = { country: 'IT', postalCode: '90139', city: 'Palermo', province: 'PA' };

export const demo = (carrier: string) => join(DEMO, `${carrier}.json`);
export const demoTariff = async (carrier: string): Promise<Json> => JSON.parse(await readFile(demo(carrier), 'utf8'));

/** A tariff as it is exported: with what the form supplies where it was left out. */
export const whole = (tariff: Json): Json => readTariff(tariff);

export const zone = (code: string, to: object, ...bands: [upToKg: number, price: number][]) => ({
  code,
  name: code,
  to,
  bands: bands.map(([upToKg, price]) => ({ upToKg, price })),
});

export const tariffOf = (...zones: object[]) => ({
  format: 2,
  name: 'Listino',
  versions: [{ label: '2020', validFrom: '2020-01-01', weight: { per: 'shipment', roundUp: [{ toKg: 0.1 }] }, zones }],
});

export const ITALY = tariffOf(zone('italia', { countries: ['IT'] }, [10, 5], [20, 8]));

/** The output of a command that exited with 1, without a result and without a stack. */
export function refusal({ code, stdout, stderr }: Ended): string[] {
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/\n$/);
  expect(stderr).not.toMatch(/^ +at |node_modules/m);
  return stderr.trimEnd().split('\n');
}

/** A company whose tariffs are imported, exported and quoted. */
export function useTariffCommands() {
  const world = useSharedWorld();
  const processes = useProcesses();
  let folder: string;
  let settings: Env;

  /** Settings with which no database can be opened. */
  let nowhere: Env;
  let caller: Caller;
  let warehouseId: number;
  beforeAll(async () => {
    folder = dirname(await processes.dataDir());
    settings = { DATA_DIR: join(folder, 'data'), DATABASE_URL: world.databaseUrl };
    nowhere = { DATA_DIR: join(folder, 'none'), DATABASE_URL: `postgres://me@127.0.0.1:${await freePort()}/x` };
    caller = await world.company();
    warehouseId = await createWarehouse(caller);
  });

  const run = (...args: string[]) => inProcess(['tariff', ...args, '--company', caller.companyId], settings);
  const json = async (...args: string[]): Promise<Json> => answerOf(await run(...args, '--json'));

  /** `tariff check`, which has no database. */
  const check = (...args: string[]) => inProcess(['--json', 'tariff', 'check', ...args], nowhere);

  let files = 0;

  /** Writes a file of its own for a test; answers where. */
  async function fileOf(name: string, content: string | Uint8Array): Promise<string> {
    const path = join(folder, String(++files), name);
    await mkdir(dirname(path));
    await writeFile(path, content);
    return path;
  }

  /** A connection, with a tariff unless there is none. */
  async function connection(tariff?: object, of = caller): Promise<number> {
    const id = await connectCarrier(of, 'GLS');
    if (tariff) await importTariff(of, id, tariff);
    return id;
  }

  /** The tariff of a connection in the graph. */
  async function stored(id: number): Promise<Json> {
    const { data } = await caller.graphql<{ tariffs: { nodes: Json[] } }>(
      '{ tariffs { nodes { id: databaseId carrierConnectionId } } }',
    );
    const { id: tariffId } = data.tariffs.nodes.find(({ carrierConnectionId }) => carrierConnectionId === id) ?? {};
    const whole = await caller.graphql<{ tariff: Json }>(
      'query ($id: ID!) { tariff(id: $id) { carrierConnectionId updatedAt document } }',
      { id: tariffId },
    );
    return whole.data.tariff;
  }

  /** The price of a parcel of 4 kg on a connection; undefined if the connection does not apply. */
  async function quoteOn(id: number, fields: object = {}): Promise<Json> {
    const parcels = [{ weight: 4, length: 10, width: 10, height: 10 }];
    const body = { warehouseId, destination: PALERMO, parcels, carrierCompanyIds: [id], ...fields };
    const answer = await caller.rest('POST', '/shipments/quote', body);
    expect(answer.status).toBe(200);
    return Array.isArray(answer.body) ? answer.body[0] : undefined;
  }

  return {
    world,
    processes,
    get folder() {
      return folder;
    },
    get caller() {
      return caller;
    },
    get warehouseId() {
      return warehouseId;
    },
    get settings() {
      return settings;
    },
    get nowhere() {
      return nowhere;
    },
    run,
    json,
    check,
    fileOf,
    connection,
    stored,
    quoteOn,
  };
}
