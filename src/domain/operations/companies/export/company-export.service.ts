import { TarGzip } from '../../../../platform/archive/tar-gzip.ts';
import type { Database } from '../../../../platform/database/database.ts';
import type { CompanyStatement } from '../../../../platform/database/statements/statements.ts';
import { type CompanyTable, companyTables } from '../../../../platform/database/tenancy/company-tables.ts';
import { inSnapshot, type Snapshot } from '../../../../platform/database/tenancy/snapshot.ts';
import type { Tenant } from '../../../../platform/database/tenancy/tenancy.ts';
import { erasureBegun, isBeingErased } from '../../../account/access/access.service.ts';
import { sandboxOf } from '../../../account/access/sandbox.service.ts';
import { record } from '../../../account/audit/audit.service.ts';
import { cellsOfRates } from '../../../pricing/tariffs/references/fuel-grid.rules.ts';
import { exportTariffOf } from '../../../pricing/tariffs/tariff.service.ts';
import { lockedCompany } from '../suspension.service.ts';
import { IN_OWN_FORM, LEFT_OUT, type Manifest, type ManifestFile, SHOWN_BINARY } from './export-plan.rules.ts';
import {
  CARRIERS,
  connectionsWithTariff,
  EVENTS,
  type ExportedReference,
  exportedReferences,
  linesOf,
  ORDERS,
  rowsOfTable,
  SHIPMENTS,
  WAREHOUSES,
  WEBHOOKS,
} from './export-records.repository.ts';

interface Exported extends Pick<Manifest, 'companyId' | 'exportedAt'> {
  readonly file: string;
  readonly bytes: number;
  readonly files: number;
  readonly rows: number;
}

/** A file of the archive; each of its strings is a row. */
interface Content {
  readonly name: string;
  readonly importedBy: string | null;
  readonly texts: (snapshot: Snapshot) => AsyncIterable<string> | Iterable<string>;
}

const SANDBOX_FOLDER = 'sandbox/';

type Records = readonly (readonly [name: string, statement: CompanyStatement, importedBy: string | null])[];

const ACCOUNTS: Records = [
  ['warehouses.jsonl', WAREHOUSES, null],
  ['carriers.jsonl', CARRIERS, null],
];
const SHIPPING: Records = [
  ['orders.jsonl', ORDERS, 'import orders'],
  ['shipments.jsonl', SHIPMENTS, 'import shipments'],
  ['events.jsonl', EVENTS, 'import events'],
  ['webhooks.jsonl', WEBHOOKS, null],
];

/**
 * Writes all data of a company and of its sandbox to an archive, as a snapshot while others write. Memory holds a page
 * of rows at a time. The export is recorded in the audit trail, and so in the archive.
 *
 * @param onRows called with the number of rows that were written
 * @throws Fault `validation_failed` once the erasure of the company has begun
 */
export async function exportCompany(
  database: Database,
  tenant: Tenant,
  file: string,
  onRows: (rows: number) => void = () => undefined,
): Promise<Exported> {
  const { companyId } = tenant;
  const { name: companyName } = await tenant.transaction(async tx => {
    // Locked first: an erasure that begins counts this entry, or is seen here.
    const company = await lockedCompany(tx);
    if (await isBeingErased(tx)) throw erasureBegun('company');
    await record(tx, { action: 'company_exported', subject: { type: 'Company', key: companyId } });
    return company;
  });
  const tables = await companyTables(database);
  const sandbox = await sandboxOf(tenant);
  const companies = sandbox ? [companyId, sandbox.companyId] : [companyId];
  const archive = await TarGzip.create(file);
  try {
    const manifest = await inSnapshot(database, companies, async (snapshots): Promise<Manifest> => {
      const files: ManifestFile[] = [];
      let done = 0;
      const count = () => {
        if (++done % 1_000 === 0) onRows(done);
      };
      for (const snapshot of snapshots) {
        const folder = snapshot.companyId === companyId ? '' : SANDBOX_FOLDER;
        files.push(...(await addAll(archive, folder, snapshot, await contentsOf(snapshot, tables), count)));
      }
      onRows(done);
      return {
        format: 1,
        companyId,
        companyName,
        sandboxId: sandbox?.companyId ?? null,
        exportedAt: (snapshots[0] as Snapshot).at.toISOString(),
        files,
        leftOut: leftOut(tables),
      };
    });
    await archive.add('manifest.json', [`${JSON.stringify(manifest, null, 2)}\n`]);
    const bytes = await archive.finish();
    const { exportedAt, files } = manifest;
    return {
      companyId,
      file,
      exportedAt,
      bytes,
      files: files.length,
      rows: files.reduce((sum, { rows }) => sum + rows, 0),
    };
  } catch (error) {
    await archive.abandon();
    throw error;
  }
}

async function addAll(
  archive: TarGzip,
  folder: string,
  snapshot: Snapshot,
  contents: readonly Content[],
  count: () => void,
): Promise<ManifestFile[]> {
  const files: ManifestFile[] = [];
  for (const { name: inFolder, importedBy, texts } of contents) {
    const name = folder + inFolder;
    let rows = 0;
    const counted = async function* () {
      for await (const text of texts(snapshot)) {
        rows++;
        yield text;
        count();
      }
    };
    files.push({ name, importedBy, ...(await archive.add(name, inPieces(counted()))), rows });
  }
  return files;
}

const PIECE_CHARACTERS = 64 * 1024;

/** The lines in larger pieces, because compression costs more per piece than per character. */
async function* inPieces(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let piece = '';
  for await (const text of texts) {
    piece += text;
    if (piece.length < PIECE_CHARACTERS) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

/** In the order of an import: referenced things come before their references. */
async function contentsOf(snapshot: Snapshot, tables: readonly CompanyTable[]): Promise<Content[]> {
  const connectionIds = await connectionsWithTariff(snapshot);
  const references = await exportedReferences(snapshot);
  const others = tables.filter(({ name }) => !IN_OWN_FORM.has(name) && !Object.hasOwn(LEFT_OUT, name));
  return [
    ...ACCOUNTS.map(recordsFile),
    ...references.map(referenceFile),
    ...connectionIds.map(tariffFile),
    ...SHIPPING.map(recordsFile),
    ...others.toSorted((a, b) => (a.name < b.name ? -1 : 1)).map(tableFile),
  ];
}

function recordsFile([name, statement, importedBy]: Records[number]): Content {
  return { name, importedBy, texts: asLines(statement) };
}

function referenceFile({ carrierCode, kind, name, content }: ExportedReference): Content {
  return kind === 'index'
    ? { name: `fuel/${carrierCode}/${name}.csv`, importedBy: 'fuel import', texts: () => csvLines(content) }
    : { name: `places/${carrierCode}/${name}.json`, importedBy: 'places import', texts: () => [asDocument(content)] };
}

function tariffFile(carrierConnectionId: number): Content {
  const texts = async function* (snapshot: Snapshot) {
    yield asDocument(await exportTariffOf(snapshot, carrierConnectionId));
  };
  return { name: `tariffs/${carrierConnectionId}.json`, importedBy: 'tariff import', texts };
}

function tableFile(table: CompanyTable): Content {
  const texts = asLines(rowsOfTable(table, hiddenColumns(table)));
  return { name: `records/${table.name}.jsonl`, importedBy: null, texts };
}

const asLines = (statement: CompanyStatement) =>
  async function* (snapshot: Snapshot) {
    for await (const line of linesOf(snapshot, statement)) yield `${line}\n`;
  };

const asDocument = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

const csvLines = (content: unknown) =>
  cellsOfRates(content as Parameters<typeof cellsOfRates>[0]).map(cells => `${cells.join(';')}\n`);

function hiddenColumns({ name, binary }: CompanyTable): string[] {
  return binary.filter(column => !SHOWN_BINARY.has(`${name}.${column}`));
}

/** Content that a reader of the archive might miss. */
function leftOut(tables: readonly CompanyTable[]): Manifest['leftOut'] {
  const columns = tables
    .filter(({ name }) => !Object.hasOwn(LEFT_OUT, name))
    .flatMap(table => hiddenColumns(table).map(column => `${table.name}.${column}`));
  return [
    ...Object.entries(LEFT_OUT).map(([what, why]) => ({ what, why })),
    ...columns.map(what => ({ what, why: 'Hashes of keys, sealed credentials and digests are never exported.' })),
  ];
}
