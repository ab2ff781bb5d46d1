import { isDeepStrictEqual } from 'node:util';
import { tenantOfConnection } from '../domain/carriers/connection-admin.service.ts';
import { type PreviewedPrice, previewPrices } from '../domain/quotes/tariff-preview/tariff-preview.service.ts';
import { referencesOfConnection } from '../domain/tariffs/references/references.service.ts';
import {
  changeTariff,
  currentTariff,
  putTariff,
  type TariffChange,
  tariffChanges,
} from '../domain/tariffs/tariff.service.ts';
import { commandName } from '../platform/command-name.ts';
import type { Tenant } from '../platform/database/tenancy/tenancy.ts';
import { StartupError } from '../platform/startup-error.ts';
import { confirm, requireTerminal } from './confirmation.ts';
import { writeText } from './files.ts';
import { withDatabase } from './session.ts';
import { tableOf } from './table.ts';
import { countsOf, type GridOptions, readTariffFiles, type Tariff } from './tariff-files.ts';

export interface ImportOptions extends GridOptions {
  readonly connection: number;
  readonly dryRun?: true;
  readonly backup?: string;
  readonly yes?: true;
  readonly name?: string;
}

export interface TariffPreview {
  /** False if the connection has no tariff yet. */
  readonly replaces: boolean;
  readonly changes: readonly TariffChange[];
  /** The day of the prices. */
  readonly date: string | null;
  readonly prices: readonly PreviewedPrice[];
}

type Imported = { readonly tariffId: number; readonly name: string } & ReturnType<typeof countsOf>;

const NO_PREVIEW: TariffPreview = { replaces: false, changes: [], date: null, prices: [] };
const MAX_SHOWN = 40;

/** Replaces the tariff of a connection by one from files, after the operator has seen the differences. */
export function importTariff(file: string, options: ImportOptions): Promise<Imported | TariffPreview> {
  return withDatabase(async ({ database }) => {
    const { connection, dryRun, backup, yes, name: revisionName } = options;
    const tenant = await tenantOfConnection(database, connection);
    const files = await readTariffFiles(file, options);
    const isAsked = dryRun === true || yes !== true;
    const current = isAsked || backup !== undefined ? await currentTariff(tenant, connection) : undefined;
    const next = (tariff: Tariff) => files.tariff ?? files.putGridIn(tariff);
    const preview = current && isAsked ? await previewOf(tenant, connection, current, next(current)) : NO_PREVIEW;
    if (dryRun) return preview;
    if (preview.changes.length > 0) {
      const what = `The tariff of connection ${connection} will be replaced.`;
      requireTerminal(what);
      process.stderr.write(`${await inWords(preview)}\n\n`);
      await confirm(what, yes);
    }
    if (current && backup !== undefined) await writeText(backup, `${JSON.stringify(current, null, 2)}\n`);
    let imported = files.tariff;
    const replace = (found: Tariff) => {
      // The tariff that is replaced must be the one that was shown, or written to the backup.
      if (current && !isDeepStrictEqual(found, current)) {
        throw new StartupError(
          'The tariff was changed by somebody else meanwhile, and nothing was imported: try again.',
        );
      }
      imported = next(found);
      return imported;
    };
    const { id, name } =
      files.tariff && !current
        ? await putTariff(tenant, connection, files.tariff, { name: revisionName })
        : await changeTariff(tenant, connection, replace, { name: revisionName });
    if (current && backup !== undefined) {
      const undo = `${commandName()} tariff import ${backup} --connection ${connection}`;
      process.stderr.write(`The replaced tariff is in ${backup}. This brings it back: ${undo}\n`);
    }
    return { tariffId: id, name, ...countsOf(imported as Tariff) };
  });
}

export async function previewOf(
  tenant: Tenant,
  connectionId: number,
  before: Tariff,
  after: Tariff,
): Promise<TariffPreview> {
  const { references } = await referencesOfConnection(tenant, connectionId);
  const prices = await previewPrices(tenant, { before, after }, references);
  return { replaces: true, changes: tariffChanges(before, after), ...prices };
}

/** A preview for people. */
export async function inWords({ replaces, changes, date, prices }: TariffPreview): Promise<string> {
  if (!replaces) return 'The connection has no tariff yet: nothing is replaced.';
  if (changes.length === 0) return 'Nothing changes: the connection has this tariff already.';
  const lines = changes.slice(0, MAX_SHOWN).map(lineOf);
  const more = changes.length > MAX_SHOWN ? [`… and ${changes.length - MAX_SHOWN} more; --json shows all.`] : [];
  const title = `Prices in EUR before VAT, on ${date}:`;
  return [...lines, ...more, '', title, await tableOf(prices, {})].join('\n');
}

const SIGNS = { added: '+', removed: '-', changed: '~' } as const;

function lineOf({ change, text }: TariffChange): string {
  return `${SIGNS[change]} ${text}`;
}
