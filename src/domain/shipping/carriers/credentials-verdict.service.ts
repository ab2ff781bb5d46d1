import type { Tenant } from '../../../platform/database/tenancy/tenancy.ts';
import { credentialsVerdict } from './account.rules.ts';
import { noteCredentials } from './accounts.repository.ts';
import type { ConnectionAccount } from './accounts.service.ts';
import { type CredentialsNotifier, credentialsChanged } from './carriers.announcements.ts';

/**
 * Records a carrier's verdict on the credentials of a connection, and announces a change. Nearly always there is no
 * change, and then nothing is read or written.
 */
export async function judgeCredentials(
  tenant: Tenant,
  { sealed }: ConnectionAccount,
  answers: Parameters<typeof credentialsVerdict>[0],
  notifier: CredentialsNotifier,
): Promise<void> {
  const verdict = credentialsVerdict(answers);
  if (sealed === null || verdict === null) return;
  const state = verdict === 'refused' ? 'refused' : null;
  if (state === sealed.state) return;
  const { question } = sealed;
  // Recorded even if the caller has disconnected.
  await tenant.lasting().transaction(async tx => {
    const connection = await noteCredentials(
      tx,
      sealed.carrierConnectionId,
      sealed.box,
      state,
      question === 'tracking',
    );
    if (connection) await credentialsChanged.announce(tx, { verdict, connection, question, notifier });
  });
}
