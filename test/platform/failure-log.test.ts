import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Fault } from '../../src/platform/fault.ts';
import { logFailure } from '../../src/platform/telemetry/failure-log.ts';
import type { Log } from '../../src/platform/telemetry/log.ts';

let lines: { msg: string; code: string; count?: number; requestId?: string }[];
let log: Log;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  lines = [];
  log = pino({ level: 'trace', base: null }, { write: line => void lines.push(JSON.parse(line)) });
});
afterEach(() => {
  vi.useRealTimers();
});

const fail = (detail: string, count: number) => {
  for (let i = 0; i < count; i++) logFailure(log, `request-${i}`, new Fault('unavailable', { detail }));
};
const seen = () => lines.splice(0).map(({ msg, count, requestId }) => [msg, count ?? requestId]);

test('The first of requests that are unavailable for the same reason is logged, and then their number every ten seconds', () => {
  fail('No database.', 500);
  expect(seen()).toEqual([['request failed', 'request-0']]);
  vi.advanceTimersByTime(10_000);
  expect(seen()).toEqual([['request failed', 499]]);
  fail('No database.', 3);
  vi.advanceTimersByTime(10_000);
  expect(seen()).toEqual([['request failed', 3]]);
  vi.advanceTimersByTime(10_000);
  fail('No database.', 1);
  expect(seen()).toEqual([['request failed', 'request-0']]);
});

test('An outage for another reason has a line of its own', () => {
  fail('No database.', 2);
  fail('Shutting down.', 1);
  expect(seen()).toEqual([
    ['request failed', 'request-0'],
    ['request failed', 'request-0'],
  ]);
});

test('Every other failure is logged', () => {
  for (let i = 0; i < 3; i++)
    logFailure(log, `request-${i}`, new Fault('internal_error', { cause: new Error('ours') }));
  expect(lines).toHaveLength(3);
});
