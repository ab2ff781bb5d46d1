import { expect, test } from 'vitest';
import { migratedUpTo } from './earlier-database.ts';
import { inProcess } from './in-process.ts';
import { answerOf, useProcesses } from './processes.ts';

const processes = useProcesses();
const BEFORE = 'Migration20261126140000_selection_names';
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

test('An upgrade renames fields in selections of webhooks, whose payloads keep the old names, and names the others', async () => {
  const url = await migratedUpTo(processes, BEFORE);
  const client = await processes.connect(url);
  await client.query(`insert into company (id, name) values ($1, 'Prova')`, [companyId]);
  const ids: string[] = [];
  for (const [was] of SELECTIONS) {
    const { rows } = await client.query(
      `insert into webhook_endpoint (company_id, id, label, url, events, secret_last4, selection)
        values ($1, gen_random_uuid(), 'x', 'https://8.8.8.8/', '{tracking.*}', 'abcd', $2) returning id`,
      [companyId, was],
    );
    ids.push(rows[0].id);
  }
  await client.query(
    `insert into tariff_simulation (company_id, state, about, plan, tally)
      values ($1, 'running', '{}', '{"filter": {"late": true, "carriers": ["BRT"], "created": {"from": null}}}', '{}')`,
    [companyId],
  );
  expect(answerOf(await inProcess(['migrate', '--json'], { DATABASE_URL: url })).migrations).toContain(BEFORE);

  const { rows } = await client.query('select id, selection from webhook_endpoint');
  const selectionOf = new Map(rows.map(({ id, selection }) => [id, selection]));
  expect(ids.map(id => selectionOf.get(id))).toEqual(SELECTIONS.map(([, is]) => is));
  const { rows: plans } = await client.query('select plan from tariff_simulation');
  expect(plans[0].plan.filter).toEqual({ isLate: true, carriers: ['BRT'], createdAt: { from: null } });

  const { stdout } = await inProcess(['--json', 'doctor'], { DATABASE_URL: url });
  const findings = (JSON.parse(stdout) as { check: string; status: string; found: string }[]).filter(
    ({ check }) => check === 'webhooks',
  );
  expect(findings).toMatchObject([{ status: 'warn', found: expect.stringContaining(ids[5] ?? '') }]);
});
