import type { Position } from '../../../platform/database/lists/index-scan.ts';
import type { Tenant } from '../../../platform/database/tenancy/tenancy.ts';
import { Fault } from '../../../platform/fault.ts';
import { BACKGROUND_TURN_MS, inTurns } from '../../../platform/limits/turns.ts';
import { type Period, periodOf } from '../../common/period.rules.ts';
import { priceIn } from '../../pricing/quotes/price/province.rules.ts';
import type { CompiledTariff } from '../../pricing/tariffs/compile/compiled-tariff.rules.ts';
import { compiledTariffOf } from '../../pricing/tariffs/compile/large-tariffs.service.ts';
import { asOffered } from '../../pricing/tariffs/engine/quote.rules.ts';
import { NO_TARIFF } from '../../pricing/tariffs/exclusion.rules.ts';
import { NO_REFERENCES } from '../../pricing/tariffs/references/references.rules.ts';
import { revisionDocument } from '../../pricing/tariffs/revisions/revisions.service.ts';
import type { Shipment } from '../../pricing/tariffs/shipment-terms.rules.ts';
import { isPriceable, type NotPriceable, type Shipped } from '../shipped.rules.ts';
import { type ShippedPage, ShippedShipments } from '../shipped.service.ts';
import { accountOf } from './account-sums.rules.ts';
import { storedFilter } from './simulation.input.ts';
import { asCompared, type PinnedTariff, type SimulationPlan, unpinned } from './simulation.rules.ts';
import { simulatedHeader, simulatedLine, simulatedLineWithout } from './simulation-csv.rules.ts';
import { countNotPriceable, countShipped, type Tally } from './tally.rules.ts';

/** The memory for compiled tariffs of one run; one takes at most 24 MB. */
const MAX_BYTES = 128_000_000;

/** The result of one page of shipments. */
interface SimulatedPage {
  readonly shipments: number;
  readonly csv: string;
}

/** Prices the shipments of a plan page by page, and adds the results to a tally. */
export class SimulationRun {
  readonly #tenant: Tenant;
  readonly #plan: SimulationPlan;
  readonly #shipped: ShippedShipments;
  readonly #period: Period;
  readonly #filter: ReturnType<typeof storedFilter>;
  readonly #tariffs: CompiledTariff[] = [];
  readonly #booked = new Map<number, CompiledTariff | null>();
  /** By tariff, because explanations use many at once. */
  readonly #compilations = new Map<PinnedTariff['revisionId'] | PinnedTariff, Promise<CompiledTariff>>();
  readonly tally: Tally;
  #bytes = 0;
  #position: Position | null;
  #isAtStart: boolean;
  /** The next page, which PostgreSQL reads while the current one is priced. */
  #ahead: Promise<ShippedPage> | undefined;
  #isDone = false;

  constructor(tenant: Tenant, plan: SimulationPlan, tally: Tally, position: Position | null = null) {
    this.#tenant = tenant;
    this.#plan = plan;
    this.#shipped = new ShippedShipments(tenant);
    this.#period = periodOf(plan.period);
    this.#filter = storedFilter(plan.filter);
    this.tally = tally;
    this.#position = position;
    this.#isAtStart = position === null;
  }

  /** The position up to which shipments are priced; null at the start and at the end. */
  get position(): Position | null {
    return this.#isDone ? null : this.#position;
  }

  get isDone(): boolean {
    return this.#isDone;
  }

  /** From 0 to 1, by the times at which shipments were created. */
  get progress(): number {
    if (this.#isDone) return 1;
    const { from, to } = this.#period;
    const key = this.#position?.key;
    if (key == null) return 0;
    const end = Math.max(to.getTime(), Date.now());
    return Math.min(0.99, Math.max(0, (key - from.getTime()) / (end - from.getTime())));
  }

  /** Prices the next page. @throws Fault `validation_failed` if the tariffs take too much memory */
  async next(): Promise<SimulatedPage> {
    for (let i = this.#tariffs.length; i < this.#plan.tariffs.length; i++) {
      this.#tariffs.push(await this.#compiled(this.#plan.tariffs[i] as PinnedTariff));
    }
    const page = await (this.#ahead ?? this.#read(this.#position));
    this.#ahead = page.next === null ? undefined : this.#read(page.next);
    // A run that stops never awaits it.
    this.#ahead?.catch(() => undefined);
    for (const { carrierConnectionId } of page.shipments) await this.#book(carrierConnectionId);
    const lines = await this.#priced(page.shipments);
    await this.#chargeAccounts();
    const header = this.#isAtStart ? simulatedHeader(this.#plan.tariffs) : '';
    this.#isAtStart = false;
    this.#position = page.next;
    this.#isDone = page.next === null;
    return { shipments: page.shipments.length, csv: header + lines.join('') };
  }

  #read(after: Position | null): Promise<ShippedPage> {
    return this.#shipped.page(this.#period, this.#filter, after);
  }

  /** A compiled tariff of the plan, or of a connection. */
  async compiled(of: { readonly tariff: number } | { readonly booked: number }): Promise<CompiledTariff | null> {
    if ('booked' in of) return this.#book(of.booked);
    return this.#compiled(this.#plan.tariffs[of.tariff] as PinnedTariff);
  }

  async #priced(shipments: readonly (Shipped | NotPriceable)[]): Promise<string[]> {
    const lines: string[] = [];
    const { tariffs } = this.#plan;
    for await (const one of inTurns(this.#tenant.companyId, shipments, BACKGROUND_TURN_MS)) {
      if (!isPriceable(one)) {
        countNotPriceable(this.tally, one);
        lines.push(simulatedLineWithout(one, tariffs.length));
        continue;
      }
      const shipment = termsOf(one.shipment, this.#plan);
      const shipped = { ...one, shipment };
      const booked = this.#booked.get(shipped.carrierConnectionId);
      const prices = tariffs.map((pinned, i) => {
        const tariff = this.#tariffs[i] as CompiledTariff;
        return priceIn(tariff, asCompared(pinned, tariff, shipment), one.destinations);
      });
      const same = booked
        ? tariffs.findIndex(
            ({ pricedOn, service }, i) => pricedOn === null && service === null && this.#tariffs[i] === booked,
          )
        : -1;
      const before =
        prices[same] ?? (booked ? priceIn(booked, asOffered(booked, shipment), one.destinations) : NO_TARIFF);
      const cheapest = countShipped(this.tally, shipped, before, prices);
      lines.push(simulatedLine(shipped, before, prices, cheapest));
    }
    return lines;
  }

  /** Brings the charges of the accounts up to date. */
  async #chargeAccounts(): Promise<void> {
    const { tariffs, period } = this.#plan;
    for (const [i, { pricedOn }] of tariffs.entries()) {
      const of = this.tally.tariffs[i];
      if (of) of.account = accountOf(this.#tariffs[i] as CompiledTariff, of.months, period, pricedOn);
    }
    for (const [id, booked] of Object.entries(this.tally.booked)) {
      const tariff = await this.#book(Number(id));
      if (tariff) booked.account = accountOf(tariff, booked.months, period, null);
    }
  }

  async #book(carrierConnectionId: number): Promise<CompiledTariff | null> {
    const known = this.#booked.get(carrierConnectionId);
    if (known !== undefined) return known;
    const tariff = this.#plan.booked.find(({ carrierCompanyId }) => carrierCompanyId === carrierConnectionId);
    const compiled = tariff ? await this.#compiled(tariff) : null;
    this.#booked.set(carrierConnectionId, compiled);
    return compiled;
  }

  #compiled(pinned: PinnedTariff): Promise<CompiledTariff> {
    const key = pinned.document ? pinned : pinned.revisionId;
    const known = this.#compilations.get(key) ?? this.#compile(pinned);
    this.#compilations.set(key, known);
    return known;
  }

  async #compile({ document, revisionId, carrierCode }: PinnedTariff): Promise<CompiledTariff> {
    const tariff = document ?? (await revisionDocument(this.#tenant, revisionId as number)).tariff;
    const references = this.#plan.references[carrierCode];
    const compiled = await compiledTariffOf(this.#tenant, tariff, references ? unpinned(references) : NO_REFERENCES);
    this.#bytes += compiled.bytes;
    if (this.#bytes > MAX_BYTES) {
      throw new Fault('validation_failed', { detail: 'The tariffs take too much memory together: compare fewer.' });
    }
    return compiled;
  }
}

/** A shipment with the caller's terms for all shipments. */
function termsOf(shipment: Shipment, { terms }: SimulationPlan): Shipment {
  const { codPayment, monthlyShipments, recipientType } = terms;
  if (codPayment == null && monthlyShipments == null && recipientType == null) return shipment;
  return {
    ...shipment,
    ...(codPayment && { codPayment }),
    ...(monthlyShipments && { monthlyShipments }),
    recipientType: shipment.recipientType ?? recipientType ?? undefined,
  };
}
