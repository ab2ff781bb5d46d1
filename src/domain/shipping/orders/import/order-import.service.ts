import type { Tenant } from '../../../../platform/database/tenancy/tenancy.ts';
import { invalid } from '../../../../platform/fault.ts';
import { inTurns } from '../../../../platform/limits/turns.ts';
import type { Work } from '../../../../platform/limits/work.ts';
import { RecordId } from '../../../../platform/record-id.ts';
import { MAX_BATCH } from '../../../common/batch.rules.ts';
import { guessedEncoding, ImportRemarks, type LeftOutRow } from '../../../common/tables/import-remarks.rules.ts';
import { type Imported, importRows } from '../../../common/tables/import-rows.service.ts';
import { ProblemFile } from '../../../common/tables/problem-file.service.ts';
import type { RowProblem } from '../../../common/tables/row-problem.rules.ts';
import type { OrderInput } from '../orders.input.ts';
import { checkOrders, upsertOrders } from '../orders.service.ts';
import type { ImportOrdersInput } from './order-import.input.ts';
import { type MappedOrders, mapOrders, readSentOrders } from './order-table.service.ts';

/** Imports orders from a table that a client sent: all rows are checked before any is stored. */

/** The limit of one request, which has some seconds. The command line imports more. */
export const MAX_SENT = 5_000;
const MAX_PROBLEMS = 1_000;

interface SentOrders extends Imported {
  readonly mapping: MappedOrders;
  readonly problems: readonly RowProblem[];
  readonly problemFile: ProblemFile;
  readonly leftOut: readonly LeftOutRow[];
  /** Sentences about defaults, and about parts that were not read. */
  readonly remarks: readonly string[];
  /** The stored orders, in the order of the file. */
  readonly orderIds: readonly RecordId[];
}

/**
 * Imports the orders of a file that a client sent.
 *
 * @param onCount receives the number of orders before any is checked
 * @throws Fault `validation_failed` for a file that cannot be read
 */
export async function importSentOrders(
  tenant: Tenant,
  work: Work,
  file: ImportOrdersInput['file'],
  options: Omit<ImportOrdersInput, 'file'>,
  onCount: (orders: number) => void,
): Promise<Omit<SentOrders, 'isOnlyChecked' | 'read' | 'nextRow'> & { readonly onlyChecked: boolean }> {
  const { dryRun, acceptGoodRows } = options;
  const sent = await readSentOrders(tenant, work, file, options);
  const mapping = mapOrders(sent, ['file']);
  let count = 0;
  const seen = new ImportRemarks([...guessedEncoding(sent.table), ...mapping.remarks]);
  for await (const order of inTurns(tenant.companyId, mapping.orders())) {
    seen.add(order);
    if (order.leftOut !== undefined || ++count <= MAX_SENT) continue;
    const message = `must have at most ${MAX_SENT} orders: divide it, or import it on the command line`;
    throw invalid([{ path: ['file'], code: 'too_many', message }]);
  }
  onCount(count);
  const problems: RowProblem[] = [];
  const orderIds: RecordId[] = [];
  const onProblem = (problem: RowProblem) => {
    if (problems.length < MAX_PROBLEMS) problems.push(problem);
  };
  const {
    isOnlyChecked,
    read: _,
    nextRow: __,
    ...counts
  } = await importRows({
    dryRun,
    acceptGoodRows,
    onProblem,
    batchSize: MAX_BATCH,
    rows: () => inTurns(tenant.companyId, mapping.orders()),
    check: inputs => checkOrders(tenant, inputs as OrderInput[]),
    send: async inputs => {
      const sentBatch = await upsertOrders(tenant, inputs as OrderInput[]);
      orderIds.push(...sentBatch.results.flatMap(({ id }) => (id === null ? [] : [new RecordId('Order', id)])));
      return sentBatch;
    },
  });
  const problemFile = new ProblemFile({ companyId: tenant.companyId, work }, mapping.read, problems);
  const { leftOut, remarks } = seen;
  return { ...counts, onlyChecked: isOnlyChecked, mapping, problems, problemFile, leftOut, remarks, orderIds };
}
