import fc from 'fast-check';
import { eventOfStatus } from '../../src/domain/exchange/webhooks/events/event.rules.ts';
import { STATUS_CODES } from '../../src/domain/shipping/tracking/status.rules.ts';
import { at } from './step-calls.ts';

/**
 * The result of batches of events, by the guide on tracking: after each batch, all events so far are looked at again from
 * the first. The code of the service says only which statuses fire nothing.
 */

export const FINAL: ReadonlySet<string> = new Set(['delivered', 'returned', 'lost', 'cancelled']);
export const REOPENS: ReadonlySet<string> = new Set(['returning', 'refused']);
/** Scans with which a voided or a lost parcel turns up. */
export const MOVES: ReadonlySet<string> = new Set([
  ...['shipped', 'in_transit', 'at_depot', 'customs', 'out_for_delivery', 'pickup_point', 'delivery_failed', 'held'],
]);
export const canTurnUp = (statusCode: string) => statusCode === 'cancelled' || statusCode === 'lost';
const FIRES_NOTHING: ReadonlySet<string> = new Set(STATUS_CODES.filter(code => eventOfStatus(code) === null));
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

/** A status of a shipment, with the events that gave it or confirmed it. */
interface Way {
  readonly statusCode: string;
  readonly events: Event[];
}

/** The statuses of a shipment one after the other. */
function waysOf(arrived: readonly Event[], isCarriersWord: boolean): Way[] {
  const known = arrived.filter(({ statusCode }) => statusCode !== 'unknown');
  const ways: Way[] = [];
  let isReturning = false;
  for (const event of (known.length > 0 ? known : arrived).toSorted(byOrder)) {
    const isReturn = isCarriersWord && isReturning && event.statusCode === 'delivered';
    const statusCode = isReturn ? 'returned' : event.statusCode;
    if (statusCode === 'returning') isReturning = true;
    if (statusCode === 'pickup_point' || statusCode === 'delivered') isReturning = false;
    const last = ways.at(-1);
    const from = last?.statusCode ?? 'created';
    if (isOver(from, statusCode)) continue;
    if (from === statusCode && last) last.events.push(event);
    else ways.push({ statusCode, events: [event] });
  }
  return ways;
}

/** @param isCarriersWord whether the statuses come from the carrier's codes, and not from the platform */
export function expectedOf(batches: readonly (readonly Event[])[], isCarriersWord = false) {
  let status = 'created';
  let before: Way[] = [];
  let ways: Way[] = [];
  const steps: Step[] = [];
  const fires: Step[] = [];
  const takenBack = new Set<string>();
  const stored: Event[] = [];
  for (const batch of batches) {
    stored.push(...batch);
    ways = waysOf(stored, isCarriersWord);
    // Only the statuses after the last one that was there already are new.
    const wasThere = ({ statusCode, events }: Way) =>
      before.some(old => old.statusCode === statusCode && old.events.some(event => events.includes(event)));
    const added = ways.slice(ways.findLastIndex(wasThere) + 1);
    const order = stored.toSorted(byOrder);
    const apart = new Set([...batch, ...added.map(({ events: [event] }) => event as Event)]);
    for (const { statusCode, events } of before) {
      const still = ways.find(way => way.statusCode === statusCode && way.events.some(event => events.includes(event)));
      for (const event of events) if (!still?.events.includes(event)) takenBack.add(`${event.minute} ${statusCode}`);
    }
    for (const { statusCode, events } of added) {
      if (statusCode === status) continue;
      const event = events[0] as Event;
      const isKnown = (one: Event) => !apart.has(one) || order.indexOf(one) <= order.indexOf(event);
      const timeline = stored.filter(isKnown).toSorted(byTime);
      const step = { from: status, event: { ...event, statusCode }, timeline };
      steps.push(step);
      // A step that comes back is in the feed again, and nobody is notified of it twice.
      const isBack = events.some(({ minute }) => takenBack.has(`${minute} ${statusCode}`));
      if (!isBack && !FIRES_NOTHING.has(statusCode)) fires.push(step);
      status = statusCode;
    }
    before = ways;
  }
  const last = ways.at(-1);
  return {
    status: last?.statusCode,
    deliveredDate: last?.statusCode === 'delivered' ? at((last.events[0] as Event).minute) : null,
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
