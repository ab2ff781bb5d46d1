import { ReadThroughCache } from '../../caches/read-through-cache.ts';
import type { Notifications } from '../connections/notifications.ts';
import type { Database } from '../database.ts';
import { serviceStatement } from '../statements/statements.ts';
import { rowsWithin } from '../statements/transaction.ts';
import type { CompanyId } from './company-id.ts';
import type { TenantTransaction } from './tenant-transaction.ts';

// Companies whose use of the service is suspended. Their keys are rejected when they are looked up; this module serves
// the work in the background.

/** The channel that tells processes that a company was suspended or resumed. */
const CHANNEL = 'suspended_companies';

const ALL = 'all';

const SUSPENDED = serviceStatement(
  'suspended-companies',
  'select id as "companyId" from company where suspended_at is not null',
);

/** The SQL condition that a company is not suspended. Schedules, which work for all companies, skip suspended ones. */
export const isNotSuspended = (companyId: string) =>
  `not exists (select from company c where c.id = ${companyId} and c.suspended_at is not null)`;

/** The suspended companies in this process, at most a second after a suspension or resumption. */
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

/** Makes every process look again, once the transaction is committed. */
export function notifyOfSuspension(tx: TenantTransaction): Promise<void> {
  return tx.notify(CHANNEL, ALL);
}

const LOCK = serviceStatement(
  'hold-suspension',
  'select from company where id = $1 and suspended_at is not null for share',
);

/** Whether the company is suspended; if it is, its row is locked until the transaction ends. */
export async function lockSuspension({ em, companyId }: TenantTransaction): Promise<boolean> {
  const rows = await rowsWithin(em, LOCK, [companyId]);
  return rows.length > 0;
}
