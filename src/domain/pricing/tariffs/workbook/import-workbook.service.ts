import type { Tenant } from '../../../../platform/database/tenancy/tenancy.ts';
import type { Work } from '../../../../platform/limits/work.ts';
import { readPackedSentTable, type SentFile } from '../../../common/tables/sent-file.service.ts';
import { checkTariffWorkbook } from '../compile/large-tariffs.service.ts';
import type { Tariff } from '../format/tariff.format.rules.ts';
import { referencesOfConnection } from '../references/references.service.ts';
import { keepDraft } from '../revisions/drafts.service.ts';
import type { RevisionRow } from '../revisions/revisions.repository.ts';
import { diffOfRevisions, diffOfTariff, type TariffDiff } from '../revisions/tariff-diff.service.ts';

/** Makes a draft of the workbook of a tariff that a client sent. */

export interface SentWorkbook {
  readonly file: SentFile;
  /** The tariff's own where it is not given. */
  readonly name?: string | null | undefined;
  /** Keeps nothing. */
  readonly dryRun: boolean;
}

/** @throws Fault `validation_failed`, with sheet, row and column; `carrier_connection_not_found` */
export async function importTariffWorkbook(
  tenant: Tenant,
  work: Work,
  carrierConnectionId: number,
  { file, name, dryRun }: SentWorkbook,
): Promise<{ readonly tariffRevision: RevisionRow | null; readonly tariffDiff: TariffDiff }> {
  const tariff = await readSentWorkbook(tenant, work, carrierConnectionId, file);
  if (dryRun) return { tariffRevision: null, tariffDiff: await diffOfTariff(tenant, carrierConnectionId, tariff) };
  const tariffRevision = await keepDraft(tenant, carrierConnectionId, tariff, name ?? tariff.name);
  return { tariffRevision, tariffDiff: await diffOfRevisions(tenant.fresh(), undefined, tariffRevision.id) };
}

async function readSentWorkbook(
  tenant: Tenant,
  work: Work,
  carrierConnectionId: number,
  file: SentFile,
): Promise<Tariff> {
  const path = ['file'];
  const owner = { companyId: tenant.companyId, work };
  const { references } = await referencesOfConnection(tenant, carrierConnectionId);
  return checkTariffWorkbook(owner, await readPackedSentTable(owner, file, path), path, references);
}
