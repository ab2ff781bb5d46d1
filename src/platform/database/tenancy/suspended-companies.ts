import { ReadThroughCache } from '../../caches/read-through-cache.ts';
import type { Notifications } from '../connections/notifications.ts';
import type { Database } from '../database.ts';
import { serviceStatement } from '../statements/statements.ts';
import { rowsWithin } from '../statements/transaction.ts';
import type { CompanyId } from './company-id.ts';
import type { TenantTransaction } from './tenant-transaction.ts';

// Companies whose use of the service is suspended. Their keys are rejected where keys are looked up; here is what the work
// in the background needs to know.

/** The channel on which processes hear that a company was suspended or resumed. */
const CHANNEL = 'suspended_companies';

const ALL = 'all';

const SUSPENDED = serviceStatement(
  'suspended-companies',
  'select id as "companyId" from company where suspended_at is not null',
);

/** What a condition of SQL says of a company that is not suspended. Schedules, which work for all companies, leave the others out. */
export const isNotSuspended = (companyId: string) =>
  `not exists (select from company c where c.id = ${companyId} and c.suspended_at is not null)`;

/** The suspended companies, as this process knows them: at the latest a second after they were suspended or resumed. */
export class SuspendedCompanies {
  readonly #database: Database;
  readonly #known: ReadThroughCache<typeof ALL, ReadonlySet<CompanyId>>;

  constructor(database: Database, notifications: Notifications) {
    this.#database = database;
    this.#known = new ReadThroughCache(notifications, CHANNEL, 1);
  }

  async ids(): Promise<ReadonlySet<CompanyId>> {
    return (await this.#known.get(ALL, () => this.#read())) ?? new Set();
  }

  async #read(): Promise<ReadonlySet<CompanyId>> {
    const rows = await this.#database.rows<{ companyId: CompanyId }>(SUSPENDED, []);
    return new Set(rows.map(({ companyId }) => companyId));
  }
}

/** Has every process look anew, once the transaction is committed. */
export function notifyOfSuspension(tx: TenantTransaction): Promise<void> {
  return tx.notify(CHANNEL, ALL);
}

const HOLD = serviceStatement(
  'hold-suspension',
  'select from company where id = $1 and suspended_at is not null for share',
);

/** Whether the company is suspended; if it is, it stays so until the transaction ends. */
export async function holdSuspension({ em, companyId }: TenantTransaction): Promise<boolean> {
  const rows = await rowsWithin(em, HOLD, [companyId]);
  return rows.length > 0;
}
