import type { Database } from '../../../platform/database/database.ts';
import { ms } from '../../../platform/database/statements/sql.ts';
import {
  type CompanyStatement,
  companyStatement,
  serviceStatement,
} from '../../../platform/database/statements/statements.ts';
import type { CompanyId } from '../../../platform/database/tenancy/company-id.ts';
import { isNotSuspended } from '../../../platform/database/tenancy/suspended-companies.ts';
import type { Tenant } from '../../../platform/database/tenancy/tenancy.ts';
import { type CellRow, PromiseTable } from './promise-table.rules.ts';

type CellTuple = [
  carrierConnectionId: number,
  level: number,
  destination: string,
  kind: string,
  deliveries: number,
  longest: number,
  times: readonly number[],
];

// Returned as one value, because a row for each would take ten times as long to read.
const TABLE = companyStatement(
  'promise-table',
  `select ${ms('p.began_at')} as "beganAt", ${ms('p.computed_at')} as "computedAt", (
      select coalesce(json_agg(json_build_array(c.carrier_connection_id, c.level, c.destination, c.kind, c.deliveries, c.longest, c.times)), '[]')
        from promise_cell c where c.company_id = $1
    ) as cells
    from promise p where p.company_id = $1`,
);

/** Reads a company's rows, within a transaction or not. */
interface RowReader {
  rows<Row>(statement: CompanyStatement, ...values: unknown[]): Promise<Row[]>;
}

/** A company's table, and since when it has one; an empty table without one. */
export async function promiseTable(reader: RowReader): Promise<{ table: PromiseTable; beganAt: Date | undefined }> {
  const [found] = await reader.rows<{ beganAt: number; computedAt: number; cells: CellTuple[] }>(TABLE);
  if (found === undefined) return { table: new PromiseTable(undefined, []), beganAt: undefined };
  const rows = found.cells.map(
    ([carrierConnectionId, level, destination, kind, deliveries, longest, times]): CellRow => ({
      carrierConnectionId,
      level,
      destination,
      kind,
      deliveries,
      longest,
      times,
    }),
  );
  return { table: new PromiseTable(new Date(found.computedAt), rows), beganAt: new Date(found.beganAt) };
}

export interface AccuracyRow {
  readonly carrierConnectionId: number;
  readonly level: number;
  readonly share: number;
  readonly promised: number;
  readonly kept: number;
}

const ACCURACY = companyStatement(
  'promise-accuracy',
  `select carrier_connection_id as "carrierConnectionId", level, share, promised, kept from promise_accuracy
    where company_id = $1 and promised > 0 order by carrier_connection_id, level, share`,
);

/** The outcomes of promises of the last 90 days, by connection, level and share. */
export function promiseAccuracy(tenant: Tenant): Promise<AccuracyRow[]> {
  return tenant.rows<AccuracyRow>(ACCURACY);
}

const COMPANIES = serviceStatement(
  'companies-with-connections',
  `select distinct company_id as "companyId" from carrier_connection w where ${isNotSuspended('w.company_id')}`,
);

/** Companies that may have shipments and are not suspended. */
export async function companiesWithConnections(database: Database): Promise<CompanyId[]> {
  const rows = await database.rows<{ companyId: CompanyId }>(COMPANIES, []);
  return rows.map(({ companyId }) => companyId);
}
