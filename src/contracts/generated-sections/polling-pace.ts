import { isPolled, nextPollMs } from '../../domain/polling/poll.rules.ts';
import { STATUS_CODES, type StatusCode } from '../../domain/tracking/status.rules.ts';
import { duration } from './duration.ts';
import { code, table } from './markdown.ts';

const DAY_MS = 24 * 60 * 60_000;
const AGES_DAYS = [0, 2, 14];

/** How often a carrier is asked about a shipment, by status and age. */
export function pollingPace(): string {
  const rows = STATUS_CODES.filter(isPolled).map(status => [
    code(status),
    ...AGES_DAYS.map(days => duration(everyMs(status, days))),
  ]);
  return table(['Status', 'First two days', 'From 2 days', 'From 14 days'], rows);
}

/** Without jitter. */
function everyMs(statusCode: StatusCode, days: number): number {
  const ageMs = days * DAY_MS;
  const polled = {
    statusCode,
    ageMs,
    statusAgeMs: 0,
    isSandbox: false,
    intervalFactor: 1,
    noAnswer: null,
    misses: 0,
    askedMs: undefined,
  };
  return nextPollMs(polled, 0.5) ?? 0;
}
