import { stat } from 'node:fs/promises';
import { InvalidArgumentError } from 'commander';
import type { z } from 'zod';
import { tenantOfCompany } from '../domain/access/access.service.ts';
import type { BatchResult } from '../domain/common/batch.rules.ts';
import { orderInput } from '../domain/orders/orders.input.ts';
import { upsertOrders } from '../domain/orders/orders.service.ts';
import { trackingEventInput } from '../domain/tracking/events.input.ts';
import { recordTrackingEvents } from '../domain/tracking/events.service.ts';
import { shipmentInput } from '../domain/tracking/shipments.input.ts';
import { upsertShipments } from '../domain/tracking/shipments.service.ts';
import type { Announcer } from '../domain/tracking/tracking.announcements.ts';
import type { Tenant } from '../platform/database/tenancy/tenancy.ts';
import type { InputSchema } from '../platform/input.ts';
import type { Caps } from '../platform/limits/caps.ts';
import { createLog } from '../platform/telemetry/log.ts';
import { importRows } from './import-batches.ts';
import { columnsOf } from './import-columns.ts';
import { newIdsFrom } from './import-ids.ts';
import { Report } from './import-report.ts';
import { type FileRow, type Format, rowsOf } from './import-rows.ts';
import { exitCodeOf } from './interruption.ts';
import { stopCalled } from './options.ts';
import { Progress } from './progress.ts';
import { withJobs } from './session.ts';

export interface ImportOptions {
  readonly company: string;
  readonly format?: Format;
  readonly report?: string;
  readonly batch: number;
  readonly fromRow: number;
  readonly ids?: string;
}

export const importOrders = importer(orderInput, upsertOrders);
export const importShipments = importer(shipmentInput, upsertShipments);
export const importEvents = importer(trackingEventInput, (tenant, inputs, { announcer, caps }) =>
  recordTrackingEvents(tenant, inputs, announcer, caps, createLog('silent')),
);

interface ImportTools {
  readonly announcer: Announcer;
  readonly caps: Caps;
}

/** Makes the import of one kind of input; `send` does what its mutation does, and reads each row by the schema. */
function importer<Schema extends InputSchema>(
  schema: Schema,
  send: (tenant: Tenant, inputs: readonly z.input<Schema>[], tools: ImportTools) => Promise<BatchResult>,
) {
  return async (file: string, { company, format, report: reportName, batch, fromRow, ids }: ImportOptions) => {
    const withNewIds = ids === undefined ? <Row>(row: Row) => row : await newIdsFrom(ids);
    const stop = new AbortController();
    void stopCalled().then(signal => {
      if (signal) process.exitCode = exitCodeOf(signal);
      stop.abort();
    });
    const { size = 0 } = file === '-' ? {} : await stat(file).catch(() => ({}) as { size?: number });
    let readBytes = 0;
    const onBytes = (count: number) => {
      readBytes += count;
    };
    const source = { file, format: format ?? formatOf(file), signal: stop.signal, onBytes };
    // An unreadable file or a wrong header is rejected before any database is opened.
    const rows = await begun(rowsOf(source, columnsOf(schema)));
    return withJobs(
      async ({ config: { caps }, database, announcer }) => {
        const tenant = await tenantOfCompany(database, company);
        const report = await Report.open(reportName, fromRow > 1);
        try {
          const share = () => (size > 0 ? readBytes / size : undefined);
          const progress = new Progress('rows', { hasShare: size > 0 });
          const plan = { report, batchSize: batch, fromRow, signal: stop.signal, progress, share };
          return await importRows(rows, plan, inputs =>
            send(tenant, inputs.map(withNewIds) as z.input<Schema>[], { announcer, caps }),
          );
        } finally {
          await report.close();
        }
      },
      { endsItself: true },
    );
  };
}

function formatOf(file: string): Format {
  const [, extension = ''] = /\.([a-z]+)$/.exec(file.toLowerCase()) ?? [];
  if (['csv', 'tsv'].includes(extension)) return 'csv';
  if (['ndjson', 'jsonl'].includes(extension)) return 'ndjson';
  if (extension === 'xlsx') return 'xlsx';
  throw new InvalidArgumentError(`The name of ${file} does not say its format: give --format csv, xlsx or ndjson.`);
}

/** Reads the first row ahead, so that errors of the file come before any work. */
async function begun(rows: AsyncGenerator<FileRow>): Promise<AsyncGenerator<FileRow>> {
  const first = await rows.next();
  return (async function* () {
    if (!first.done) yield first.value;
    yield* rows;
  })();
}
