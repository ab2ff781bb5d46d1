import { STATUS_CODES } from '../../domain/tracking/status.rules.ts';
import { EVENT_TYPES, eventOfStatus } from '../../domain/webhooks/events/event.rules.ts';
import { code, table } from './markdown.ts';

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
