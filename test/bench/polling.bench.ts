import { setTimeout } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { CompiledQuery } from 'kysely';
import { leaseDuePolls } from '../../src/domain/shipping/polling/poll.repository.ts';
import { withBoss } from '../support/boss.ts';
import type { BenchOptions } from './bench-options.ts';
import { row } from './contest.ts';
import { median } from './load.ts';
import type { Running } from './processes.ts';
import type { SandboxWorld } from './seed.ts';

/** As the service claims them. */
const CLAIMED_AT_ONCE = 5_000;
const LEASE_MINUTES = 30;
const EXPLAINED = 5;
const NEVER = '2100-01-01';

/** Numbers that the stand-ins know to be under way; all numbers of a company, over its connections. */
const SHIPMENTS = `
  insert into shipment (company_id, carrier_connection_id, tracking_number, tracking_key, warehouse_id, recipient, parcel_number,
    weight, volume, shipment_date, status_code, status_at)
  select $1, ($4::integer[])[1 + n % array_length($4::integer[], 1)], number, number, $5,
    '{"companyName": "Cliente", "address": "Via Roma 1", "postalCode": "20121", "city": "Milano", "province": "MI", "countryCode": "IT"}',
    1, 2.5, 24000, now() - interval '2 days', 'created', now() - interval '2 days'
  from generate_series($2::integer, $3::integer) n
  cross join lateral (select 'TEST-IN_TRANSIT-' || lpad(n::text, 7, '0') as number) named`;

const FOLLOWED = `
  insert into tracking_poll (company_id, shipment_id, carrier_connection_id, due_at)
  select company_id, id, carrier_connection_id, '${NEVER}' from shipment where company_id = $1`;

/** The first so many: their ids follow each other. */
const DUE = `
  update tracking_poll set due_at = now() where company_id = $1 and shipment_id in
    (select id from shipment where company_id = $1 order by id limit $2)`;

/**
 * The claim's statement among a million polled shipments; then shipments a second from the claim until all are
 * complete.
 */
export async function polling(world: SandboxWorld, { quick }: BenchOptions): Promise<void> {
  const size = quick ? { followed: 100_000, due: 20_000 } : { followed: 1_000_000, due: 100_000 };
  await seed(world, size.followed);
  process.stdout.write('\n');
  row('', 'asked', 'measured');
  await due(world, size.due);
  await explain(world, size);

  const sandbox = await world.startSandbox();
  let worker: Running | undefined;
  try {
    worker = await world.start(sandbox, { ROLE: 'worker' });
    await stopClock(world);
    await round(world, size.due, 'all they say is new');
    const { rows } = await world.database.pool.query(
      'select count(*)::integer as events, count(distinct shipment_id)::integer as shipments from tracking_event',
    );
    row('  events recorded', '', `${rows[0].events}`);
    if (rows[0].shipments !== size.due) throw new Error(`Only ${rows[0].shipments} shipments have events`);
    await due(world, size.due);
    await round(world, size.due, 'nothing they say is new');
  } finally {
    await worker?.stop();
    await sandbox.stop();
  }
}

async function seed(world: SandboxWorld, count: number): Promise<void> {
  const { companyId, warehouseId, connections } = world.company;
  const startedAt = performance.now();
  await patiently(world, async query => {
    // No reference is looked up row by row: all references lead to existing rows.
    await query('set session_replication_role = replica');
    await query(SHIPMENTS, [companyId, 1, count, [...connections.values()], warehouseId]);
    await query(FOLLOWED, [companyId]);
    await query('vacuum (analyze)');
  });
  process.stdout.write(
    `${count} shipments followed, made in ${((performance.now() - startedAt) / 1000).toFixed(1)} s\n`,
  );
}

/** Has so many shipments due now, as if no other poll had been before. */
async function due(world: SandboxWorld, count: number): Promise<void> {
  await patiently(world, async query => {
    await query('update tracking_poll set due_at = $1 where due_at < $1', [NEVER]);
    await query(DUE, [world.company.companyId, count]);
    await query('vacuum (analyze)');
  });
}

/** The very statement of the claim, whose claims are taken back. */
async function explain(world: SandboxWorld, { followed, due }: { followed: number; due: number }): Promise<void> {
  const statement = await claimStatement();
  const plans: { ms: number; nodes: string[] }[] = [];
  await patiently(world, async query => {
    for (let i = 0; i < EXPLAINED; i++) {
      await query('begin');
      const [found] = await query(`explain (analyze, format json) ${statement.sql}`, [...statement.parameters]);
      await query('rollback');
      const plan = (found as { 'QUERY PLAN': [{ 'Execution Time': number; Plan: Plan }] })['QUERY PLAN'][0];
      plans.push({ ms: plan['Execution Time'], nodes: nodesOf(plan.Plan) });
    }
  });
  const scans = plans[0]?.nodes.filter(node => /Scan on|Scan using/.test(node)) ?? [];
  const ms = median(plans.map(plan => plan.ms));
  row(`claim of ${CLAIMED_AT_ONCE} among ${due} due of ${followed}: ms`, 'indexed', ms.toFixed(1), scans.join(', '));
  // How the rows that are claimed are then met again is the planner's choice, and shown.
  if (!scans.some(scan => scan.endsWith('using tracking_poll_due')))
    throw new Error('What is due is found by no index');
}

/** The statement of `leaseDuePolls`, caught on its way. */
async function claimStatement(): Promise<CompiledQuery> {
  let sent: CompiledQuery | undefined;
  const executeQuery = async (query: CompiledQuery) => {
    sent = query;
    return { rows: [] };
  };
  await leaseDuePolls(
    { getKysely: () => ({ executeQuery }) } as unknown as EntityManager,
    CLAIMED_AT_ONCE,
    LEASE_MINUTES,
  );
  if (sent === undefined) throw new Error('The claim sent no statement');
  return sent;
}

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly Plans?: readonly Plan[];
}

function nodesOf(plan: Plan): string[] {
  const { 'Node Type': type, 'Relation Name': relation, 'Index Name': index, Plans = [] } = plan;
  const name = index ? `${type} using ${index}` : relation ? `${type} on ${relation}` : type;
  return [name, ...Plans.flatMap(nodesOf)];
}

/** Nothing comes round by the clock any more: in the sandbox everything is due again within a minute. */
async function stopClock({ database }: SandboxWorld): Promise<void> {
  await database.pool.query('delete from pgboss.schedule');
  await database.pool.query("delete from pgboss.job where name like 'tracking.%'");
}

/** One claim of all due shipments, and its polls until the last is complete. */
async function round(world: SandboxWorld, count: number, what: string): Promise<void> {
  const { pool } = world.database;
  await pool.query("delete from pgboss.job where name like 'tracking.%'");
  await withBoss(world, boss => boss.send('tracking.claim'));
  const look = async () =>
    (
      await pool.query(
        `select (select extract(epoch from started_on) from pgboss.job where name = 'tracking.claim')::float8 as "startedAt",
            (select extract(epoch from completed_on) from pgboss.job where name = 'tracking.claim')::float8 as "claimedAt",
            extract(epoch from clock_timestamp())::float8 as now,
            (select count(*) from pgboss.job where name = 'tracking.poll' and state <> 'completed')::integer as "left"`,
      )
    ).rows[0] as { startedAt: number | null; claimedAt: number | null; now: number; left: number };
  const deadline = Date.now() + 600_000;
  let seen = await look();
  while (seen.startedAt === null || seen.claimedAt === null || seen.left > 0) {
    if (Date.now() > deadline) throw new Error(`Waited for in vain; in the end it was ${JSON.stringify(seen)}`);
    await setTimeout(50);
    seen = await look();
  }
  const { startedAt, claimedAt, now } = seen;
  const { rows } = await pool.query(
    'select count(*)::integer as settled from tracking_poll where polled_at >= to_timestamp($1) and misses = 0',
    [startedAt],
  );
  if (rows[0].settled !== count) throw new Error(`${rows[0].settled} of ${count} shipments were settled`);
  row(`${count} shipments polled, ${what}: shipments/s`, '≥ 2,000', (count / (now - startedAt)).toFixed(0));
  row('  claimed within, s', '', (claimedAt - startedAt).toFixed(1));
  row('  settled within, s', '', (now - startedAt).toFixed(1));
}

/** Statements on a connection of their own that may take their time. */
async function patiently(
  { database }: SandboxWorld,
  work: (query: (text: string, values?: unknown[]) => Promise<object[]>) => Promise<void>,
): Promise<void> {
  await database.patiently(client => work(async (text, values) => (await client.query(text, values)).rows));
}
