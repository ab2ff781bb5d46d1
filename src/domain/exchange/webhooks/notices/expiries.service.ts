import type { CompanyId } from '../../../../platform/database/tenancy/company-id.ts';
import { Tenant } from '../../../../platform/database/tenancy/tenancy.ts';
import type { TenantTransaction } from '../../../../platform/database/tenancy/tenant-transaction.ts';
import type { Housekeeping } from '../../../../platform/jobs/job-kinds.ts';
import { oneByOne } from '../../../../platform/jobs/one-by-one.ts';
import {
  companiesWithEnding,
  type EndingKind,
  type Taken,
  takeEndingTariffs,
  takeExpiringKeys,
} from './expiries.repository.ts';
import type { Notice } from './notice.payload.ts';
import { wantsNotice } from './notice.rules.ts';
import { recipientsOfAllNotices } from './notices.repository.ts';
import { writeNotice } from './notices.service.ts';

/** Notices of one transaction. */
const AT_ONCE = 100;

/** Takes the ends of each kind that need a notice. */
const TAKE: Readonly<Record<EndingKind, (tx: TenantTransaction, taken: Taken) => Promise<readonly Notice[]>>> = {
  'notice.key_expiring': async (tx, taken) => {
    const keys = await takeExpiringKeys(tx, taken);
    return keys.map(({ expiresAtMs, ...key }) => {
      const data = { key, expiresAt: new Date(expiresAtMs).toISOString() };
      return { type: 'notice.key_expiring', data };
    });
  },
  'notice.tariff_ending': async (tx, taken) => {
    const tariffs = await takeEndingTariffs(tx, taken);
    return tariffs.map(({ name, validUntil, carrierConnectionId: id, carrierCode, connectionLabel: label }) => {
      const data = { connection: { id, carrierCode, label }, tariff: { name }, validUntil };
      return { type: 'notice.tariff_ending', data };
    });
  },
};

/** Writes one notice of each API key that expires soon and of each tariff that ends soon. */
export async function findExpiries({ database, jobs, metrics }: Housekeeping): Promise<void> {
  const ofAll = await recipientsOfAllNotices(database);
  const found: { companyId: CompanyId; kind: EndingKind; isForAll: boolean }[] = [];
  for (const kind of Object.keys(TAKE) as EndingKind[]) {
    const isForAll = ofAll.some(({ events }) => wantsNotice(events, kind));
    for (const companyId of await companiesWithEnding(database, kind, isForAll)) {
      found.push({ companyId, kind, isForAll });
    }
  }
  await oneByOne(found, async ({ companyId, kind, isForAll }) => {
    const tenant = new Tenant(companyId, database);
    let notified = AT_ONCE;
    while (notified === AT_ONCE) {
      notified = await tenant.transaction(async tx => {
        const taken = await TAKE[kind](tx, { max: AT_ONCE, isForAll });
        for (const notice of taken) await writeNotice(tx, { jobs, metrics }, notice);
        return taken.length;
      });
    }
  });
}
