import { isOpen, nextPollMs } from '../domain/polling/poll.rules.ts';
import { STATUS_CODES, type StatusCode } from '../domain/tracking/status.rules.ts';
import { code, table } from './markdown.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const AGES_DAYS = [0, 2, 14];

/** How often a carrier is asked about a shipment, by status and age. */
export function pollingPace(): string {
  const rows = STATUS_CODES.filter(isOpen).map(status => [
    code(status),
    ...AGES_DAYS.map(days => duration(everyMs(status, days))),
  ]);
  return table(['Status', 'First two days', 'From 2 days', 'From 14 days'], rows);
}

/** Without jitter. */
function everyMs(statusCode: StatusCode, days: number): number {
  const ageMs = days * DAY_MS;
  const polled = { statusCode, ageMs, isSandbox: false, stretch: 1, noAnswer: null, misses: 0, askedMs: undefined };
  return nextPollMs(polled, 0.5) ?? 0;
}

function duration(ms: number): string {
  const minutes = ms / MINUTE_MS;
  if (minutes < 60) return `${minutes} minutes`;
  const hours = minutes / 60;
  return hours === 1 ? '1 hour' : `${hours} hours`;
}
