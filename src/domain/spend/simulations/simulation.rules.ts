import type { Days } from '../../common/period.rules.ts';
import type { CompiledTariff } from '../../pricing/tariffs/compile/compiled-tariff.rules.ts';
import { asOffered } from '../../pricing/tariffs/engine/quote.rules.ts';
import type { Tariff } from '../../pricing/tariffs/format/tariff.format.rules.ts';
import type { References } from '../../pricing/tariffs/references/references.rules.ts';
import type { Shipment } from '../../pricing/tariffs/shipment-terms.rules.ts';
import type { SimulateTariffsInput } from './simulation.input.ts';

/** A stored simulation, with all inputs of its result except the shipments. */

const SIMULATION_STATES = ['running', 'done', 'failed'] as const;
export type SimulationState = (typeof SIMULATION_STATES)[number];

/** A tariff as it was when the simulation began. */
export interface PinnedTariff {
  /** The id of its carrier connection; plans are stored by this name. */
  readonly carrierCompanyId: number;
  readonly carrierCode: string;
  readonly name: string;
  /** Null for a tariff from the input. */
  readonly revisionId: number | null;
  /** The document, if no published revision has it. */
  readonly document: Tariff | null;
  /** The day for which shipments are priced; null for the day of each departure. */
  readonly pricedOn: string | null;
  /** Code of the service of all shipments; null for the service of each shipment. */
  readonly service: string | null;
  /** Whether quotes used it at that time. */
  readonly isInForce: boolean;
}

/** A shipment as a compared tariff prices it: by its own service if neither the comparison nor the tariff says otherwise. */
export function asCompared(
  { pricedOn, service }: Pick<PinnedTariff, 'pricedOn' | 'service'>,
  tariff: CompiledTariff,
  shipment: Shipment,
): Shipment {
  const onDay = pricedOn === null ? shipment : { ...shipment, date: pricedOn };
  return service === null ? asOffered(tariff, onDay) : { ...onDay, service };
}

/** Lists and indexes of a carrier. */
interface PinnedReferences {
  readonly lists: Readonly<Record<string, unknown>>;
  readonly indexes: Readonly<Record<string, unknown>>;
}

export interface SimulationPlan {
  readonly period: Days;
  readonly filter: SimulateTariffsInput['filter'];
  readonly terms: Pick<SimulateTariffsInput, 'codPayment' | 'monthlyShipments' | 'recipientType'>;
  readonly tariffs: readonly PinnedTariff[];
  /** The tariffs of all connections: the prices of shipments on their own connections. */
  readonly booked: readonly PinnedTariff[];
  /** By carrier code. */
  readonly references: Readonly<Record<string, PinnedReferences>>;
}

/** The visible part of a plan. */
export interface AboutSimulation {
  readonly period: Days;
  readonly tariffs: readonly Omit<PinnedTariff, 'document'>[];
}

export function aboutOf({ period, tariffs }: SimulationPlan): AboutSimulation {
  return { period, tariffs: tariffs.map(({ document: _, ...shown }) => shown) };
}

export function pinned({ lists, indexes }: References): PinnedReferences {
  return { lists: Object.fromEntries(lists), indexes: Object.fromEntries(indexes) };
}

export function unpinned({ lists, indexes }: PinnedReferences): References {
  const entries = { lists: new Map(Object.entries(lists)), indexes: new Map(Object.entries(indexes)) };
  return entries as unknown as References;
}
