import { CARRIER_CALL_TRIMMING } from '../domain/carriers/calls/carrier-calls.trimming.ts';
import { OLD_SHIPMENT_TRIMMINGS } from '../domain/old-shipments/old-shipments.trimming.ts';
import { SIMULATION_TRIMMING } from '../domain/spend/simulations/simulation.trimming.ts';
import { CHANGE_TRIMMING } from '../domain/tracking/changes/changes.trimming.ts';
import { WEBHOOK_TRIMMINGS } from '../domain/webhooks/retention/webhooks.trimming.ts';
import { IDEMPOTENCY_TRIMMING } from '../platform/idempotency.ts';
import { type Housekeeping, RENEWED, type Schedule } from '../platform/jobs/job-kinds.ts';
import { type Trimming, trimAll } from '../platform/trimming.ts';

/** Everything that leaves the database in time, in the order in which a run lets it go: what grows fast comes first. */
export const TRIMMINGS: readonly Trimming[] = [
  IDEMPOTENCY_TRIMMING,
  ...WEBHOOK_TRIMMINGS,
  CARRIER_CALL_TRIMMING,
  CHANGE_TRIMMING,
  SIMULATION_TRIMMING,
  ...OLD_SHIPMENT_TRIMMINGS,
];

/** A run ends before its job counts as lost; the next one goes on. */
const RUN_MS = 10 * 60_000;

async function trim({ database, retention, log, metrics }: Housekeeping): Promise<void> {
  const run = { database, retention, signal: AbortSignal.timeout(RUN_MS) };
  const trimmed: [table: string, rows: number][] = [];
  try {
    for await (const { table, rows } of trimAll(TRIMMINGS, run)) {
      metrics.trimmedRows.inc({ table }, rows);
      if (rows > 0) trimmed.push([table, rows]);
    }
  } finally {
    if (trimmed.length > 0) log.info({ trimmed: Object.fromEntries(trimmed) }, 'data past its time removed');
  }
}

export const TRIMMING_SCHEDULE: Schedule = {
  queue: 'retention.run',
  options: RENEWED,
  cron: '17 * * * *',
  work: trim,
};
