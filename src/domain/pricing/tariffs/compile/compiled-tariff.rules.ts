import type { CompiledAccount } from '../account/account-fees.rules.ts';
import type { AreaTable } from '../areas/area.rules.ts';
import type { CompiledByParcel } from '../bands/parcel-bands.rules.ts';
import type { CompiledStep } from '../bands/steps-beyond.rules.ts';
import type { CompiledBands } from '../bands/weight-bands.rules.ts';
import type { CompiledCharge } from '../charges/charge.rules.ts';
import type { CompiledCondition } from '../conditions/condition-compile.rules.ts';
import type { CompiledLimits } from '../limits.rules.ts';
import type { CompiledPalletClass } from '../pallets/pallet-classes.rules.ts';
import type { CompiledPallets } from '../pallets/pallet-prices.rules.ts';
import type { NamedReference } from '../references/references.rules.ts';
import type { CompiledWeight } from '../weight/chargeable-weight.rules.ts';
import type { Component } from './tariff-lines.rules.ts';

/**
 * A tariff made ready for pricing: integers in place of decimals, positions in place of codes, tables in place of
 * lists. A compiled tariff is plain data, so that a thread can compile it and send it.
 */
export interface CompiledTariff {
  readonly name: string;
  /** By date, ascending; a version with services is there once for each of them, in their order. */
  readonly versions: readonly CompiledVersion[];
  /**
   * The lists and indexes that it names and its carrier does not have. Such a list counts as empty, and a percentage by
   * such an index as 0.
   */
  readonly missing: readonly NamedReference[];
  /** About how many bytes of memory it takes. */
  readonly bytes: number;
}

export type Path = readonly (string | number)[];

export interface CompiledVersion {
  /** Position in the tariff. */
  readonly index: number;
  readonly label: string;
  readonly validFrom: string;
  /** Last day; `9999-12-31` for none. */
  readonly validUntil: string;
  /** Its service; undefined in a version without services. */
  readonly service: ServiceLevel | undefined;
  readonly originCountries: ReadonlySet<string> | undefined;
  /** Undefined if nothing depends on the origin. */
  readonly origins: CompiledOrigins | undefined;
  readonly weight: CompiledWeight;
  readonly limits: CompiledLimits;
  /** Undefined where pallets are of the types that the caller states. */
  readonly palletClasses: readonly CompiledPalletClass[] | undefined;
  readonly zones: readonly CompiledZone[];
  /** The table of the zones that are for any origin. */
  readonly zoneTable: AreaTable;
  /** In the order in which they are shown; the first is the base price. */
  readonly lines: readonly CompiledLine[];
  /** Positions of all lines but the base, each after those it is a percentage of. */
  readonly order: readonly number[];
  /** Positions of the options, by code. */
  readonly optionPositions: ReadonlyMap<string, number>;
  readonly cod: CompiledService;
  readonly insurance: CompiledService;
  /** Charges for events after the quote; positions of `of` are positions in `lines`. */
  readonly events: readonly CompiledEvent[];
  readonly vatTable: AreaTable;
  readonly vat: readonly CompiledVat[];
  /** Whether a line has a VAT of its own. */
  readonly hasLineVat: boolean;
  /** Charges of the account, outside of the prices of shipments. */
  readonly account: CompiledAccount | undefined;
}

/** A service of the contract, such as express. */
export interface ServiceLevel {
  /** Position in the version. */
  readonly index: number;
  readonly code: string;
  readonly name: string;
  readonly deliveryDays: number | null;
  /** For which shipments it is offered. */
  readonly condition: CompiledCondition | undefined;
}

export interface CompiledOrigins {
  readonly warehouses: ReadonlyMap<number, number>;
  readonly table: AreaTable;
  /** The table of zones for each origin; undefined where an origin has no zones. */
  readonly zoneTables: readonly (AreaTable | undefined)[];
}

/** Cash on delivery or insurance: where it is offered. */
export interface CompiledService {
  /** Most cents; −1 where it is not offered. */
  readonly maximum: number;
  readonly maximumPath: Path;
  /** Lines of which one must hold; empty where one always does. */
  readonly positions: readonly number[];
}

export interface CompiledZone extends CompiledBands {
  readonly index: number;
  readonly code: string;
  readonly name: string;
  readonly deliveryDays: number | null;
  readonly notServed: string | undefined;
  /** Codes of the services that it is for; undefined for any. */
  readonly services: ReadonlySet<string> | undefined;
  readonly beyond: readonly CompiledStep[];
  /** Undefined where bands price the weight of the shipment. */
  readonly byParcel: CompiledByParcel | undefined;
  readonly pallets: readonly CompiledPallets[];
}

export interface CompiledLine {
  readonly component: Component;
  readonly code: string;
  readonly description: string;
  /** Its position in the version. */
  readonly path: Path;
  readonly condition: CompiledCondition | undefined;
  /** Earlier lines that replace this line when one of them holds. */
  readonly rivals: readonly number[] | undefined;
  readonly charge: CompiledCharge;
  /** Whether the price follows from weight, value or a percentage, rather than being a fixed amount. */
  readonly calculated: boolean;
  /** Undefined where the VAT of the destination applies. */
  readonly vat: CompiledVat | undefined;
}

export interface CompiledEvent extends Omit<CompiledLine, 'component' | 'rivals'> {
  readonly on: string;
}

interface CompiledVat {
  readonly ppm: number;
  readonly note: string | null;
}
