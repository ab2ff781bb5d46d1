import { listLoader, rowLoader } from '../../../platform/database/gather/loader.ts';
import type { Position } from '../../../platform/database/lists/index-scan.ts';
import type { IdPage } from '../../../platform/database/lists/page.ts';
import { companyStatement } from '../../../platform/database/statements/statements.ts';
import type { Reader, Tenant } from '../../../platform/database/tenancy/tenancy.ts';
import type { TenantTransaction } from '../../../platform/database/tenancy/tenant-transaction.ts';
import { type AboutSimulation, aboutOf, type SimulationPlan, type SimulationState } from './simulation.rules.ts';
import type { Tally } from './tally.rules.ts';

/** A simulation without its plan, which can be large. */
export interface SimulationRow {
  readonly id: number;
  readonly state: SimulationState;
  readonly problem: string | null;
  readonly about: AboutSimulation;
  readonly tally: Tally;
  /** The progress, from 0 to 1. */
  readonly progress: number;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
}

const columns = `s.id, s.state, s.problem, s.about, s.tally, s.progress,
  s.created_at as "createdAt", s.finished_at as "finishedAt"`;

const BY_ID = rowLoader<[id: number], SimulationRow>({
  name: 'tariff-simulation-by-id',
  key: { id: 'integer' },
  text: `select ${columns} from tariff_simulation s where s.company_id = each.company_id and s.id = each.id`,
  isSplitByCompany: true,
});

export function simulationById(reader: Reader, id: number): Promise<SimulationRow | undefined> {
  return reader.load(BY_ID, id);
}

const page = (direction: 'asc' | 'desc') =>
  companyStatement(
    `tariff-simulations-${direction}`,
    `select ${columns} from tariff_simulation s where s.company_id = $1
      and ($2::bigint is null or s.id < $2) and ($3::bigint is null or s.id > $3) order by s.id ${direction} limit $4`,
  );
const NEWEST = page('desc');
const OLDEST = page('asc');

/** Newest first, or backwards from the end of the list. */
export function simulationsPage(tenant: Tenant, { after, before, limit, inverted }: IdPage): Promise<SimulationRow[]> {
  return tenant.rows(inverted ? OLDEST : NEWEST, after, before, limit);
}

const COUNT = companyStatement(
  'count-tariff-simulations',
  'select count(*)::integer as count from tariff_simulation where company_id = $1',
);

export async function countSimulations(tenant: Tenant): Promise<number> {
  const [row] = await tenant.rows<{ count: number }>(COUNT);
  return row?.count ?? 0;
}

const PLAN = rowLoader<[id: number], { readonly plan: SimulationPlan }>({
  name: 'tariff-simulation-plan',
  key: { id: 'integer' },
  text: 'select s.plan from tariff_simulation s where s.company_id = each.company_id and s.id = each.id',
  isSplitByCompany: true,
});

export async function planOfSimulation(reader: Reader, id: number): Promise<SimulationPlan | undefined> {
  return (await reader.load(PLAN, id))?.plan;
}

/** The position from which a worker continues. */
interface SimulationProgress {
  readonly tally: Tally;
  readonly position: Position | null;
  /** The number of stored batches; each has a page of the CSV. */
  readonly batches: number;
}

interface ProgressRow {
  readonly tally: Tally;
  readonly positionKey: number | null;
  readonly positionId: number | null;
  readonly batches: number;
}

const BEGIN = companyStatement(
  'begin-tariff-simulation',
  `update tariff_simulation set attempts = attempts + 1 where company_id = $1 and id = $2 and state = 'running'
    returning tally, position_key::float8 as "positionKey", position_id as "positionId", batches, attempts`,
);

/** The progress of a running simulation, and how often it was started since its last batch. */
export async function beginSimulation(
  tx: TenantTransaction,
  id: number,
): Promise<(SimulationProgress & { readonly attempts: number }) | undefined> {
  const [row] = await tx.rows<ProgressRow & { attempts: number }>(BEGIN, id);
  if (!row) return undefined;
  const { positionKey, positionId, ...others } = row;
  return { ...others, position: positionId === null ? null : { key: positionKey, id: positionId } };
}

const INSERT = companyStatement(
  'insert-tariff-simulation',
  `with stored as (
      insert into tariff_simulation (company_id, about, plan, tally, state)
        values ($1, $2::jsonb, $3::jsonb, $4::json, 'running')
        returning company_id, id
    )
    select id from stored where company_id = $1`,
);

export async function insertSimulation(tx: TenantTransaction, plan: SimulationPlan, tally: Tally): Promise<number> {
  const content = [aboutOf(plan), plan, tally].map(one => JSON.stringify(one));
  const [row] = await tx.rows<{ id: number }>(INSERT, ...content);
  return row?.id ?? 0;
}

export interface SimulatedBatch {
  readonly before: number;
  readonly tally: Tally;
  readonly position: Position | null;
  readonly progress: number;
  readonly shipments: number;
  readonly csv: string;
}

// Writes nothing if another worker has continued meanwhile.
const SAVE = companyStatement(
  'save-tariff-simulation',
  `with saved as (
      update tariff_simulation set tally = $4::json, position_key = $5::float8, position_id = $6::integer, progress = $7::float8,
          batches = batches + 1, attempts = 0, state = case when $8::boolean then 'done' else state end,
          finished_at = case when $8::boolean then $9::timestamptz end
        where company_id = $1 and id = $2 and batches = $3::integer and state = 'running' returning company_id, id, batches
    ), stored as (
      insert into tariff_simulation_page (company_id, simulation_id, number, shipments, csv)
        select company_id, id, batches, $10::integer, $11::text from saved
    )
    select id from saved where company_id = $1`,
);

/** Stores a batch; false if the simulation is gone, or another worker continues it. */
export async function saveBatch(tx: TenantTransaction, id: number, batch: SimulatedBatch): Promise<boolean> {
  const { before, tally, position, progress, shipments, csv } = batch;
  const isDone = position === null;
  const rows = await tx.rows(
    SAVE,
    id,
    before,
    JSON.stringify(tally),
    position?.key ?? null,
    position?.id ?? null,
    progress,
    isDone,
    new Date(),
    shipments,
    csv,
  );
  return rows.length > 0;
}

const FAIL = companyStatement(
  'fail-tariff-simulation',
  `update tariff_simulation set state = 'failed', problem = $3, finished_at = $4::timestamptz
    where company_id = $1 and id = $2 and state = 'running'`,
);

export async function failSimulation(tx: TenantTransaction, id: number, problem: string): Promise<void> {
  await tx.rows(FAIL, id, problem, new Date());
}

const DELETE = companyStatement(
  'delete-tariff-simulation',
  'delete from tariff_simulation where company_id = $1 and id = $2 returning id',
);

export async function removeSimulation(tx: TenantTransaction, id: number): Promise<boolean> {
  return (await tx.rows(DELETE, id)).length > 0;
}

const KEEP = companyStatement(
  'keep-newest-tariff-simulations',
  `delete from tariff_simulation where company_id = $1 and id <=
    (select id from tariff_simulation where company_id = $1 order by id desc offset $2 limit 1)`,
);

/** Deletes all but the newest. */
export async function keepNewest(tx: TenantTransaction, most: number): Promise<void> {
  await tx.rows(KEEP, most);
}

/** A part of the CSV; the parts in their order are the file. */
export interface CsvPage {
  readonly number: number;
  readonly shipments: number;
  readonly csv: string;
}

const PAGES = listLoader<[id: number, after: number | null, limit: number], CsvPage>({
  name: 'tariff-simulation-pages',
  key: { id: 'integer', after: 'integer', size: 'integer' },
  text: `select p.number, p.shipments, p.csv from tariff_simulation_page p
    where p.company_id = each.company_id and p.simulation_id = each.id and (each.after is null or p.number > each.after)
    order by p.number limit each.size`,
  order: 'r.number',
  isSplitByCompany: true,
});
const COUNT_PAGES = rowLoader<[id: number], { readonly count: number }, number>(
  {
    name: 'count-tariff-simulation-pages',
    key: { id: 'integer' },
    text: `select count(*)::integer as count from tariff_simulation_page p
      where p.company_id = each.company_id and p.simulation_id = each.id`,
  },
  row => row?.count ?? 0,
);

export function csvPages(
  tenant: Tenant,
  id: number,
  { after, limit }: { readonly after: number | null; readonly limit: number },
): Promise<readonly CsvPage[]> {
  return tenant.load(PAGES, id, after, limit);
}

export function countCsvPages(tenant: Tenant, id: number): Promise<number> {
  return tenant.load(COUNT_PAGES, id);
}

/** A connection with a tariff, even if it is inactive or disconnected. */
export interface TariffedConnection {
  readonly id: number;
  readonly carrierCode: string;
  readonly isActive: boolean;
}

const CONNECTIONS = companyStatement(
  'connections-with-tariffs',
  `select c.id, c.carrier_code as "carrierCode", c.is_active and c.disconnected_at is null as "isActive"
    from carrier_connection c join tariff t on t.company_id = c.company_id and t.carrier_connection_id = c.id
    where c.company_id = $1 order by c.id`,
);

export function connectionsWithTariffs(tenant: Tenant): Promise<TariffedConnection[]> {
  return tenant.rows(CONNECTIONS);
}
