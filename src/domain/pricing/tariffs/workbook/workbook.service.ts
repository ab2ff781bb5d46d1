import { readdir, readFile } from 'node:fs/promises';
import type { Tenant } from '../../../../platform/database/tenancy/tenancy.ts';
import type { Work } from '../../../../platform/limits/work.ts';
import type { WrittenSheet } from '../../../../platform/tables/write-workbook.ts';
import { readPackedSentTable, type SentFile } from '../../../common/tables/sent-file.service.ts';
import { readTariff } from '../check/tariff.check.rules.ts';
import { checkTariffWorkbook } from '../compile/large-tariffs.service.ts';
import type { Tariff } from '../format/tariff.format.rules.ts';
import { referencesOfConnection } from '../references/references.service.ts';
import { keepDraft } from '../revisions/drafts.service.ts';
import type { RevisionRow } from '../revisions/revisions.repository.ts';
import { diffOfRevisions, diffOfTariff, type TariffDiff } from '../revisions/tariff-diff.service.ts';
import { workbookSheets } from './write-workbook.rules.ts';

/** Makes a draft of the workbook of a tariff that a client sent. */

interface SentWorkbook {
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

const EXAMPLES = new URL('../../../../../schema/examples/tariffs/', import.meta.url);

/** Example price lists to begin a tariff with, by their names, such as `brt-like`. */
export async function exampleTariffs(): Promise<ReadonlyMap<string, Tariff>> {
  const names = (await readdir(EXAMPLES)).filter(name => name.endsWith('.json')).sort();
  const read = async (name: string) =>
    [name.slice(0, -'.json'.length), readTariff(JSON.parse(await readFile(new URL(name, EXAMPLES), 'utf8')))] as const;
  return new Map(await Promise.all(names.map(read)));
}

/** The sheets of a tariff, with the columns that the examples have as well. */
export function sheetsBeside(examples: ReadonlyMap<string, Tariff>, tariff: Tariff): WrittenSheet[] {
  return workbookSheets(tariff, [...examples.values()]);
}
