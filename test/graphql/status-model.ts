import fc from 'fast-check';
import { at } from './step-calls.ts';

/**
 * The result of batches of events, by the guide on tracking and not by the code of the service: after each batch, all
 * events so far are looked at again from the first.
 */

export const FINAL: ReadonlySet<string> = new Set(['delivered', 'returned', 'lost', 'cancelled']);
export const REOPENS: ReadonlySet<string> = new Set(['returning', 'refused']);
/** Scans with which a voided or a lost parcel turns up. */
export const MOVES: ReadonlySet<string> = new Set([
  ...['shipped', 'in_transit', 'at_depot', 'customs', 'out_for_delivery', 'pickup_point', 'delivery_failed', 'held'],
]);
export const canTurnUp = (statusCode: string) => statusCode === 'cancelled' || statusCode === 'lost';
const FIRES_NOTHING = new Set(['created', 'returning', 'returned', 'cancelled', 'unknown']);
const STATUSES = ['created', 'shipped', 'in_transit', 'held', 'delayed', ...REOPENS, 'unknown', ...FINAL];

export interface Event {
  readonly minute: number;
  readonly statusCode: string;
}

interface Step {
  readonly from: string;
  readonly event: Event;
  readonly timeline: readonly Event[];
}

export const stepText = ({ from, event }: Pick<Step, 'from' | 'event'>) =>
  `${from} > ${event.statusCode} at ${at(event.minute)}`;

const rank = ({ statusCode }: Event) => (FINAL.has(statusCode) ? 1 : 0);
const byTime = (one: Event, other: Event) => one.minute - other.minute;
/** In the order in which events count; equal ones stay in the order of arrival. */
export const byOrder = (one: Event, other: Event) => byTime(one, other) || rank(one) - rank(other);

function isOver(from: string, statusCode: string): boolean {
  const reopens = REOPENS.has(statusCode) || (canTurnUp(from) && MOVES.has(statusCode));
  return FINAL.has(from) && !FINAL.has(statusCode) && !reopens;
}

/** The statuses of a shipment one after the other, each with the events that gave it or confirmed it. */
function waysOf(arrived: readonly Event[]): (readonly Event[])[] {
  const known = arrived.filter(({ statusCode }) => statusCode !== 'unknown');
  const ways: Event[][] = [];
  for (const event of (known.length > 0 ? known : arrived).toSorted(byOrder)) {
    const last = ways.at(-1);
    const from = last?.[0]?.statusCode ?? 'created';
    if (isOver(from, event.statusCode)) continue;
    if (from === event.statusCode && last) last.push(event);
    else ways.push([event]);
  }
  return ways;
}

export function expectedOf(batches: readonly (readonly Event[])[]) {
  let status = 'created';
  let before: (readonly Event[])[] = [];
  let ways: (readonly Event[])[] = [];
  const steps: Step[] = [];
  const fires: Step[] = [];
  const takenBack = new Set<Event>();
  const stored: Event[] = [];
  for (const batch of batches) {
    stored.push(...batch);
    ways = waysOf(stored);
    // What a late event adds at the end is new. All before the last status that was there already is not.
    const there = ways.findLastIndex(way => before.some(old => old.some(event => way.includes(event))));
    const added = ways.slice(there + 1).flatMap(([first]) => first ?? []);
    const apart = new Set([...batch, ...added]);
    for (const event of before.flat()) if (!ways.flat().includes(event)) takenBack.add(event);
    for (const event of added) {
      if (event.statusCode === status) continue;
      const timeline = stored.filter(one => !apart.has(one) || byOrder(one, event) <= 0).toSorted(byTime);
      const step = { from: status, event, timeline };
      steps.push(step);
      // A step that comes back is in the feed again, and nobody is notified of it twice.
      const isBack = ways.some(way => way[0] === event && way.some(one => takenBack.has(one)));
      if (!isBack && !FIRES_NOTHING.has(event.statusCode)) fires.push(step);
      status = event.statusCode;
    }
    before = ways;
  }
  const first = ways.at(-1)?.[0];
  return {
    status: first?.statusCode,
    deliveredDate: first?.statusCode === 'delivered' ? at(first.minute) : null,
    steps,
    fires,
  };
}

/** Events in batches, each in any order. */
export const arrivals = fc
  .uniqueArray(fc.record({ minute: fc.nat(8), statusCode: fc.constantFrom(...STATUSES) }), {
    selector: ({ minute, statusCode }) => `${minute} ${statusCode}`,
    minLength: 1,
    maxLength: 10,
  })
  .chain(events => fc.tuple(fc.constant(events), fc.uniqueArray(fc.nat(events.length), { maxLength: 4 })))
  .map(([events, borders]) => {
    const ends = [...borders.toSorted((a, b) => a - b), events.length];
    return ends.map((end, i): readonly Event[] => events.slice(ends[i - 1] ?? 0, end));
  });
