import { RETRY_AFTER_MS } from '../../domain/exchange/webhooks/deliveries/schedule.rules.ts';
import { EVENT_TYPES, eventOfStatus } from '../../domain/exchange/webhooks/events/event.rules.ts';
import { noticeKinds as kinds } from '../../domain/exchange/webhooks/notices/notice.payload.ts';
import { STATUS_CODES } from '../../domain/shipping/tracking/status.rules.ts';
import { code, duration, table } from './markdown.ts';

/** The events that an endpoint can receive, with the statuses that fire them. */
export function webhookEvents(): string {
  return table(
    ['Event', 'Fires when the status becomes'],
    EVENT_TYPES.map(type => {
      const statuses = STATUS_CODES.filter(status => eventOfStatus(status) === type);
      return [code(type), statuses.map(code).join(', ')];
    }),
  );
}

/** The statuses that fire no event. */
export function silentStatuses(): string {
  const silent = STATUS_CODES.filter(status => eventOfStatus(status) === null).map(code);
  return `These statuses fire no event: ${silent.join(', ')}.`;
}

/** When each attempt of a delivery is made. */
export function webhookRetries(): string {
  const later = RETRY_AFTER_MS.map((ms, i) => [String(i + 2), `${duration(ms)} after attempt ${i + 1}`]);
  return table(['Attempt', 'When'], [['1', 'at once'], ...later]);
}

/** The notices that an endpoint can receive, with their meaning. */
export function noticeKinds(): string {
  return table(
    ['Notice', 'What happened', '`data`'],
    kinds().map(({ type, meaning, fields }) => [code(type), meaning, fields.map(code).join(', ')]),
  );
}
