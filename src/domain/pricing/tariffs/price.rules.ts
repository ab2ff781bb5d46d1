import type { AreaTable } from './areas/area.rules.ts';
import type { BasePrice } from './bands/base-price.rules.ts';
import type { CompiledTariff, CompiledVersion, CompiledZone } from './compile/compiled-tariff.rules.ts';
import type { Component } from './compile/tariff-lines.rules.ts';
import type { Shipment } from './shipment-terms.rules.ts';

/** The output of the engine: the price of a shipment by a tariff. */

/** A shipment's price on a tariff, in whole cents and grams, with everything that led to it. */
export interface Price {
  readonly ok: true;
  readonly version: CompiledVersion;
  readonly zone: CompiledZone;
  /** The table whose rule chose the zone. */
  readonly zoneTable: AreaTable;
  readonly zoneRule: number;
  /** Index of the origin; −1 for none. */
  readonly origin: number;
  readonly realGrams: number;
  readonly volumetricGrams: number;
  readonly chargeableGrams: number;
  readonly base: BasePrice;
  /** By position in `version.lines`; `NOT_CHARGED` for a line that does not apply. */
  readonly amounts: readonly number[];
  readonly components: Readonly<Record<Component, number>>;
  readonly totalCents: number;
  /** The reduction of discounts that keeps the total from falling below zero. */
  readonly cutCents: number;
  readonly vatPpm: number;
  /** Position in `version.vatTable`. */
  readonly vatRule: number;
  readonly vatCents: number;
  readonly grossCents: number;
}

/** An active carrier connection, and its tariff ready for pricing. */
export interface QuotedConnection {
  readonly id: number;
  readonly carrierCode: string;
  readonly carrierName: string;
  readonly tariffId: number | null;
  readonly tariff: CompiledTariff | null;
  /** The number of the revision, or of the draft that is quoted for trial; null without a tariff. */
  readonly revisionId: number | null;
}

export interface ExplainedPrice {
  readonly connection: Pick<QuotedConnection, 'tariffId' | 'tariff'>;
  readonly shipment: Shipment;
  readonly price: Price;
}
