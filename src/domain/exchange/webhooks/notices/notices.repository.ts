import type { Database } from '../../../../platform/database/database.ts';
import { ENVIRONMENT } from '../../../../platform/database/statements/sql.ts';
import { companyStatement, serviceStatement } from '../../../../platform/database/statements/statements.ts';
import { rowsWithin } from '../../../../platform/database/statements/transaction.ts';
import type { CompanyId } from '../../../../platform/database/tenancy/company-id.ts';
import type { TenantTransaction } from '../../../../platform/database/tenancy/tenant-transaction.ts';
import type { Environment } from '../../../../platform/environment.ts';
import { isOfTopic } from '../endpoints/endpoint.rules.ts';

export interface NoticeRecipient {
  readonly endpointId: string;
  readonly events: readonly string[];
}

interface NoticedCompany {
  readonly name: string;
  readonly environment: Environment;
}

type RecipientRow = ({ readonly endpointId: null } & NoticedCompany) | NoticeRecipient;

const RECIPIENTS = companyStatement(
  'notice-recipients',
  `select null::uuid as "endpointId", null::text[] as events, c.name, ${ENVIRONMENT} as environment from company c where c.id = $1
    union all
    select w.id, w.events, null, null from webhook_endpoint w
      where w.company_id = $1 and w.is_active and ${isOfTopic('w', 'notices')} and (w.all_companies or not $2::boolean)`,
);

/**
 * The company, and its active endpoints for notices.
 *
 * @param ofOthers only those that also receive the notices of other companies
 */
export async function noticeRecipients(
  tx: TenantTransaction,
  ofOthers: boolean,
): Promise<{ company: NoticedCompany; recipients: readonly NoticeRecipient[] }> {
  const rows = await tx.rows<RecipientRow>(RECIPIENTS, ofOthers);
  const recipients = rows.filter(row => row.endpointId !== null);
  const { name = '', environment = 'live' } = rows.find(row => row.endpointId === null) ?? {};
  return { company: { name, environment }, recipients };
}

/** An endpoint that receives the notices of all companies, and its company, the operator's. There are few. */
interface OperatorRecipient {
  readonly companyId: CompanyId;
  readonly events: readonly string[];
}

const OF_ALL_COMPANIES = serviceStatement(
  'recipients-of-all-notices',
  `select company_id as "companyId", events from webhook_endpoint where all_companies and is_active order by company_id`,
);

export function recipientsOfAllNotices(database: Database): Promise<OperatorRecipient[]> {
  return database.rows<OperatorRecipient>(OF_ALL_COMPANIES, []);
}

export function recipientsOfAllWithin({ em }: Pick<TenantTransaction, 'em'>): Promise<OperatorRecipient[]> {
  return rowsWithin<OperatorRecipient>(em, OF_ALL_COMPANIES, []);
}

const KNOWN = companyStatement('known-webhook-event', 'select 1 from webhook_event where company_id = $1 and id = $2');

export async function isKnownEvent(tx: TenantTransaction, id: string): Promise<boolean> {
  return (await tx.rows(KNOWN, id)).length > 0;
}
