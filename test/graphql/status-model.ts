import fc from 'fast-check';
import { at } from './step-calls.ts';

/**
 * The result of batches of events, one event after the other, by the guide on tracking and not by the code of the
 * service.
 */

export const FINAL: ReadonlySet<string> = new Set(['delivered', 'returned', 'lost', 'cancelled']);
export const REOPENS: ReadonlySet<string> = new Set(['returning', 'refused']);
const FIRES_NOTHING = new Set(['created', 'returning', 'returned', 'cancelled', 'unknown']);
const STATUSES = ['created', 'shipped', 'in_transit', 'held', ...REOPENS, 'unknown', ...FINAL];

export interface Event {
  readonly minute: number;
  readonly statusCode: string;
}

interface Step {
  readonly from: string;
  readonly event: Event;
  readonly timeline: readonly Event[];
}

export const stepText = ({ from, event }: Step) => `${from} > ${event.statusCode} at ${at(event.minute)}`;

const rank = ({ statusCode }: Event) => (FINAL.has(statusCode) ? 1 : 0);
const byTime = (one: Event, other: Event) => one.minute - other.minute;
/** In the order in which events count; equal ones stay in the order of arrival. */
export const byOrder = (one: Event, other: Event) => byTime(one, other) || rank(one) - rank(other);

export function expectedOf(batches: readonly (readonly Event[])[]) {
  let last: Event | undefined;
  let deliveredAt: number | null = null;
  const steps: Step[] = [];
  const stored: Event[] = [];
  for (const batch of batches) {
    const order = batch.toSorted(byOrder);
    const hasKnown = [...stored, ...batch].some(({ statusCode }) => statusCode !== 'unknown');
    for (const [place, event] of order.entries()) {
      if (hasKnown && event.statusCode === 'unknown') continue;
      if (last && hasKnown === (last.statusCode !== 'unknown') && byOrder(event, last) < 0) continue;
      const from: string = last?.statusCode ?? 'created';
      const isOver = FINAL.has(from) && !FINAL.has(event.statusCode) && !REOPENS.has(event.statusCode);
      if (isOver) continue;
      last = event;
      if (from === event.statusCode) continue;
      deliveredAt = event.statusCode === 'delivered' ? event.minute : null;
      const known = batch.filter(one => order.indexOf(one) <= place);
      steps.push({ from, event, timeline: [...stored, ...known].toSorted(byTime) });
    }
    stored.push(...batch);
  }
  return {
    status: last?.statusCode,
    deliveredDate: deliveredAt === null ? null : at(deliveredAt),
    steps,
    fires: steps.filter(({ event }) => !FIRES_NOTHING.has(event.statusCode)),
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
