import { Tenant, type TenantTransaction } from '../../../platform/database/tenancy.ts';
import type { Housekeeping } from '../../../platform/jobs/job-kinds.ts';
import { companiesWithEnding, type EndingKind, takeEndingTariffs, takeExpiringKeys } from './expiries.repository.ts';
import type { Notice } from './notice.payload.ts';
import { wantsNotice } from './notice.rules.ts';
import { recipientsOfAllNotices } from './notices.repository.ts';
import { writeNotice } from './notices.service.ts';

/** Notices of one transaction. */
const AT_ONCE = 100;

/** What is told from now on, as notices. */
const TAKE: Readonly<Record<EndingKind, (tx: TenantTransaction) => Promise<readonly Notice[]>>> = {
  'notice.key_expiring': async tx => {
    const keys = await takeExpiringKeys(tx, AT_ONCE);
    return keys.map(({ expiresAtMs, ...key }) => ({
      type: 'notice.key_expiring',
      data: { key, expiresAt: new Date(expiresAtMs).toISOString() },
    }));
  },
  'notice.tariff_ending': async tx => {
    const tariffs = await takeEndingTariffs(tx, AT_ONCE);
    return tariffs.map(({ name, validUntil, connectionId, carrierCode, connectionLabel }) => ({
      type: 'notice.tariff_ending',
      data: {
        connection: { id: connectionId, carrierCode, label: connectionLabel },
        ...{ tariff: { name }, validUntil },
      },
    }));
  },
};

/** Tells once of each API key that expires soon and of each tariff that ends soon. */
export async function findExpiries({ database, jobs, metrics }: Housekeeping): Promise<void> {
  const ofAll = await recipientsOfAllNotices(database);
  for (const kind of Object.keys(TAKE) as EndingKind[]) {
    const isForAll = ofAll.some(({ events }) => wantsNotice(events, kind));
    for (const companyId of await companiesWithEnding(database, kind, isForAll)) {
      const tenant = new Tenant(companyId, database);
      let told = AT_ONCE;
      while (told === AT_ONCE) {
        told = await tenant.transaction(async tx => {
          const notices = await TAKE[kind](tx);
          for (const notice of notices) await writeNotice(tx, { jobs, metrics }, notice);
          return notices.length;
        });
      }
    }
  }
}
