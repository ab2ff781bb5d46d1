import { sampled } from '../../../platform/caches/sampled.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { Tenant } from '../../../platform/database/tenancy/tenancy.ts';
import type { Metrics } from '../../../platform/telemetry/metrics.ts';
import { credentialNames, credentialsVerdict } from './account.rules.ts';
import { noteCredentials, refusedCredentials } from './accounts.repository.ts';
import type { ConnectionAccount } from './accounts.service.ts';
import { type CredentialsNotifier, credentialsChanged } from './carriers.announcements.ts';
import { CARRIERS } from './carriers.catalog.ts';

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

const EVERY_MS = 15_000;

const ASKED = CARRIERS.filter(carrier => credentialNames(carrier).length > 0);

/** Measures connections of all companies whose carrier rejects their credentials. */
export function measureCredentials(database: Database, metrics: Metrics): void {
  const counts = sampled(() => refusedCredentials(database), EVERY_MS);
  const help = 'Active carrier connections whose credentials the carrier refuses, over all processes';
  metrics.gauges('shipping_carrier_credentials_refused', help, ['carrier'], async () => {
    const found = await counts();
    if (!found) return [];
    const byCarrier = new Map(found.map(({ carrier, count }) => [carrier, count]));
    return ASKED.map(({ code }) => ({ labels: { carrier: code }, value: byCarrier.get(code) ?? 0 }));
  });
}
