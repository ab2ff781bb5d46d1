import type pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { readTariff } from '../../src/domain/tariffs/check/tariff.check.rules.ts';
import { migratedUpTo } from './earlier-database.ts';
import { inProcess } from './in-process.ts';
import { answerOf, type Json, useProcesses } from './processes.ts';

// `migrate` keeps the tariffs of versions that had them in tables.

const MIGRATION = 'Migration20261126000003_one_tariff_store';
const processes = useProcesses();

const companyId = '00000000-0000-4000-8000-00000000000a';

const weight = { per: 'shipment', roundUpToKg: 0.5 };
const fuel = { description: 'Carburante', of: ['base'], rates: [{ from: '2025-01-01', percent: 8.5 }] };

/** As version 0.1 kept it. */
const OF_0_1 = {
  name: 'Listino 0.1',
  currency: 'EUR',
  versions: [
    {
      label: '2025',
      validFrom: '2025-01-01',
      validUntil: '2025-12-31',
      weight,
      limits: {},
      zones: [
        {
          code: 'italia',
          name: 'Italia',
          to: { postalCodes: ['20121', '20122'], regions: ['Sicilia'], anywhere: true },
          deliveryDays: 2,
          bands: [
            { upToKg: 2.5, price: 4.35 },
            { upToKg: 10, price: 6 },
          ],
          beyond: { everyKg: 5, price: 1.1 },
        },
        { code: 'isole', name: 'Isole', to: { provinces: ['CA'] }, notServed: 'Consegna sospesa', bands: [] },
      ],
      surcharges: [],
      options: [],
      fuel,
    },
    {
      label: '2026',
      validFrom: '2026-01-01',
      validUntil: '2026-12-31',
      weight,
      limits: { parcelKg: 30 },
      zones: [{ code: 'italia', name: 'Italia', to: { countries: ['IT'] }, bands: [{ upToKg: 30, price: 7 }] }],
      surcharges: [],
      options: [],
      cod: { fixed: 3, maximumAmount: 500 },
    },
  ],
};

/** With what only rules in JSON held. */
const OF_FORMAT_2 = {
  format: 2,
  name: 'Listino con origini',
  currency: 'EUR',
  versions: [
    {
      label: '2026',
      validFrom: '2026-01-01',
      origins: [{ code: 'milano', warehouses: [1] }],
      weight: { per: 'parcel', volumetric: [], minimums: [], roundUp: [{ toKg: 1 }] },
      limits: {},
      zones: [
        {
          code: 'italia',
          name: 'Italia',
          from: ['milano'],
          to: { countries: ['IT'], lists: ['isole'], except: { regions: ['Sardegna'] } },
          bands: [
            { upToKg: 10, perKg: 0.5, minimum: 4 },
            { upToKg: 20, price: 3 },
          ],
          beyond: [{ everyKg: 10, price: 2 }],
          pallets: [],
        },
      ],
      surcharges: [],
      fuel: [],
      options: [],
      cod: [],
      insurance: [],
      afterShipment: [],
    },
  ],
};

const RECORDED = { ...OF_0_1, name: 'Listino con revisione' };

async function insertConnection(client: pg.Client, id: number): Promise<void> {
  await client.query(
    `insert into carrier_connection (company_id, id, carrier_code, label, is_active, credentials)
      values ($1, $2, 'BRT', 'Conto', true, 'sealed')`,
    [companyId, id],
  );
}

/** Writes a tariff into the tables as the version before did. */
async function insertTariff(client: pg.Client, id: number, { name, versions }: Json, format: 1 | 2): Promise<void> {
  await insertConnection(client, id);
  await client.query(
    `insert into tariff (company_id, id, carrier_connection_id, name, valid_until, format) values ($1, $2, $2, $3, $4, $5)`,
    [companyId, id, name, versions.at(-1).validUntil ?? null, format],
  );
  for (const { label, validFrom, validUntil: _, zones, ...rules } of versions) {
    const version = [companyId, id, validFrom];
    await client.query('insert into tariff_version values ($1, $2, $3, $4, $5)', [...version, label, rules]);
    for (const [position, zone] of zones.entries()) {
      const { code, name: zoneName, deliveryDays, notServed, to, bands, beyond, ...others } = zone;
      const { lists, except, ...places } = to;
      const isStep = format === 1 && beyond;
      await client.query(
        `insert into tariff_zone (company_id, tariff_id, valid_from, code, position, name, delivery_days, not_served,
            step_grams, step_cents, rules) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
        [
          ...[...version, code, position, zoneName, deliveryDays, notServed],
          ...(isStep ? [beyond.everyKg * 1000, Math.round(beyond.price * 100)] : [null, null]),
          format === 2 ? { ...others, beyond, to: { lists, except } } : null,
        ],
      );
      for (const [kind, all] of Object.entries(places)) {
        for (const [i, place] of (Array.isArray(all) ? all : ['anywhere']).entries()) {
          await client.query(
            `insert into tariff_place (company_id, tariff_id, valid_from, zone_code, kind, position, place)
              values ($1, $2, $3, $4, $5, $6, $7)`,
            [...version, code, kind, i, place],
          );
        }
      }
      for (const { upToKg, price, ...rest } of bands) {
        const isPlain = Object.keys(rest).length === 0;
        await client.query(
          `insert into tariff_band (company_id, tariff_id, valid_from, zone_code, up_to_grams, price_cents, rules)
            values ($1, $2, $3, $4, $5, $6, $7)`,
          [
            ...[...version, code, upToKg * 1000, Math.round((price ?? 0) * 100)],
            isPlain ? null : { ...(price !== undefined && { price }), ...rest },
          ],
        );
      }
    }
  }
}

describe('migrate', () => {
  let env: Readonly<Record<string, string>>;
  let client: pg.Client;
  beforeAll(async () => {
    const url = await migratedUpTo(processes, MIGRATION);
    env = { DATABASE_URL: url };
    client = await processes.connect(url);
    await client.query("insert into company (id, name) values ($1, 'A')", [companyId]);
    await insertTariff(client, 1, OF_0_1, 1);
    await insertTariff(client, 2, OF_FORMAT_2, 2);
    await insertTariff(client, 3, RECORDED, 1);
    await client.query(
      `insert into carrier_tariff_revision (company_id, carrier_connection_id, number, content, name, document, author, published_at)
        select $1, 3, 1, -1, 'Prima', $2::jsonb, 'operator', now()
        union all select company_id, id, 2, revision, 'Seconda', $3::jsonb, 'operator', now() from tariff where id = 3`,
      [companyId, JSON.stringify(OF_0_1), JSON.stringify(RECORDED)],
    );
    await insertConnection(client, 4);
    const { migrations } = answerOf(await inProcess(['migrate', '--json'], env));
    expect(migrations).toContain(MIGRATION);
  });

  const run = (...args: string[]) => inProcess(['tariff', ...args], env);
  const exported = async (connection: number) =>
    JSON.parse((await run('export', '--connection', String(connection))).stdout);

  test.each([
    ['a tariff of version 0.1', 1, OF_0_1],
    ['a tariff with rules beside its tables', 2, OF_FORMAT_2],
    ['a tariff that is a revision already', 3, RECORDED],
  ])('keeps %s, as it would be imported', async (_, connection, tariff) => {
    expect(await exported(connection)).toEqual(readTariff(tariff));
  });

  test('translates the revisions before, which can be compared', async () => {
    const { changes } = answerOf(await run('diff', '3', '--from', '1', '--to', '2', '--json'));
    expect(changes).toMatchObject([{ path: 'name', before: 'Listino 0.1', after: 'Listino con revisione' }]);
  });

  test('makes it the revision in force, after those that the connection has', async () => {
    const history = async (connection: number) =>
      (answerOf(await run('history', String(connection), '--json')) as Json[]).map(
        ({ number, name, state, author }) => [...[number, name, state, author]],
      );
    expect(await history(1)).toEqual([[1, 'Listino 0.1', 'in_force', 'unknown']]);
    expect(await history(3)).toEqual([
      [2, 'Seconda', 'in_force', 'operator'],
      [1, 'Prima', 'replaced', 'operator'],
    ]);
    expect(await history(4)).toEqual([]);
  });

  test('lists its versions and its end', async () => {
    const all = answerOf(await run('list', '--json')) as Json[];
    expect(all.map(({ tariff, versions, validUntil }) => [tariff, versions, validUntil])).toEqual([
      ['Listino 0.1', ['2025-01-01', '2026-01-01'], '2026-12-31'],
      ['Listino con origini', ['2026-01-01'], null],
      ['Listino con revisione', ['2025-01-01', '2026-01-01'], '2026-12-31'],
      [null, null, null],
    ]);
  });
});
