import { stat } from 'node:fs/promises';
import { InvalidArgumentError } from 'commander';
import { z } from 'zod';
import { tenantOfCompany } from '../domain/account/access/access.service.ts';
import type { BatchResult, ItemResult } from '../domain/common/batch.rules.ts';
import { checkEach } from '../domain/common/batch.service.ts';
import { type Imported, importRows } from '../domain/common/tables/import-rows.service.ts';
import { orderInput } from '../domain/shipping/orders/orders.input.ts';
import { checkOrders, upsertOrders } from '../domain/shipping/orders/orders.service.ts';
import { trackingEventInput } from '../domain/shipping/tracking/events.input.ts';
import { recordTrackingEvents } from '../domain/shipping/tracking/events.service.ts';
import { shipmentInput } from '../domain/shipping/tracking/shipments.input.ts';
import { upsertShipments } from '../domain/shipping/tracking/shipments.service.ts';
import type { Announcer } from '../domain/shipping/tracking/tracking.announcements.ts';
import type { Tenant } from '../platform/database/tenancy/tenancy.ts';
import { type InputSchema, readInput } from '../platform/input.ts';
import type { Caps } from '../platform/limits/caps.ts';
import type { Log } from '../platform/telemetry/log.ts';
import { firstSign, readJson } from './files.ts';
import { columnsOf, FileNames } from './import-columns.ts';
import { type MappingOptions, mappedOrderFile } from './import-mapping.ts';
import { Report } from './import-report.ts';
import { type Format, type OpenedRows, openRows } from './import-rows.ts';
import { exitCodeOf } from './interruption.ts';
import { stopCalled } from './options.ts';
import { Progress } from './progress.ts';
import { withJobs } from './session.ts';

export interface ImportOptions extends MappingOptions {
  readonly company: string;
  readonly format?: Format;
  readonly report?: string;
  readonly batch: number;
  readonly fromRow: number;
  readonly ids?: string;
  readonly dryRun?: true;
  readonly acceptGoodRows?: true;
}

type ImportAnswer = Omit<Imported, 'read' | 'isOnlyChecked'> & { readonly onlyChecked?: true };

export const importOrders = importer(orderInput, upsertOrders, checkOrders, mappedOrderFile);
export const importShipments = importer(shipmentInput, upsertShipments);
export const importEvents = importer(trackingEventInput, (tenant, inputs, { announcer, caps, log }) =>
  recordTrackingEvents(tenant, inputs, announcer, caps, log),
);

interface ImportTools {
  readonly announcer: Announcer;
  readonly caps: Caps;
  readonly log: Log;
}

/**
 * Makes the import of one kind of input.
 *
 * @param send does what its mutation does, and reads each row by the schema
 * @param check finds the rows that would be rejected; by default by the schema alone
 * @param mapped reads a table by a mapping; by default a column has the name of its field
 */
function importer<Schema extends InputSchema>(
  schema: Schema,
  send: (tenant: Tenant, inputs: readonly z.input<Schema>[], tools: ImportTools) => Promise<BatchResult>,
  check: (tenant: Tenant, inputs: readonly z.input<Schema>[]) => Promise<readonly ItemResult[]> = async (
    { companyId },
    inputs,
  ) => (await checkEach(companyId, inputs, schema, input => input)).rejections,
  mapped?: (file: string, options: MappingOptions) => Promise<OpenedRows>,
) {
  const names = new FileNames(schema);
  return async (file: string, options: ImportOptions): Promise<ImportAnswer> => {
    const { company, report: reportName, batch, fromRow, ids, dryRun = false, acceptGoodRows = false } = options;
    const withNewIds = ids === undefined ? <Row>(row: Row) => row : await newIdsFrom(ids);
    const format = options.format ?? (await formatOf(file));
    if (file === '-' && format === 'ndjson' && !acceptGoodRows)
      throw new InvalidArgumentError(
        'Rows of NDJSON from standard input cannot be checked before the first is stored: give --accept-good-rows.',
      );
    const stop = new AbortController();
    void stopCalled().then(signal => {
      if (signal) process.exitCode = exitCodeOf(signal);
      stop.abort();
    });
    // An unreadable file or a wrong header is rejected before any database is opened.
    const opened =
      mapped && format !== 'ndjson'
        ? await mapped(file, options)
        : await openRows({ file, format, signal: stop.signal }, { columns: columnsOf(schema), locale: options.locale });
    const { size = 0 } = file === '-' ? {} : await stat(file).catch(() => ({}) as { size?: number });
    return withJobs(
      async ({ config: { caps }, database, announcer, log }) => {
        const tenant = await tenantOfCompany(database, company);
        const report = await Report.open(reportName, fromRow > 1);
        const progress = new StepProgress(size > 0);
        let nextRow = fromRow;
        const inputsOf = (rows: readonly unknown[]) =>
          rows.map(row => names.input(withNewIds(row))) as z.input<Schema>[];
        try {
          const plan = {
            rows: opened.rows,
            batchSize: batch,
            fromRow,
            signal: stop.signal,
            dryRun,
            acceptGoodRows,
            check: async (rows: readonly unknown[]) =>
              (await check(tenant, inputsOf(rows))).map(result => names.result(result)),
            send: async (rows: readonly unknown[]) => {
              const { results, ...counts } = await send(tenant, inputsOf(rows), { announcer, caps, log });
              return { ...counts, results: results.map(result => names.result(result)) };
            },
            onProblem: (problem: Parameters<Report['add']>[0]) => report.add(problem),
            onProgress: (step: 'checked' | 'imported', row: number, rejected: number) => {
              if (step === 'imported') nextRow = row;
              progress.update(step, row - fromRow, opened.share(), rejected);
            },
          };
          const imported = await importRows(plan);
          progress.end();
          sayOutcome(imported, fromRow, dryRun);
          return answerOf(imported);
        } catch (error) {
          progress.end();
          sayWhereToGoOn(nextRow, fromRow);
          throw error;
        } finally {
          await report.close();
        }
      },
      { endsItself: true },
    );
  };
}

/** Each step has a rate and a remaining time of its own. */
class StepProgress {
  readonly #hasShare: boolean;
  #step: 'checked' | 'imported' | undefined;
  #progress: Progress | undefined;

  constructor(hasShare: boolean) {
    this.#hasShare = hasShare;
  }

  update(step: 'checked' | 'imported', count: number, share: number | undefined, rejected: number): void {
    if (step !== this.#step) {
      this.end();
      this.#step = step;
      this.#progress = new Progress(step === 'checked' ? 'rows checked' : 'rows', { hasShare: this.#hasShare });
    }
    this.#progress?.update(count, share, `${rejected} rejected`);
  }

  end(): void {
    this.#progress?.end();
  }
}

function answerOf({ read: _, isOnlyChecked, ...counts }: Imported): ImportAnswer {
  return isOnlyChecked ? { ...counts, onlyChecked: true } : counts;
}

function sayOutcome({ nextRow, isOnlyChecked, read, rejected }: Imported, fromRow: number, dryRun: boolean): void {
  if (isOnlyChecked) {
    const good = `${read - rejected} of ${read} records are good`;
    const what = dryRun ? good : `${good}. Correct the others, or give --accept-good-rows`;
    process.stderr.write(`Nothing was imported: ${what}.\n`);
  } else if (nextRow !== null) sayWhereToGoOn(nextRow, fromRow);
}

function sayWhereToGoOn(nextRow: number, fromRow: number): void {
  const done = nextRow > fromRow ? `The rows before row ${nextRow} are imported` : 'Nothing was imported';
  process.stderr.write(`${done}: continue with --from-row ${nextRow}.\n`);
}

/** A table is recognized by its content, whatever its name says: a marketplace calls its table `.txt`. */
async function formatOf(file: string): Promise<Format> {
  if (/\.(?:ndjson|jsonl)$/i.test(file)) return 'ndjson';
  if (file === '-') throw new InvalidArgumentError('Standard input has no name: give --format csv, xlsx or ndjson.');
  return (await firstSign(file)) === '{' ? 'ndjson' : 'csv';
}

/** A file such as `{"warehouses": {"3": 17}, "carriers": {"8": 12}}` maps ids in the rows to new ids. */
const idsFile = z.strictObject({
  warehouses: z.record(z.string(), z.int()).default({}),
  carriers: z.record(z.string(), z.int()).default({}),
});

/**
 * Reads the file, and returns a function that replaces the ids in a row of another company. Saved quotes are not
 * imported, so rows refer to none. An id without a new one stays, and its row is rejected unless the id exists.
 *
 * @throws RejectedFile
 */
async function newIdsFrom(file: string): Promise<(row: unknown) => unknown> {
  const source = await readJson(file);
  const { warehouses, carriers } = source.within(() => readInput(idsFile, source.value));
  return row => {
    if (typeof row !== 'object' || row === null) return row;
    const { quoteId: _, ...given } = row as Readonly<Record<string, unknown>>;
    const renamed = (name: string, ids: Readonly<Record<string, number>>) => {
      const id = given[name];
      return id == null ? {} : { [name]: ids[String(id)] ?? id };
    };
    return { ...given, ...renamed('warehouseId', warehouses), ...renamed('carrierCompanyId', carriers) };
  };
}
