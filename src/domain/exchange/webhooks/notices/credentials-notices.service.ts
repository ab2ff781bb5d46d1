import type { TenantTransaction } from '../../../../platform/database/tenancy/tenant-transaction.ts';
import type { CredentialsChange } from '../../../shipping/carriers/carriers.announcements.ts';
import { writeNotice } from './notices.service.ts';

/** Writes a notice that a carrier rejects or accepts the credentials of a connection, in the recording transaction. */
export async function noticeOfCredentials(
  tx: TenantTransaction,
  { verdict, connection, question, notifier }: CredentialsChange,
): Promise<void> {
  const { id, carrierCode, label } = connection;
  const type = `notice.credentials_${verdict}` as const;
  await writeNotice(tx, notifier, { type, data: { connection: { id, carrierCode, label }, question } });
}
