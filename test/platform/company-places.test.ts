import { describe, expect, test, vi } from 'vitest';
import type { CompanyId } from '../../src/platform/database/tenancy/company-id.ts';
import { Fault } from '../../src/platform/fault.ts';
import { CompanyPlaces } from '../../src/platform/limits/company-places.ts';

const [A, B] = ['a', 'b'] as unknown as [CompanyId, CompanyId];

function placesOf(count: number, maxWaiting = 10) {
  return new CompanyPlaces({ places: count, waitMs: 1_000, maxWaiting, reject: () => new Fault('rate_limited') });
}

/** Names of those that have entered, in their order. */
function entering() {
  const entered: string[] = [];
  const enter = (places: CompanyPlaces, name: string, count = 1) => {
    const waiting = places.enter(A, count);
    if (waiting) void waiting.then(() => entered.push(name));
    else entered.push(name);
  };
  return { entered, enter };
}

describe('A company', () => {
  test('has a limited number of places at once, and the next requests get in as others leave, in their order', async () => {
    const [places, { entered, enter }] = [placesOf(2), entering()];
    for (const name of ['1', '2', '3', '4']) enter(places, name);
    expect(entered).toEqual(['1', '2']);
    places.leave(A);
    await Promise.resolve();
    expect(entered).toEqual(['1', '2', '3']);
    places.leave(A);
    await Promise.resolve();
    expect(entered).toEqual(['1', '2', '3', '4']);
  });

  test('keeps no other company waiting', async () => {
    const places = placesOf(1);
    expect(places.enter(A)).toBeUndefined();
    const waiting = places.enter(A);
    expect(waiting).toBeInstanceOf(Promise);
    expect(places.enter(B)).toBeUndefined();
    places.leave(A);
    await waiting;
  });

  test('gives all of its places to a request that needs more than there are, and no later one passes it by', async () => {
    const [places, { entered, enter }] = [placesOf(3), entering()];
    enter(places, 'small');
    enter(places, 'large', 9);
    enter(places, 'later');
    expect(entered).toEqual(['small']);
    places.leave(A);
    await Promise.resolve();
    expect(entered).toEqual(['small', 'large']);
    places.leave(A, 9);
    await Promise.resolve();
    expect(entered).toEqual(['small', 'large', 'later']);
  });

  test('gives places to requests that need more than they got before requests that have none', async () => {
    const [places, { entered, enter }] = [placesOf(2), entering()];
    for (const name of ['1', '2', '3']) enter(places, name);
    const change = (name: string) => void places.change(A, 1, 2)?.then(() => entered.push(name));
    change('1 again');
    change('2 again');
    await Promise.resolve();
    expect(entered).toEqual(['1', '2', '1 again']);
    places.leave(A, 2);
    await Promise.resolve();
    places.leave(A, 2);
    await Promise.resolve();
    expect(entered).toEqual(['1', '2', '1 again', '2 again', '3']);
  });

  test('does not wait for places that cannot become free', async () => {
    const places = placesOf(1);
    places.enter(A);
    places.enter(B);
    const waiting = [places.enter(A), places.enter(A)];
    const ofAnother = places.enter(B);
    places.stopWaiting(A, new Fault('unavailable'));
    for (const one of waiting) await expect(one).rejects.toMatchObject({ code: 'unavailable' });
    places.leave(B);
    await ofAnother;
    places.leave(A);
    expect(places.enter(A)).toBeUndefined();
  });

  test('gets an error for a request that waits too long, or behind too many others', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const places = placesOf(1, 1);
      places.enter(A);
      const waiting = places.enter(A);
      expect(() => places.enter(A)).toThrow(Fault);
      const refused = expect(waiting).rejects.toThrow(Fault);
      vi.advanceTimersByTime(1_000);
      await refused;
      // Nothing of the one that gave up is left.
      places.leave(A);
      expect(places.enter(A)).toBeUndefined();
    } finally {
      vi.useRealTimers();
    }
  });
});

test('A company whose requests waited while the process stood still has the time once more', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  try {
    const places = placesOf(1);
    places.enter(A);
    let entered = false;
    const waiting = places.enter(A)?.then(() => {
      entered = true;
    });
    now = 6_000;
    await vi.advanceTimersByTimeAsync(1_000);
    places.leave(A);
    await waiting;
    expect(entered).toBe(true);
  } finally {
    clock.mockRestore();
    vi.useRealTimers();
  }
});

describe('All companies together', () => {
  const lacking: string[] = [];
  const bytes = (total: number) =>
    new CompanyPlaces({
      places: 60,
      total,
      waitMs: 1_000,
      maxWaiting: 10,
      reject: what => {
        lacking.push(what);
        return new Fault('rate_limited');
      },
    });

  test('have no more than the total, and one waits for places that another returns', async () => {
    const places = bytes(100);
    expect(places.enter(A, 60)).toBeUndefined();
    const large = places.enter(B, 60);
    expect(large).toBeInstanceOf(Promise);
    places.leave(A, 30);
    await large;
    expect(places.taken(B)).toBe(60);
  });

  test('lack places by another reason than a company whose own are taken, or that needs more than it can have', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const places = bytes(100);
      places.enter(A, 60);
      const waiting = [places.enter(A, 1), places.enter(B, 60), places.enter('c' as unknown as CompanyId, 61)];
      const refused = waiting.map(one => expect(one).rejects.toThrow(Fault));
      vi.advanceTimersByTime(1_000);
      await Promise.all(refused);
      expect(lacking).toEqual(['company', 'total', 'company']);
    } finally {
      vi.useRealTimers();
    }
  });

  test('get in by rounds: after the turn of a company that waits for many places, another company that waits is next', async () => {
    const places = new CompanyPlaces({
      places: 1,
      total: 1,
      waitMs: 1_000,
      maxWaiting: 10,
      reject: () => new Fault('unavailable'),
    });
    places.enter(A);
    const order: string[] = [];
    const all = [A, A, A, B].map(company =>
      places.enter(company)?.then(() => {
        order.push(String(company));
        places.leave(company);
      }),
    );
    places.leave(A);
    await Promise.all(all);
    expect(order).toEqual(['b', 'a', 'a', 'a']);
  });

  test('need not wait behind a request that gave up', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const places = bytes(100);
      places.enter(A, 50);
      const large = expect(places.enter(A, 60)).rejects.toThrow(Fault);
      vi.advanceTimersByTime(500);
      const small = places.enter(A, 10);
      vi.advanceTimersByTime(500);
      await large;
      await small;
      expect(places.taken(A)).toBe(60);
    } finally {
      vi.useRealTimers();
    }
  });
});
