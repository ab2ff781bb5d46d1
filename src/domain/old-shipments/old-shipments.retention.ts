import type { Removal, RetentionRule } from '../../platform/retention-rule.ts';
import { ORDERS_ALONE, SHIPMENTS } from './anonymize.repository.ts';
import { TIMELINES } from './timeline.repository.ts';
import { reachedBy, walkAll } from './walk.repository.ts';

const DAY_MS = 86_400_000;
/** A shipment that has not ended counts as lost after so long without a change, and an order without shipments as given up. */
export const SILENT_DAYS = 180;

/** The time before which something leaves that is kept for so many days at least. */
function atLeast(days: number, { before, now }: Removal): Date {
  return new Date(Math.min(before.getTime(), now.getTime() - days * DAY_MS));
}

function anonymize(work: Removal) {
  const { before } = work;
  const silent = atLeast(SILENT_DAYS, work);
  const walks = [
    { name: 'ended', statement: SHIPMENTS, before, isOfEnded: true },
    { name: 'silent', statement: SHIPMENTS, before: silent, isOfEnded: false },
    { name: 'orders', statement: ORDERS_ALONE, before: silent, isOfEnded: false },
  ];
  return walkAll(work, walks);
}

function shortenTimelines(work: Removal) {
  const walk = { name: 'timelines', statement: TIMELINES, before: work.before, isOfEnded: true };
  return walkAll(work, [walk]);
}

export const OLD_SHIPMENT_RETENTION_RULES: readonly RetentionRule[] = [
  {
    table: 'shipment',
    what: 'recipients of shipments and orders',
    how: 'anonymized once the shipment has ended, or was silent for 180 days',
    kept: { setting: 'RECIPIENT_RETENTION_DAYS', days: ({ recipientDays }) => recipientDays },
    remove: anonymize,
    oldest: reachedBy('ended'),
  },
  {
    table: 'tracking_event',
    what: 'events of shipments that have ended',
    how: 'deleted, except the one that ended the shipment',
    kept: {
      setting: 'TIMELINE_RETENTION_DAYS',
      // A change that is kept may refer to an event.
      days: ({ timelineDays, changeDays }) => timelineDays && Math.max(timelineDays, changeDays),
    },
    remove: shortenTimelines,
    oldest: reachedBy('timelines'),
  },
];
