import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  afterAttempt,
  endpointNews,
  type Finding,
  HEALTHY,
  type Health,
  nextLook,
  OPENS_AFTER,
} from '../../src/domain/exchange/webhooks/deliveries/breaker.rules.ts';
import { RETRY_AFTER_MS, retryDelayMs } from '../../src/domain/exchange/webhooks/deliveries/schedule.rules.ts';
import { judge } from '../../src/domain/exchange/webhooks/deliveries/verdict.rules.ts';
import { EVENT_TYPES, eventOfStatus } from '../../src/domain/exchange/webhooks/events/event.rules.ts';
import { makeSecret, signature, signingKey } from '../../src/domain/exchange/webhooks/secrets/secret.rules.ts';
import { STATUS_CODES } from '../../src/domain/shipping/tracking/status.rules.ts';
import { retryAfterMs } from '../../src/platform/outbound/retry-after.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../support/time.ts';

const NOW = new Date('2026-11-21T12:00:00Z');
const later = (ms: number) => new Date(NOW.getTime() + ms);
const chance = fc.double({ min: 0, max: 1, noNaN: true });

describe('The schedule of attempts', () => {
  test('has ten attempts within 75 h 35 min and 5 s', () => {
    expect(RETRY_AFTER_MS).toHaveLength(9);
    const sum = RETRY_AFTER_MS.reduce((total, ms) => total + ms, 0);
    expect(sum).toBe(75 * HOUR + 35 * MINUTE + 5 * SECOND);
  });

  test.each(RETRY_AFTER_MS.map((ms, i) => [i + 1, ms] as const))(
    'has after attempt %i the next in %i ms ± 20 %%',
    (tries, ms) => {
      fc.assert(
        fc.property(chance, random => {
          const delay = retryDelayMs(tries, undefined, random) ?? 0;
          return delay >= ms * 0.8 && delay <= ms * 1.2;
        }),
      );
      expect([retryDelayMs(tries, undefined, 0), retryDelayMs(tries, undefined, 1)]).toEqual([ms * 0.8, ms * 1.2]);
    },
  );

  test('ends with the tenth attempt, whatever the receiver asks for', () => {
    expect([retryDelayMs(10, undefined, 0.5), retryDelayMs(10, HOUR, 0.5)]).toEqual([undefined, undefined]);
  });

  test('is delayed by Retry-After, and never made earlier', () => {
    expect(retryDelayMs(1, HOUR, 0.5)).toBe(HOUR);
    expect(retryDelayMs(2, 10 * SECOND, 0.5)).toBe(5 * MINUTE);
  });

  test.each([
    ['120', 120 * SECOND],
    [' 7 ', 7 * SECOND],
    ['0', 0],
    ['86400', DAY],
    ['86401', DAY],
    ['9999999999', DAY],
    ['Sat, 21 Nov 2026 12:10:00 GMT', 10 * MINUTE],
    ['Saturday, 21-Nov-26 12:10:00 GMT', 10 * MINUTE],
    ['Sat Nov 21 12:10:00 2026 GMT', 10 * MINUTE],
    ['Sat, 21 Nov 2026 11:00:00 GMT', 0],
    ['Tue, 21 Nov 2028 12:00:00 GMT', DAY],
    [null, undefined],
    ['', undefined],
    ['soon', undefined],
    ['5 minutes', undefined],
    ['-5', undefined],
    ['1.5', undefined],
    ['2026-11-21T12:10:00Z', undefined],
    ['99999999999', undefined],
  ])('reads Retry-After %j as %j ms', (header, ms) => {
    expect(retryAfterMs(header, NOW.getTime())).toBe(ms);
  });
});

describe('An endpoint is reported', () => {
  const failure: Finding = { result: 'failure', isProbe: true, askedMs: undefined };
  const failing = (failures: number, notifiedPercent: number | null): Health => {
    return { ...HEALTHY, failures, failingSince: NOW, breaker: 'open', notifiedPercent };
  };
  const newsAfter = (before: Health, days: number, result: Finding['result'] = 'failure') => {
    const { health, change } = afterAttempt(before, { ...failure, result }, later(days * DAY), 0.5);
    const news = endpointNews(before, health, change);
    return [news?.kind === 'failing' ? news.percent : news?.kind, health.notifiedPercent];
  };

  test.each([
    ['before half of the time', 2.49, failing(9, null), [undefined, null]],
    ['after it', 2.5, failing(9, null), [50, 50]],
    ['after it was told', 3.49, failing(9, 50), [undefined, 50]],
    ['after the next part', 3.5, failing(9, 50), [70, 70]],
    ['after several at once', 4.5, failing(9, null), [90, 90]],
    ['after several, of which some were told', 4.9, failing(9, 50), [90, 90]],
    ['once it is disabled', 5, failing(9, 90), ['disabled', 100]],
    ['where it failed too seldom', 4.9, failing(3, null), [undefined, null]],
    ['after it was resumed', 3, failing(9, 0), [50, 50]],
    ['after it was resumed, and before half of the time', 1, failing(9, 0), [undefined, 0]],
  ] as const)('or not, %s', (_when, days, before, expected) => {
    expect(newsAfter(before, days)).toEqual(expected);
  });

  test('at once after 410', () => {
    expect(newsAfter(HEALTHY, 0, 'gone')).toEqual(['disabled', 100]);
  });

  test.each([
    [null, undefined],
    [0, 'recovered'],
    [70, 'recovered'],
    [100, 'recovered'],
  ])('or not, after a success, when %s percent was reported', (notifiedPercent, expected) => {
    expect(newsAfter(failing(9, notifiedPercent), 3, 'success')).toEqual([expected, null]);
  });
});

describe('The verdict', () => {
  const answered = (status: number, retryAfter: string | null = null) =>
    ({ outcome: 'answered', status, retryAfter, body: '', durationMs: 5 }) as const;
  const of = (result: Parameters<typeof judge>[0], tries = 0) => judge(result, tries, false, NOW, 0.5);

  test.each([200, 201, 202, 204, 299])('for %i is success', status => {
    expect(of(answered(status))).toMatchObject({ outcome: 'delivered', status: 'success', tries: 1, nextAt: null });
  });

  test.each([300, 301, 302, 304, 307, 308, 400, 401, 404, 409, 429, 500, 502, 503, 599])(
    'for %i is to try again',
    status => {
      expect(of(answered(status))).toMatchObject({
        outcome: 'rejected',
        status: 'retrying',
        nextAt: later(5 * SECOND),
      });
      expect(of(answered(status), 9)).toMatchObject({ status: 'failed', tries: 10, nextAt: null });
    },
  );

  test('for 410 is to give up, at once', () => {
    const gone = of(answered(410, '60'));
    expect(gone).toMatchObject({ outcome: 'rejected', status: 'failed', nextAt: null, finding: { result: 'gone' } });
  });

  test('for an answer with Retry-After is to wait for as long', () => {
    expect(of(answered(503, '600')).nextAt).toEqual(later(10 * MINUTE));
    expect(of(answered(429, 'Sat, 21 Nov 2026 13:00:00 GMT')).finding?.askedMs).toBe(HOUR);
  });

  test.each([
    'blocked_address',
    'timeout',
    'connection_failed',
    'tls_failed',
    'unresolvable_host',
    'protocol_error',
  ] as const)('for %s is to try again', outcome => {
    expect(of({ outcome, durationMs: 5 })).toMatchObject({
      outcome,
      status: 'retrying',
      tries: 1,
      finding: { result: 'failure' },
    });
  });

  test.each([
    [0, 'pending'],
    [3, 'retrying'],
  ])('for an attempt that the service aborted after %i tries counts no attempt', (tries, status) => {
    const broken = of({ outcome: 'aborted', durationMs: 5 }, tries);
    expect(broken).toEqual({ outcome: 'aborted', status, tries, nextAt: NOW, finding: null });
  });
});

describe('The breaker of an endpoint', () => {
  const success: Finding = { result: 'success', isProbe: false, askedMs: undefined };
  const failure: Finding = { ...success, result: 'failure' };
  const fail = (health: Health, times: number) => {
    let [after, changes] = [health, [] as unknown[]];
    for (let i = 0; i < times; i++) {
      const next = afterAttempt(after, failure, NOW, 0.5);
      after = next.health;
      changes = [...changes, next.change];
    }
    return { health: after, changes };
  };

  test('opens at the fifth failure in a row, and reports it once', () => {
    const { health, changes } = fail(HEALTHY, 7);
    expect(changes).toEqual([null, null, null, null, 'opened', null, null]);
    expect(health).toMatchObject({ failures: 7, failingSince: NOW, breaker: 'open', probeAfter: later(5 * SECOND) });
  });

  test('does not open if a success comes between', () => {
    const four = fail(HEALTHY, OPENS_AFTER - 1).health;
    const healed = afterAttempt(four, success, NOW, 0.5);
    expect(healed).toEqual({ health: HEALTHY, change: null });
    expect(fail(healed.health, 4).changes).toEqual([null, null, null, null]);
  });

  test('tries again after 5, 10, 20 … seconds, and finally every five minutes', () => {
    let { health } = fail(HEALTHY, OPENS_AFTER);
    const waits: number[] = [];
    for (let i = 0; i < 9; i++) {
      waits.push(((health.probeAfter?.getTime() ?? 0) - NOW.getTime()) / SECOND);
      const probed = afterAttempt(health, { ...failure, isProbe: true }, NOW, 0.5);
      expect(probed.change).toBe('probed');
      health = probed.health;
    }
    expect(waits).toEqual([5, 10, 20, 40, 80, 160, 300, 300, 300]);
  });

  test('waits for as long as the receiver asks', () => {
    const { health } = fail(HEALTHY, OPENS_AFTER - 1);
    expect(afterAttempt(health, { ...failure, askedMs: HOUR }, NOW, 0.5).health.probeAfter).toEqual(later(HOUR));
  });

  test('closes with the first success, and sends waiting deliveries before new ones', () => {
    const { health } = fail(HEALTHY, OPENS_AFTER);
    const draining = { ...HEALTHY, breaker: 'draining' };
    expect(afterAttempt(health, success, NOW, 0.5)).toEqual({ health: draining, change: 'recovered' });
    expect(afterAttempt(draining as Health, success, NOW, 0.5)).toEqual({ health: draining, change: null });
  });

  test('opens again while waiting deliveries are sent', () => {
    expect(fail({ ...HEALTHY, breaker: 'draining' }, OPENS_AFTER).changes.at(-1)).toBe('opened');
  });

  test.each([
    ['a millisecond short of five days', 5 * DAY - 1, false],
    ['five days', 5 * DAY, true],
    ['six days', 6 * DAY, true],
  ])('disables the endpoint after five days in which it has only failed: %s', (_what, ms, isDisabled) => {
    const { health } = fail(HEALTHY, OPENS_AFTER);
    const { change } = afterAttempt(health, { ...failure, isProbe: true }, later(ms), 0.5);
    expect(change).toBe(isDisabled ? 'failing' : 'probed');
    const once = afterAttempt(afterAttempt(health, success, later(DAY), 0.5).health, failure, later(ms), 0.5);
    expect(once.change).toBeNull();
  });

  test('disables the endpoint after 410, in any state', () => {
    for (const health of [HEALTHY, fail(HEALTHY, 2).health, fail(HEALTHY, OPENS_AFTER).health]) {
      expect(afterAttempt(health, { ...failure, result: 'gone' }, NOW, 0.5).change).toBe('gone');
    }
  });

  test('is open, in any history, only after five failures in a row, and has the time of its next probe exactly while it is open', () => {
    const finding = fc.record({
      result: fc.constantFrom('success', 'failure') as fc.Arbitrary<'success' | 'failure'>,
      isProbe: fc.boolean(),
      askedMs: fc.option(fc.integer({ min: 0, max: DAY }), { nil: undefined }),
    });
    fc.assert(
      fc.property(
        fc.array(finding, { maxLength: 60 }),
        fc.array(chance, { minLength: 60, maxLength: 60 }),
        (findings, random) => {
          let health: Health = HEALTHY;
          let failures = 0;
          for (const [i, one] of findings.entries()) {
            failures = one.result === 'success' ? 0 : failures + 1;
            health = afterAttempt(health, one, later(i * SECOND), random[i] ?? 0).health;
            expect(health.failures).toBe(failures);
            expect(health.breaker === 'open').toBe(failures >= OPENS_AFTER);
            expect(health.probeAfter !== null).toBe(health.breaker === 'open');
            expect(health.failingSince === null).toBe(failures === 0);
          }
        },
      ),
    );
  });

  test.each([
    ['nothing waits', null, 5 * MINUTE],
    ['the next falls due in an hour', HOUR, 5 * MINUTE],
    ['the next falls due in a minute', MINUTE, MINUTE],
    ['the next is due already', -HOUR, 5 * SECOND],
  ])('looks again in time, if %s', (_what, dueMs, ms) => {
    expect(nextLook(dueMs === null ? null : later(dueMs), NOW)).toEqual(later(ms));
  });
});

describe('Events', () => {
  test('are sent for these states', () => {
    const fired = Object.fromEntries(
      STATUS_CODES.map(code => [code, eventOfStatus(code)?.replace('tracking.', '') ?? '']),
    );
    expect(fired).toEqual({
      created: '',
      shipped: 'order_shipped',
      in_transit: 'in_transit',
      at_depot: 'in_transit',
      customs: 'in_transit',
      out_for_delivery: 'out_for_delivery',
      delayed: 'delay',
      pickup_point: 'pickup_point',
      delivered: 'delivered',
      delivery_failed: 'delivery_failed',
      held: 'delivery_failed',
      refused: 'delivery_failed',
      lost: 'delivery_failed',
      returning: '',
      returned: '',
      cancelled: '',
      unknown: '',
    });
    expect(new Set(Object.values(fired))).toEqual(
      new Set(['', ...EVENT_TYPES.map(type => type.replace('tracking.', ''))]),
    );
  });
});

describe('A signature', () => {
  test('is the signature of Standard Webhooks, by its own example', () => {
    // In two parts, or scanners of repositories report it.
    const secret = `whsec_${'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'}`;
    const signed = signature([signingKey(secret)], 'msg_p5jXN8AQM9LWM0D4loKWxJek', 1614265330, '{"test": 2432232314}');
    expect(signed).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });

  test('is made for each secret, and no secret is made twice', () => {
    const secrets = Array.from({ length: 5 }, makeSecret);
    expect(signature(secrets.map(signingKey), 'a', 1, '{}').split(' ')).toHaveLength(5);
    expect(new Set(secrets).size).toBe(5);
    for (const secret of secrets) expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  });
});
