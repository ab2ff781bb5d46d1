import type { Removal, RetentionRule } from '../../../platform/retention-rule.ts';
import { ORDERS_ALONE, SHIPMENTS } from './anonymize.repository.ts';
import { reachedBy, scanAll, TIMELINES } from './old-shipment-scan.repository.ts';

const DAY_MS = 86_400_000;
/** After this long without a change, a shipment that has not ended is lost, and an order without shipments too. */
const SILENT_DAYS = 180;

/** The time before which rows are removed that are kept for a minimum number of days. */
function atLeast(days: number, { before, now }: Removal): Date {
  return new Date(Math.min(before.getTime(), now.getTime() - days * DAY_MS));
}

function anonymize(work: Removal) {
  const { before } = work;
  const silent = atLeast(SILENT_DAYS, work);
  const scans = [
    { name: 'ended', statement: SHIPMENTS, before, isOfEnded: true },
    { name: 'silent', statement: SHIPMENTS, before: silent, isOfEnded: false },
    { name: 'orders', statement: ORDERS_ALONE, before: silent, isOfEnded: false },
  ];
  return scanAll(work, scans);
}

function shortenTimelines(work: Removal) {
  const scan = { name: 'timelines', statement: TIMELINES, before: work.before, isOfEnded: true };
  return scanAll(work, [scan]);
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
      // A stored change may refer to an event.
      days: ({ timelineDays, changeDays }) => timelineDays && Math.max(timelineDays, changeDays),
    },
    remove: shortenTimelines,
    oldest: reachedBy('timelines'),
  },
];
