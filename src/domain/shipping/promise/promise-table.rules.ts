import { Distribution, type Group } from './distribution.rules.ts';
import { ANY_WEIGHT, DESTINATION_LEVELS, type DestinationLevel, type Lane, weightBand } from './lane.rules.ts';

/** The transit times of one company's deliveries, ready for look-ups. */

/** A row of the table: `kind` is a band of weights, or a status and the silence after it. */
export interface CellRow extends Omit<Group, 'level'> {
  readonly carrierConnectionId: number;
  /** The index in `DESTINATION_LEVELS`. */
  readonly level: number;
  readonly destination: string;
  readonly kind: string;
}

/** Parcels that are silent for longer are not comparable with others. */
export const MAX_SILENT_DAYS = 10;

/** The kind of parcels with this many whole working days of silence after an event. */
function silentKind(statusCode: string, days: number): string {
  return days === 0 ? statusCode : `${statusCode}+${days}`;
}

export class PromiseTable {
  /** Undefined before the first calculation. */
  readonly computedAt: Date | undefined;
  readonly size: number;
  /** By connection, level and destination, then by kind. */
  readonly #areas = new Map<string, Map<string, Group>>();

  constructor(computedAt: Date | undefined, rows: readonly CellRow[]) {
    this.computedAt = computedAt;
    this.size = rows.length;
    for (const { carrierConnectionId, level, destination, kind, deliveries, times, longest } of rows) {
      const key = keyOf(carrierConnectionId, level, destination);
      const area = this.#areas.get(key) ?? new Map<string, Group>();
      this.#areas.set(key, area);
      area.set(kind, { level: DESTINATION_LEVELS[level] as DestinationLevel, deliveries, times, longest });
    }
  }

  /**
   * From the first scan to delivery: at each level parcels of similar weight, and then all, before the next wider
   * level. An area tells more about a parcel than its weight, which some platforms never send.
   *
   * @param weight kilograms
   */
  transit(carrierConnectionId: number, lane: Lane, weight: number | null): Distribution | undefined {
    return this.#distribution(carrierConnectionId, lane, [weightBand(weight), ANY_WEIGHT]);
  }

  /** From an event to delivery, after whole working days of silence: counted from the end of these days. */
  remaining(carrierConnectionId: number, lane: Lane, statusCode: string, silentDays: number): Distribution | undefined {
    return this.#distribution(carrierConnectionId, lane, [silentKind(statusCode, silentDays)]);
  }

  #distribution(carrierConnectionId: number, lane: Lane, kinds: readonly string[]): Distribution | undefined {
    const groups: Group[] = [];
    for (const [level, destination] of lane.entries()) {
      const area =
        destination === undefined ? undefined : this.#areas.get(keyOf(carrierConnectionId, level, destination));
      if (area === undefined) continue;
      for (const kind of kinds) {
        const group = area.get(kind);
        if (group !== undefined) groups.push(group);
      }
    }
    return Distribution.of(groups);
  }
}

function keyOf(carrierConnectionId: number, level: number, destination: string): string {
  return `${carrierConnectionId}|${level}|${destination}`;
}
