import type { Tenant } from '../../../platform/database/tenancy/tenancy.ts';
import { Fault } from '../../../platform/fault.ts';
import type { Jobs } from '../../../platform/jobs/jobs.ts';
import { price } from '../../quotes/quote.rules.ts';
import type { ExplainedPrice } from '../../quotes/quote-item.rules.ts';
import type { SimulateTariffsInput } from './simulation.input.ts';
import { simulations } from './simulation.queues.ts';
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
import type { SimulationPlan } from './simulation.rules.ts';
import { planSimulation } from './simulation-plan.service.ts';
import { type SimulatedPage, SimulationRun } from './simulation-run.service.ts';
import { emptyTally, type Move, type Tally } from './tally.rules.ts';

export { revisionById } from '../../tariffs/revisions/revisions.service.ts';

/** Shipments that are priced within the request. */
const AT_ONCE = 1_000;
/** Shipments that are looked through for them. */
const PAGES_AT_ONCE = 80;
/** What a worker stores at a time, and what it does again at most where it dies. */
const BATCH = 5_000;
const PAGES_OF_BATCH = 200;
const MAX_CSV = 1_000_000;
/** Then others have their turn. */
const TURN_MS = 30_000;
/** A simulation that ends its worker so often without a batch is given up. */
const MAX_ATTEMPTS = 5;
/** Simulations that a company keeps. */
const MOST_KEPT = 100;
export const KEPT_DAYS = 30;

/**
 * Prices the shipments of a period on other tariffs: at once where they are few, and otherwise as a job that goes on from
 * there.
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

/**
 * Prices all of them at once, for whoever waits, and stores nothing.
 *
 * @param onPage is called with each page of shipments, and waited for
 * @throws Fault `validation_failed`
 */
export async function runSimulation(
  tenant: Tenant,
  input: SimulateTariffsInput,
  onPage: (page: SimulatedPage, run: SimulationRun) => Promise<void>,
): Promise<{ readonly plan: SimulationPlan; readonly tally: Tally }> {
  const plan = await planSimulation(tenant, input);
  const tally = emptyTally(plan.tariffs.length);
  const run = new SimulationRun(tenant, plan, tally);
  while (!run.isDone) await onPage(await run.next(), run);
  return { plan, tally };
}

/** @throws Fault `tariff_simulation_not_found` */
export async function simulation(tenant: Tenant, id: number): Promise<SimulationRow> {
  const found = await simulationById(tenant, id);
  if (!found) throw new Fault('tariff_simulation_not_found');
  return found;
}

/** Deletes a simulation, and returns it as it was; one that runs ends. @throws Fault `tariff_simulation_not_found` */
export async function deleteSimulation(tenant: Tenant, id: number): Promise<SimulationRow> {
  const found = await simulation(tenant, id);
  if (await tenant.transaction(tx => removeSimulation(tx, id))) return found;
  throw new Fault('tariff_simulation_not_found');
}

/** Goes on with a simulation from its last batch, for a turn. */
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
      const isTurnOver = performance.now() > end;
      const isSaved = await tenant.transaction(async tx => {
        const saved = await saveBatch(tx, id, batch);
        if (saved && isTurnOver && !run.isDone) await jobs.insert(tx.em, simulations, [jobOf(tenant, id)]);
        return saved;
      });
      if (!isSaved || isTurnOver || run.isDone) return;
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

/** A price before, or as simulated, of a shipment that a simulation has kept. @throws Fault `tariff_simulation_not_found` */
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

  /** The price on the tariff in force of the connection that it was shipped on. */
  async before({ carrierCompanyId, shipment }: Move): Promise<ExplainedPrice> {
    const tariff = await (await this.#run).compiled({ booked: carrierCompanyId });
    return explained(tariff, shipment);
  }

  async after({ tariff: position, shipment }: Move): Promise<ExplainedPrice> {
    const tariff = await (await this.#run).compiled({ tariff: position });
    const pricedOn = (await this.#plan).tariffs[position]?.pricedOn ?? null;
    return explained(tariff, pricedOn === null ? shipment : { ...shipment, date: pricedOn });
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
