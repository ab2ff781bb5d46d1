import type { Tenant } from '../../../platform/database/tenancy/tenancy.ts';
import { Fault } from '../../../platform/fault.ts';
import type { Jobs } from '../../../platform/jobs/jobs.ts';
import { asOffered, price } from '../../pricing/tariffs/engine/quote.rules.ts';
import type { ExplainedPrice } from '../../pricing/tariffs/price.rules.ts';
import { simulations } from '../spend.queues.ts';
import type { SimulateTariffsInput } from './simulation.input.ts';
import {
  beginSimulation,
  failSimulation,
  insertSimulation,
  keepNewest,
  planOfSimulation,
  removeSimulation,
  type SimulatedBatch,
  type SimulationRow,
  saveBatch,
  simulationById,
} from './simulation.repository.ts';
import { asCompared } from './simulation.rules.ts';
import { planSimulation } from './simulation-plan.service.ts';
import { SimulationRun } from './simulation-run.service.ts';
import { emptyTally, type Move } from './tally.rules.ts';

export { revisionById } from '../../pricing/tariffs/revisions/revisions.service.ts';

/** The limit on shipments that the request itself prices. */
const AT_ONCE = 1_000;
/** The limit on pages that are looked through for them. */
const PAGES_AT_ONCE = 80;
/** Shipments that a worker stores at a time, which are repeated if it dies. */
const BATCH = 5_000;
const PAGES_OF_BATCH = 200;
const MAX_CSV = 1_000_000;
/** The time limit of a job; then other jobs run. */
const TURN_MS = 30_000;
/** A simulation fails after this many workers have died without a batch. */
const MAX_ATTEMPTS = 5;
/** The limit on stored simulations of a company. */
const MOST_KEPT = 100;
export const KEPT_DAYS = 30;

/**
 * Prices the shipments of a period by other tariffs: at once if they are few, otherwise continued by a job.
 *
 * @throws Fault `validation_failed`
 */
export async function startSimulation(tenant: Tenant, jobs: Jobs, input: SimulateTariffsInput): Promise<SimulationRow> {
  const plan = await planSimulation(tenant, input);
  const tally = emptyTally(plan.tariffs.length);
  const run = new SimulationRun(tenant, plan, tally);
  const batch = await nextBatch(run, 0, AT_ONCE + 1, PAGES_AT_ONCE);
  const id = await tenant.transaction(async tx => {
    const inserted = await insertSimulation(tx, plan, tally);
    await saveBatch(tx, inserted, batch);
    await keepNewest(tx, MOST_KEPT);
    if (!run.isDone) await jobs.insert(tx.em, simulations, [jobOf(tenant, inserted)]);
    return inserted;
  });
  return simulation(tenant.fresh(), id);
}

const jobOf = ({ companyId }: Tenant, simulationId: number) => ({
  data: { companyId, simulationId },
  group: companyId,
});

/** @throws Fault `tariff_simulation_not_found` */
export async function simulation(tenant: Tenant, id: number): Promise<SimulationRow> {
  const found = await simulationById(tenant, id);
  if (!found) throw new Fault('tariff_simulation_not_found');
  return found;
}

/** Deletes a simulation, and returns its last state; a running one ends. @throws Fault `tariff_simulation_not_found` */
export async function deleteSimulation(tenant: Tenant, id: number): Promise<SimulationRow> {
  const found = await simulation(tenant, id);
  if (await tenant.transaction(tx => removeSimulation(tx, id))) return found;
  throw new Fault('tariff_simulation_not_found');
}

/** Continues a simulation after its last batch, within the time limit of a job. */
export async function continueSimulation(tenant: Tenant, id: number, jobs: Jobs): Promise<void> {
  const begun = await tenant.transaction(tx => beginSimulation(tx, id));
  const plan = begun && (await planOfSimulation(tenant.fresh(), id));
  if (!begun || !plan) return;
  const fail = (problem: string) => tenant.transaction(tx => failSimulation(tx, id, problem));
  if (begun.attempts > MAX_ATTEMPTS) return fail('It could not be carried out. Try fewer shipments or tariffs.');
  const run = new SimulationRun(tenant, plan, begun.tally, begun.position);
  const end = performance.now() + TURN_MS;
  try {
    for (let batches = begun.batches; ; batches++) {
      const batch = await nextBatch(run, batches, BATCH, PAGES_OF_BATCH);
      const isTimeUp = performance.now() > end;
      const isSaved = await tenant.transaction(async tx => {
        const saved = await saveBatch(tx, id, batch);
        if (saved && isTimeUp && !run.isDone) await jobs.insert(tx.em, simulations, [jobOf(tenant, id)]);
        return saved;
      });
      if (!isSaved || isTimeUp || run.isDone) return;
    }
  } catch (thrown) {
    if (!(thrown instanceof Fault && thrown.code === 'validation_failed')) throw thrown;
    await fail(thrown.message);
  }
}

async function nextBatch(
  run: SimulationRun,
  before: number,
  mostShipments: number,
  mostPages: number,
): Promise<SimulatedBatch> {
  let [shipments, csv] = [0, ''];
  for (let pages = 0; !run.isDone && pages < mostPages; pages++) {
    const page = await run.next();
    shipments += page.shipments;
    csv += page.csv;
    if (shipments >= mostShipments || csv.length >= MAX_CSV) break;
  }
  const { tally, position, progress } = run;
  return { before, tally, position, progress, shipments, csv };
}

/** The former or simulated price of a stored shipment. @throws Fault `tariff_simulation_not_found` */
export class SimulatedPrices {
  readonly #tenant: Tenant;
  readonly #run: Promise<SimulationRun>;
  readonly #plan: Promise<NonNullable<Awaited<ReturnType<typeof planOfSimulation>>>>;

  constructor(tenant: Tenant, id: number) {
    this.#tenant = tenant;
    this.#plan = planOfSimulation(tenant, id).then(plan => {
      if (!plan) throw new Fault('tariff_simulation_not_found');
      return plan;
    });
    this.#run = this.#plan.then(plan => new SimulationRun(this.#tenant, plan, emptyTally(0)));
  }

  /** The price by the tariff in force of its own connection. */
  async before({ carrierCompanyId, shipment }: Move): Promise<ExplainedPrice> {
    const tariff = await (await this.#run).compiled({ booked: carrierCompanyId });
    return explained(tariff, tariff ? asOffered(tariff, shipment) : shipment);
  }

  async after({ tariff: position, shipment }: Move): Promise<ExplainedPrice> {
    const tariff = await (await this.#run).compiled({ tariff: position });
    const pinned = (await this.#plan).tariffs[position];
    return explained(tariff, tariff && pinned ? asCompared(pinned, tariff, shipment) : shipment);
  }
}

function explained(
  tariff: Awaited<ReturnType<SimulationRun['compiled']>>,
  shipment: ExplainedPrice['shipment'],
): ExplainedPrice {
  const found = tariff && price(tariff, shipment);
  if (!found?.ok) throw new Error('A shipment that was simulated has no price any more');
  return { connection: { tariffId: null, tariff }, shipment, price: found };
}
