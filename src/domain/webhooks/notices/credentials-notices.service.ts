import type { TenantTransaction } from '../../../platform/database/tenancy/tenant-transaction.ts';
import type { CredentialsChange } from '../../carriers/carriers.announcements.ts';
import { writeNotice } from './notices.service.ts';

/** Tells that a carrier refuses the credentials of a connection, or takes them again, in the transaction that notes it. */
export async function noticeOfCredentials(
  tx: TenantTransaction,
  { verdict, connection, notifier }: CredentialsChange,
): Promise<void> {
  const { id, carrierCode, label } = connection;
  const type = `notice.credentials_${verdict}` as const;
  await writeNotice(tx, notifier, { type, data: { connection: { id, carrierCode, label } } });
}
