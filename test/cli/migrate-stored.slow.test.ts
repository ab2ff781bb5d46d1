import type pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { readTariff } from '../../src/domain/tariffs/check/tariff.check.rules.ts';
import { migratedUpTo } from './earlier-database.ts';
import { inProcess } from './in-process.ts';
import { answerOf, useProcesses } from './processes.ts';

const processes = useProcesses();
const MIGRATION = 'Migration20261126000004_stored_names';
const companyId = '00000000-0000-4000-8000-00000000000a';

/** Selections of version 0.2, and what an upgrade makes of each. */
const SELECTIONS: readonly (readonly [was: string, is: string])[] = [
  ['{ type shipment { trackingNumber statusCode } }', '{ type shipment { trackingNumber statusCode } }'],
  [
    '{ at shipment { status when: deliveredDate order { shipments { nodes { parcelNumber } } } } }',
    '{ at: recordedAt shipment { status: statusLabel when: deliveredAt order { shipments { nodes { parcelNumber: parcelCount } } } } }',
  ],
  [
    '{ event { ...E } shipment { following { misses } ... on Shipment { deliveryEstimate { date } } } } fragment E on TrackingEvent { timestamp label }',
    '{ event { ...E } shipment { following: polling { misses: consecutiveFailures } ... on Shipment { deliveryEstimate { date: expectedAt } } } } fragment E on TrackingEvent { timestamp: occurredAt label: statusLabel }',
  ],
  [
    '{ shipment { following { ...F ... on ShipmentFollowing { nextAskAt } } } } fragment F on ShipmentFollowing { misses }',
    '{ shipment { following: polling { ...F ... on ShipmentPolling { nextAskAt: nextPollAt } } } } fragment F on ShipmentPolling { misses: consecutiveFailures }',
  ],
  // Near the limit of what could be saved: an alias for each field makes it longer.
  [`{ ${'at '.repeat(480)}}`, `{ ${'at: recordedAt '.repeat(480)}}`],
  // No selection gives a list any more, so that its endpoint is named by `doctor`.
  [
    '{ shipment { status timeline(last: 1) { label } } }',
    '{ shipment { status: statusLabel timeline(last: 1) { label: statusLabel } } }',
  ],
];

/** Prices of quotes that version 0.2 saved, with the rates of their VAT that an upgrade finds. */
const PRICES = [
  [{ totalPrice: 10.25, vatRate: 22, vatAmount: 2.26 }, [{ rate: 22, taxable: 10.25, amount: 2.26 }]],
  [{ totalPrice: 20, vatRate: 22, vatAmount: 2.2 }, undefined],
] as const;

/** A tariff of version 0.1. */
const OF_0_1 = {
  name: 'Listino',
  currency: 'EUR',
  versions: [
    {
      label: '2025',
      validFrom: '2025-01-01',
      weight: { per: 'shipment', roundUpToKg: 0.5 },
      limits: {},
      zones: [{ code: 'italia', name: 'Italia', to: { countries: ['IT'] }, bands: [{ upToKg: 30, price: 7 }] }],
      surcharges: [],
      options: [],
    },
  ],
};

const FILTER = { late: true, carriers: ['BRT'], created: { from: null }, carrierCompanyId: 7 };
const TALLY = { tariffs: [{ all: { shipments: 1 } }], booked: { 7: { shipments: 1 } }, shipments: 1 };

describe('An upgrade', () => {
  let client: pg.Client;
  let url: string;
  const ids: string[] = [];

  async function simulation(id: number, state: 'running' | 'done'): Promise<void> {
    const tariff = { name: 'Listino', document: null };
    const plan = { filter: FILTER, tariffs: [{ ...tariff, document: OF_0_1 }], booked: [tariff] };
    await client.query(
      `insert into tariff_simulation (company_id, id, state, about, plan, tally, position_key, position_id, progress, batches, finished_at)
        values ($1, $2, $3, $4, $5, $6, 5, 6, 0.5, 1, case $3 when 'done' then now() end)`,
      [companyId, id, state, { tariffs: [{ name: 'Listino' }] }, plan, JSON.stringify(TALLY)],
    );
    await client.query(`insert into tariff_simulation_page values ($1, $2, 1, 1, 'x')`, [companyId, id]);
  }

  beforeAll(async () => {
    url = await migratedUpTo(processes, MIGRATION);
    client = await processes.connect(url);
    await client.query(`insert into company (id, name) values ($1, 'Prova')`, [companyId]);
    for (const [was] of SELECTIONS) {
      const { rows } = await client.query(
        `insert into webhook_endpoint (company_id, id, label, url, events, secret_last4, selection)
          values ($1, gen_random_uuid(), 'x', 'https://8.8.8.8/\u00fc', '{tracking.*}', 'abcd', $2) returning id`,
        [companyId, was],
      );
      ids.push(rows[0].id);
    }
    await client.query(
      `insert into carrier_connection (company_id, id, carrier_code, label, is_active) values ($1, 7, 'BRT', 'x', true)`,
      [companyId],
    );
    for (const [price] of PRICES) {
      await client.query(
        `insert into saved_quote (company_id, carrier_connection_id, request, shipment, price) values ($1, 7, '{}', '{}', $2)`,
        [companyId, price],
      );
    }
    await simulation(1, 'done');
    await simulation(2, 'running');
    expect(answerOf(await inProcess(['migrate', '--json'], { DATABASE_URL: url })).migrations).toContain(MIGRATION);
  });

  test('renames fields in selections of webhooks, whose payloads keep the old names, and names the others', async () => {
    const { rows } = await client.query('select id, selection from webhook_endpoint');
    const selectionOf = new Map(rows.map(({ id, selection }) => [id, selection]));
    expect(ids.map(id => selectionOf.get(id))).toEqual(SELECTIONS.map(([, is]) => is));
    const { stdout } = await inProcess(['--json', 'doctor'], { DATABASE_URL: url });
    const findings = (JSON.parse(stdout) as { check: string; status: string; found: string }[]).filter(
      ({ check }) => check === 'webhooks',
    );
    expect(findings).toMatchObject([{ status: 'warn', found: expect.stringContaining(ids[5] ?? '') }]);
  });

  test('stores URLs of webhooks in ASCII', async () => {
    const { rows } = await client.query('select distinct url from webhook_endpoint');
    expect(rows).toEqual([{ url: 'https://8.8.8.8/%C3%BC' }]);
  });

  test('stores the VAT of a saved quote by its rate, if one rate gives all of it', async () => {
    const { rows } = await client.query('select price from saved_quote order by id');
    expect(rows.map(({ price }) => price.vatBreakdown)).toEqual(PRICES.map(([, breakdown]) => breakdown));
  });

  test('gives simulations the names of today, and lets one that runs begin again', async () => {
    const { rows } = await client.query(
      `select state, about, plan, tally, position_id as position, progress, batches, (select count(*)::integer
          from tariff_simulation_page p where (p.company_id, p.simulation_id) = (s.company_id, s.id)) as pages
        from tariff_simulation s order by id`,
    );
    const listed = { name: 'Listino', service: null };
    const filter = { isLate: true, carriers: ['BRT'], createdAt: { from: null }, carrierConnectionId: 7 };
    const tariffs = [{ ...listed, document: readTariff(OF_0_1) }];
    const plan = { filter, tariffs, booked: [{ ...listed, document: null }] };
    const account = { months: {}, account: { charges: [] } };
    const sums = { all: { shipments: 1 }, services: {}, ...account };
    const done = { shipments: 1, tariffs: [sums], booked: { 7: { shipments: 1, ...account } } };
    const about = { tariffs: [listed] };
    expect(rows).toEqual([
      { state: 'done', about, plan, tally: done, position: 6, progress: 0.5, batches: 1, pages: 1 },
      {
        ...{ state: 'running', about, plan, position: null, progress: 0, batches: 0, pages: 0 },
        tally: expect.objectContaining({ shipments: 0, booked: {} }),
      },
    ]);
  });
});
