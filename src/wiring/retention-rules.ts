import { CARRIER_CALL_RETENTION } from '../domain/carriers/calls/carrier-calls.retention.ts';
import { OLD_SHIPMENT_RETENTION_RULES } from '../domain/old-shipments/old-shipments.retention.ts';
import { SIMULATION_RETENTION } from '../domain/spend/simulations/simulation.retention.ts';
import { CHANGE_RETENTION } from '../domain/tracking/changes/changes.retention.ts';
import { NEW_CODE_RETENTION } from '../domain/tracking/new-codes/new-codes.retention.ts';
import { WEBHOOK_RETENTION_RULES } from '../domain/webhooks/retention/webhooks.retention.ts';
import { IDEMPOTENCY_RETENTION } from '../platform/idempotency.ts';
import type { Housekeeping, Schedule } from '../platform/jobs/job-kinds.ts';
import { RENEWED } from '../platform/jobs/queues.ts';
import { type RetentionRule, removeExpired } from '../platform/retention-rule.ts';

/** All rules by which rows are deleted with age, in the order of a run: fast-growing tables come first. */
export const RETENTION_RULES: readonly RetentionRule[] = [
  IDEMPOTENCY_RETENTION,
  ...WEBHOOK_RETENTION_RULES,
  CARRIER_CALL_RETENTION,
  CHANGE_RETENTION,
  NEW_CODE_RETENTION,
  SIMULATION_RETENTION,
  ...OLD_SHIPMENT_RETENTION_RULES,
];

/** A run ends before its job counts as lost; the next one continues. */
const RUN_MS = 10 * 60_000;

async function removeAll({ database, retention, log, metrics }: Housekeeping): Promise<void> {
  const run = { database, retention, signal: AbortSignal.timeout(RUN_MS) };
  const removed: [table: string, rows: number][] = [];
  try {
    for await (const { table, rows } of removeExpired(RETENTION_RULES, run)) {
      metrics.removedRows.inc({ table }, rows);
      if (rows > 0) removed.push([table, rows]);
    }
  } finally {
    if (removed.length > 0) log.info({ removed: Object.fromEntries(removed) }, 'data past its time removed');
  }
}

export const RETENTION_SCHEDULE: Schedule = {
  queue: 'retention.run',
  options: RENEWED,
  cron: '17 * * * *',
  work: removeAll,
};
