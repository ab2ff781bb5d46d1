import { growCompany } from '../../src/demo/growth.ts';
import {
  COMPANIES_WITH_LATE,
  COMPANIES_WITH_STALLED,
  LATE,
  STALLED,
} from '../../src/domain/shipping/tracking/delays/delays.repository.ts';
import { silences } from '../../src/domain/shipping/tracking/delays/silence.rules.ts';
import { TERMINAL_STATUSES } from '../../src/domain/shipping/tracking/events.rules.ts';
import {
  RECORD_BY_MAIN_NUMBER,
  RECORD_BY_OTHER_NUMBER,
  RECORDS_BY_ORDER_NUMBER,
} from '../../src/domain/shipping/tracking/tracking.repository.ts';
import type { Database } from '../../src/platform/database/database.ts';
import type { CompanyId } from '../../src/platform/database/tenancy/company-id.ts';
import { COMPANIES, SHIPMENTS } from './tracking-load.ts';

const MILLION = 1_000_000;

/** Tables that grow; a handful of carrier connections, or a table with nothing in it, is read whole at no cost. */
const BIG = /^Seq Scan on (shipment|customer_order|tracking_event) /;

const print = (text: string) => process.stdout.write(`${text}\n`);

/**
 * Grows a company until there are a million shipments in all, and shows how tracking finds one of them, and delays some.
 *
 * @throws Error where a plan reads a table whole
 */
export async function explainAtAMillion(database: Database, companyId: CompanyId): Promise<void> {
  const startedAt = performance.now();
  await growCompany(database, companyId, MILLION - (COMPANIES - 1) * SHIPMENTS);
  await database.pool.query('analyze');
  const { rows } = await database.pool.query('select count(*)::integer as shipments from shipment');
  print(
    `\nPlans at ${rows[0].shipments} shipments (grown in ${((performance.now() - startedAt) / 1000).toFixed(0)} s)`,
  );
  const cases = [
    { what: 'by main number', loader: RECORD_BY_MAIN_NUMBER, values: ['BULK000004711'] },
    { what: 'by marketplace order id', loader: RECORD_BY_OTHER_NUMBER, values: ['M4711', 'M4711'] },
    {
      what: 'by a number that nothing has',
      loader: RECORD_BY_OTHER_NUMBER,
      values: ['NOTHING', 'NOTHING'],
    },
    {
      what: 'by order number',
      loader: RECORDS_BY_ORDER_NUMBER,
      values: ['B-4711', 'B-4711', null, 10_000],
    },
  ];
  for (const { what, loader, values } of cases) {
    const keys = [companyId, ...values].map(value => [value]);
    await explain(database, what, loader.statement.spanning.text, keys);
  }
  await explainDelays(database, companyId);
}

/** How late and stalled shipments are found. */
async function explainDelays(database: Database, companyId: CompanyId): Promise<void> {
  const inTransit = silences(new Date()).find(({ statusCode }) => statusCode === 'in_transit');
  const silence = ['in_transit', inTransit?.since];
  const late = [TERMINAL_STATUSES, 30, 7];
  await explain(database, 'companies with late shipments', COMPANIES_WITH_LATE.text, late);
  await explain(database, 'late shipments', LATE.text, [companyId, ...late, 500]);
  await explain(database, 'companies with stalled shipments', COMPANIES_WITH_STALLED.text, [...silence, 14, 7]);
  await explain(database, 'stalled shipments', STALLED.text, [companyId, ...silence, 14, 7, 500]);
}

async function explain(database: Database, what: string, text: string, values: readonly unknown[]): Promise<void> {
  const plan = await database.pool.query(`explain (analyze, costs off, timing off, summary on) ${text}`, [...values]);
  const lines = plan.rows.map(row => String(row['QUERY PLAN']));
  const scans = lines
    .map(line => /(Index Only Scan|Index Scan|Bitmap Index Scan|Seq Scan)[^(]*/.exec(line)?.[0].trim())
    .filter(Boolean);
  print(`\n${what}: ${lines.at(-1)?.trim()}`);
  for (const scan of new Set(scans)) print(`  ${scan}`);
  if (scans.some(scan => BIG.test(scan ?? ''))) throw new Error(`${what}: the plan reads a whole table`);
}
