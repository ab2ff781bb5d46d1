import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  canContinue,
  type FoldedEvent,
  fold,
  inFoldOrder,
  isReplaced,
  type Parcels,
  type Step,
  statusesTakenBack,
  stepsBetween,
  UNTOUCHED,
} from '../../src/domain/shipping/tracking/fold.rules.ts';
import { STATUS_CODES, type StatusCode } from '../../src/domain/shipping/tracking/status.rules.ts';
import { runs } from '../support/property-runs.ts';

// A shipment's status is a fold over its events by their own time.

const ONE: Parcels = { count: 1, labels: new Set() };

const history = (...told: readonly (StatusCode | [label: string | null, StatusCode] | 'CODE')[]): FoldedEvent[] =>
  told.map((one, i) => {
    const [label, statusCode] = typeof one === 'string' ? [null, one] : one;
    const isCarrierDelivery = statusCode === 'CODE';
    return {
      id: i + 1,
      occurredAtMs: (i + 1) * 10,
      statusCode: isCarrierDelivery ? 'delivered' : statusCode,
      isCarrierDelivery,
      label,
    };
  });

const statusesOf = (events: readonly FoldedEvent[], parcels = ONE) =>
  fold(UNTOUCHED, events, parcels)
    .runs.slice(1)
    .map(({ statusCode }) => statusCode);

test('A final status is replaced by another final one, and by those that reopen it', () => {
  const replacing = (from: StatusCode) => STATUS_CODES.filter(by => isReplaced(from, by));
  const final = ['delivered', 'returned', 'lost', 'cancelled'];
  const scans = ['shipped', 'in_transit', 'at_depot', 'customs', 'out_for_delivery', 'pickup_point', 'delivery_failed'];
  for (const from of ['delivered', 'returned'] as const)
    expect(new Set(replacing(from))).toEqual(new Set([...final, 'returning', 'refused']));
  for (const from of ['lost', 'cancelled'] as const)
    expect(new Set(replacing(from))).toEqual(new Set([...final, 'returning', 'refused', ...scans, 'held']));
  expect(replacing('held')).toEqual(STATUS_CODES);
});

describe("A carrier's delivery of a parcel on its way back", () => {
  test.each<readonly [string, (StatusCode | 'CODE')[], StatusCode]>([
    ['is a return', ['returning', 'CODE'], 'returned'],
    [
      'is a return after scans and the way to the door',
      ['returning', 'in_transit', 'at_depot', 'out_for_delivery', 'CODE'],
      'returned',
    ],
    ['is a return after a failed attempt at the sender', ['returning', 'delivery_failed', 'held', 'CODE'], 'returned'],
    ['is a return after a delivery', ['delivered', 'returning', 'CODE'], 'returned'],
    ['is a return when it is reported again', ['returning', 'CODE', 'CODE'], 'returned'],
    ['is a delivery if it has waited for its recipient since', ['returning', 'pickup_point', 'CODE'], 'delivered'],
    ['is a delivery before the return', ['CODE', 'in_transit'], 'delivered'],
    ['is a delivery if the sender of the event says so', ['returning', 'delivered'], 'delivered'],
    ['is a delivery after a refusal alone', ['refused', 'CODE'], 'delivered'],
  ])('%s', (_what, told, status) => {
    expect(fold(UNTOUCHED, history(...told), ONE).state.statusCode).toBe(status);
  });
});

describe('A shipment of three parcels', () => {
  const THREE: Parcels = { count: 3, labels: new Set(['A', 'B', 'C']) };

  test('ends with the last of its labels, whose status it has', () => {
    const events = history(
      ['A', 'delivered'],
      ['B', 'out_for_delivery'],
      ['B', 'delivered'],
      ['C', 'refused'],
      ['C', 'returned'],
    );
    expect(statusesOf(events, THREE)).toEqual(['out_for_delivery', 'refused', 'returned']);
  });
  test('ends with as many labels as it has parcels, or with all that it has', () => {
    const two = history(['A', 'delivered'], ['B', 'delivered']);
    expect(statusesOf(two, THREE)).toEqual([]);
    expect(statusesOf(two, { ...THREE, count: 2 })).toEqual(['delivered']);
    expect(statusesOf(two, { count: 3, labels: new Set(['A', 'B']) })).toEqual(['delivered']);
  });
  test('ends with an event for its main number, and with any label if it has one parcel', () => {
    expect(statusesOf(history(['A', 'delivered'], 'delivered'), THREE)).toEqual(['delivered']);
    expect(statusesOf(history(['A', 'delivered']), { ...THREE, count: 1 })).toEqual(['delivered']);
  });
  test('ends although a parcel that has ended is scanned late', () => {
    const events = history(
      ['A', 'delivered'],
      ['B', 'delivered'],
      ['A', 'in_transit'],
      ['C', 'delivered'],
      ['B', 'held'],
    );
    expect(statusesOf(events, THREE)).toEqual(['in_transit', 'delivered']);
  });
  test('is open again once one of its parcels is', () => {
    const ended = [
      ['A', 'delivered'],
      ['B', 'delivered'],
      ['C', 'delivered'],
    ] as const;
    const events = history(
      ...ended.map(one => [...one] as [string, StatusCode]),
      ['B', 'returning'],
      ['A', 'delivered'],
      ['B', 'returned'],
    );
    expect(statusesOf(events, THREE)).toEqual(['delivered', 'returning', 'returned']);
  });
  test('has one parcel returned, which does not make the delivery of another a return', () => {
    const events = [...history(['A', 'returning'], ['B', 'delivered'], ['C', 'delivered'], ['A', 'delivered'])].map(
      event => ({
        ...event,
        isCarrierDelivery: event.statusCode === 'delivered',
      }),
    );
    expect([...fold(UNTOUCHED, events, THREE).returned]).toEqual([4]);
    expect(statusesOf(events, THREE)).toEqual(['returning', 'returned']);
  });
});

describe('An event of an unknown code', () => {
  test.each<[StatusCode[], StatusCode]>([
    [['unknown', 'unknown'], 'unknown'],
    [['created', 'unknown'], 'created'],
    [['unknown', 'shipped', 'unknown'], 'shipped'],
  ])('does not change the status among %j, which is %s', (told, status) => {
    expect(fold(UNTOUCHED, history(...told), ONE).state.statusCode).toBe(status);
  });
});

describe('For any history', () => {
  const event = fc.record({
    minute: fc.nat(9),
    status: fc.oneof(
      fc.constantFrom(...STATUS_CODES),
      fc.constantFrom<StatusCode | 'CODE'>('CODE', 'delivered', 'returning'),
    ),
    label: fc.constantFrom(null, null, 'A', 'B', 'C'),
  });
  const parcels = fc.constantFrom<Parcels>(
    ONE,
    { count: 2, labels: new Set(['A', 'B']) },
    { count: 3, labels: new Set('ABC') },
  );
  const arrived = fc.array(event, { minLength: 1, maxLength: 12 }).map(events =>
    events.map(({ minute, status, label }, i): FoldedEvent => {
      const isCarrierDelivery = status === 'CODE';
      return {
        id: i + 1,
        occurredAtMs: minute,
        statusCode: isCarrierDelivery ? 'delivered' : status,
        isCarrierDelivery,
        label,
      };
    }),
  );

  test('the order in which events are given does not matter', () => {
    fc.assert(
      fc.property(arrived, parcels, fc.infiniteStream(fc.nat()), (events, of, dice) => {
        const shuffled = events.map(one => [one, dice.next().value] as const).toSorted(([, a], [, b]) => a - b);
        const again = fold(
          UNTOUCHED,
          shuffled.map(([one]) => one),
          of,
        );
        expect(again).toEqual(fold(UNTOUCHED, events, of));
      }),
      { numRuns: runs(600) },
    );
  });

  test('a fold that continues where it can is the same as the whole fold', () => {
    fc.assert(
      fc.property(arrived, parcels, fc.nat(), (events, of, place) => {
        const sorted = events.toSorted(inFoldOrder);
        const border = place % (sorted.length + 1);
        const [first, later] = [sorted.slice(0, border), sorted.slice(border)];
        const { state } = fold(UNTOUCHED, first, of);
        const isOfLabel = of.count > 1 && later.some(({ label }) => label !== null);
        if (!isOfLabel && canContinue(state, later)) {
          expect(fold(state, later, of).state).toEqual(fold(UNTOUCHED, events, of).state);
        }
      }),
      { numRuns: runs(1_500) },
    );
  });

  test('the steps lead from the status of the record to the new one, each once, in any order of arrival', () => {
    fc.assert(
      fc.property(arrived, parcels, (events, of) => {
        let shown: StatusCode = 'created';
        const told: string[] = [];
        const takenBack = new Set<string>();
        let before = fold(UNTOUCHED, [] as FoldedEvent[], of);
        for (let count = 1; count <= events.length; count++) {
          const after = fold(UNTOUCHED, events.slice(0, count), of);
          const steps: readonly Step<FoldedEvent>[] = stepsBetween(before, after, shown);
          for (const step of steps) {
            const {
              event: { id },
              statusCode,
              previousStatusCode,
              run,
              isReturn,
            } = step;
            expect(previousStatusCode).toBe(shown);
            expect(statusCode).not.toBe(shown);
            shown = statusCode;
            if (!isReturn && !run.events.some(one => takenBack.has(`${one.id} ${statusCode}`)))
              told.push(`${id} ${statusCode}`);
          }
          for (const [id, statusCode] of statusesTakenBack(before, after)) takenBack.add(`${id} ${statusCode}`);
          expect(shown).toBe(after.state.statusCode);
          before = after;
        }
        expect(new Set(told).size).toBe(told.length);
      }),
      { numRuns: runs(1_500) },
    );
  });
});
