import {
  ANY_WEIGHT,
  DESTINATION_LEVELS,
  type DestinationLevel,
  type Lane,
  NO_WEIGHT,
  weightBand,
} from './lane.rules.ts';

/** Below so many deliveries the next coarser group of them is asked. */
export const MIN_DELIVERIES = 30;

/** What of the deliveries has come by each of the three moments of a promise. */
export const SHARES = { earliest: 0.05, expected: 0.8, latest: 0.95 } as const;
export type Moment = keyof typeof SHARES;
export const MOMENTS = Object.keys(SHARES) as readonly Moment[];

/** How long parcels take, in minutes of working days, by so many deliveries. */
export interface Cell extends Readonly<Record<Moment, number>> {
  readonly deliveries: number;
}

/** A row of the table: `kind` is a band of weights, or the status from which it counts. */
export interface CellRow extends Cell {
  readonly carrierCompanyId: number;
  /** The place in `DESTINATION_LEVELS`. */
  readonly level: number;
  readonly destination: string;
  readonly kind: string;
}

/** What is found for a parcel, and at which level. */
export interface Found {
  readonly cell: Cell;
  readonly level: DestinationLevel;
}

const WHOLE = DESTINATION_LEVELS.indexOf('CONNECTION');
const REGION = DESTINATION_LEVELS.indexOf('REGION');

/** What one company's deliveries say, ready for look-ups. */
export class PromiseTable {
  /** Undefined where it was never calculated. */
  readonly computedAt: Date | undefined;
  readonly size: number;
  readonly #cells = new Map<string, Cell>();

  constructor(computedAt: Date | undefined, rows: Iterable<CellRow>) {
    this.computedAt = computedAt;
    for (const { carrierCompanyId, level, destination, kind, ...cell } of rows) {
      this.#cells.set(keyOf(carrierCompanyId, level, destination, kind), cell);
    }
    this.size = this.#cells.size;
  }

  /**
   * From the first scan to delivery: of parcels as heavy, from the postal code to the whole connection; failing that, of
   * those whose weight nobody knows, since some platforms never say it; failing that, of all of the connection.
   *
   * @param weight kilograms
   */
  transit(carrierCompanyId: number, lane: Lane, weight: number | null): Found | undefined {
    const band = weightBand(weight);
    return (
      this.#first(carrierCompanyId, lane, 0, band) ??
      (band === NO_WEIGHT ? undefined : this.#first(carrierCompanyId, lane, 0, NO_WEIGHT)) ??
      this.#at(carrierCompanyId, lane, WHOLE, ANY_WEIGHT)
    );
  }

  /** From the newest event to delivery, by the status that it gave. */
  remaining(carrierCompanyId: number, lane: Lane, statusCode: string): Found | undefined {
    return this.#first(carrierCompanyId, lane, REGION, statusCode);
  }

  #first(carrierCompanyId: number, lane: Lane, from: number, kind: string): Found | undefined {
    for (let level = from; level < lane.length; level++) {
      const found = this.#at(carrierCompanyId, lane, level, kind);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #at(carrierCompanyId: number, lane: Lane, level: number, kind: string): Found | undefined {
    const destination = lane[level];
    if (destination === undefined) return undefined;
    const cell = this.#cells.get(keyOf(carrierCompanyId, level, destination, kind));
    return cell && { cell, level: DESTINATION_LEVELS[level] as DestinationLevel };
  }
}

function keyOf(carrierCompanyId: number, level: number, destination: string, kind: string): string {
  return `${carrierCompanyId}|${level}|${destination}|${kind}`;
}
