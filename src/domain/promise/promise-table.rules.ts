import { Distribution, type Group } from './distribution.rules.ts';
import { ANY_WEIGHT, DESTINATION_LEVELS, type DestinationLevel, type Lane, weightBand } from './lane.rules.ts';

/** What one company's deliveries say, ready for look-ups. */

/** A row of the table: `kind` is a band of weights, or a status and how long nothing was heard after it. */
export interface CellRow extends Omit<Group, 'level'> {
  readonly carrierCompanyId: number;
  /** The place in `DESTINATION_LEVELS`. */
  readonly level: number;
  readonly destination: string;
  readonly kind: string;
}

/** Parcels of which nothing was heard for longer are compared with no others. */
export const MAX_SILENT_DAYS = 10;

/** The kind of parcels of which nothing was heard for so many whole working days after an event. */
export function silentKind(statusCode: string, days: number): string {
  return days === 0 ? statusCode : `${statusCode}+${days}`;
}

export class PromiseTable {
  /** Undefined where it was never calculated. */
  readonly computedAt: Date | undefined;
  readonly size: number;
  /** By connection, level and destination, then by kind. */
  readonly #areas = new Map<string, Map<string, Group>>();

  constructor(computedAt: Date | undefined, rows: readonly CellRow[]) {
    this.computedAt = computedAt;
    this.size = rows.length;
    for (const { carrierCompanyId, level, destination, kind, deliveries, times, longest } of rows) {
      const key = keyOf(carrierCompanyId, level, destination);
      const area = this.#areas.get(key) ?? new Map<string, Group>();
      this.#areas.set(key, area);
      area.set(kind, { level: DESTINATION_LEVELS[level] as DestinationLevel, deliveries, times, longest });
    }
  }

  /**
   * From the first scan to delivery: at each level of parcels as heavy, and then of all, before the next wider level is
   * asked. An area says more of a parcel than its weight does, and some platforms never send one.
   *
   * @param weight kilograms
   */
  transit(carrierCompanyId: number, lane: Lane, weight: number | null): Distribution | undefined {
    return this.#distribution(carrierCompanyId, lane, [weightBand(weight), ANY_WEIGHT]);
  }

  /** From an event to delivery, where nothing was heard for so many whole working days after it: from the end of these. */
  remaining(carrierCompanyId: number, lane: Lane, statusCode: string, silentDays: number): Distribution | undefined {
    return this.#distribution(carrierCompanyId, lane, [silentKind(statusCode, silentDays)]);
  }

  #distribution(carrierCompanyId: number, lane: Lane, kinds: readonly string[]): Distribution | undefined {
    const groups: Group[] = [];
    for (const [level, destination] of lane.entries()) {
      const area = destination === undefined ? undefined : this.#areas.get(keyOf(carrierCompanyId, level, destination));
      if (area === undefined) continue;
      for (const kind of kinds) {
        const group = area.get(kind);
        if (group !== undefined) groups.push(group);
      }
    }
    return Distribution.of(groups);
  }
}

function keyOf(carrierCompanyId: number, level: number, destination: string): string {
  return `${carrierCompanyId}|${level}|${destination}`;
}
