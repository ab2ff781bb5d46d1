import type { Tenant } from '../../../../platform/database/tenancy/tenancy.ts';
import { Fault, type Issue, invalid, requireNone } from '../../../../platform/fault.ts';
import { checkInput } from '../../../../platform/input.ts';
import { inTurns } from '../../../../platform/limits/turns.ts';
import type { Sheet, Table } from '../../../../platform/tables/sent-table.ts';
import { guessedEncoding, hiddenUnread, sheetsUnread } from '../../../common/tables/import-remarks.rules.ts';
import { LOCALES } from '../../../common/tables/locales.catalog.ts';
import { readSentTable, type SentFile } from '../../../common/tables/sent-file.service.ts';
import { type ShownMapping, unknownFields } from '../../../common/tables/shown-mapping.rules.ts';
import { carrierConnection } from '../../../shipping/carriers/carriers.service.ts';
import type { ReadColumn } from './invoice-header.rules.ts';
import { type InvoiceMapping, invoiceMapping, NUMBERS } from './invoice-mapping.format.rules.ts';
import { INVOICE_MAPPINGS } from './invoice-mappings.catalog.ts';
import { InvoiceReader, type ReadInvoice, type RowCounts } from './invoice-reader.rules.ts';
import { withHeader } from './invoice-sheets.rules.ts';
import type { InvoiceTableInput } from './invoice-table.input.ts';
import { invoiceColumns, invoiceFieldsOf, proposeInvoice, withInvoiceColumns } from './shown-invoice-mapping.rules.ts';

/** Finds the mapping of a table with an invoice, and reads its lines. */

type Path = readonly (string | number)[];

interface SentInvoice extends Pick<InvoiceTableInput, 'mapping' | 'locale'> {
  /** Null if the lines are not in a file. */
  readonly file: SentFile | null;
  readonly path: Path;
}

/**
 * The sheets of a file that a client sent, and their mapping.
 *
 * @throws Fault `validation_failed`, `carrier_connection_not_found`
 */
export async function readSentInvoice(
  tenant: Tenant,
  carrierConnectionId: number,
  { file, path, mapping: chosen, locale }: SentInvoice,
): Promise<{
  readonly mapping: InvoiceMapping;
  readonly sheets: Table['sheets'];
  readonly remarks: readonly string[];
}> {
  const { carrierCode } = await carrierConnection(tenant, carrierConnectionId);
  const { name, document } = chosen ?? {};
  const own = document == null ? undefined : readMapping(document, ['mapping', 'document']);
  if (file === null) return { mapping: own ?? mappingFor(carrierCode, name ?? undefined), sheets: [], remarks: [] };
  const table = await readSentTable(tenant, file, path);
  const { sheets } = table;
  const mapping = own ?? (name == null ? likelyMapping(sheets, carrierCode) : mappingFor(carrierCode, name));
  return { mapping: { ...mapping, ...(locale && LOCALES[locale]) }, sheets, remarks: remarksOn(table, mapping) };
}

/** Sentences about a guessed encoding, and about the sheets of a file that are not read. */
function remarksOn(table: Table, mapping: InvoiceMapping): string[] {
  const sheets = withHeader(table.sheets, mapping);
  const read = (invoiceColumns(sheets, mapping)?.sheet ?? sheets[0])?.name ?? null;
  const others = sheets.filter(sheet => sheet.name !== read && !sheet.rows()[Symbol.iterator]().next().done);
  return [
    ...guessedEncoding(table),
    ...sheetsUnread(
      read,
      others.map(({ name }) => name),
    ),
    ...hiddenUnread(table.hiddenSheets),
  ];
}

/**
 * Reads the header of a file that a client sent.
 *
 * @param input its `columns` are read in place of the columns of the mapping
 * @throws Fault `validation_failed`, `carrier_connection_not_found`
 */
export async function proposeSentInvoice(
  tenant: Tenant,
  carrierConnectionId: number,
  { columns, ...input }: InvoiceTableInput,
): Promise<ShownMapping> {
  const { mapping, sheets } = await readSentInvoice(tenant, carrierConnectionId, { ...input, path: ['file'] });
  if (columns == null) return proposeInvoice(sheets, mapping);
  const fields = new Set(invoiceFieldsOf(mapping).map(({ name }) => name));
  const unknown = unknownFields(columns, field => fields.has(field));
  requireNone(unknown.map(issue => ({ ...issue, path: ['columns', ...issue.path] })));
  return proposeInvoice(sheets, withInvoiceColumns(mapping, columns));
}

/**
 * The mapping with most columns in a file, because an invoice of a carrier can have the columns of another program. The
 * carrier's mapping wins a tie, and reads a file that has none of the columns.
 */
function likelyMapping(sheets: readonly Sheet[], carrierCode: string): InvoiceMapping {
  const own = mappingFor(carrierCode, undefined);
  let best = { mapping: own, score: scoreOf(sheets, own) };
  for (const mapping of Object.values(INVOICE_MAPPINGS)) {
    const score = scoreOf(sheets, mapping);
    if (score > best.score) best = { mapping, score };
  }
  return best.mapping;
}

/** How many columns a mapping finds; one that lacks the number or the amounts cannot read the file. */
function scoreOf(sheets: readonly Sheet[], mapping: InvoiceMapping): number {
  const { columns } = invoiceColumns(withHeader(sheets, mapping), mapping) ?? {};
  if (columns === undefined) return 0;
  const hasNumber = NUMBERS.some(name => columns.has(name));
  const ofCharges = [...columns.keys()].filter(name => name.startsWith('charges.'));
  const hasAmounts = ofCharges.length > ('name' in mapping.charges ? 1 : 0);
  return columns.size + (hasNumber && hasAmounts ? COMPLETE : 0);
}

/** More than the columns of any mapping. */
const COMPLETE = 1_000;

/** One of the service's mappings by its name, or the mapping of a carrier. */
export function mappingFor(carrierCode: string, name: string | undefined): InvoiceMapping {
  return INVOICE_MAPPINGS[name ?? carrierCode] ?? (INVOICE_MAPPINGS.PLAIN as InvoiceMapping);
}

/** @throws Fault `validation_failed` */
export function readMapping(value: unknown, path: Path = []): InvoiceMapping {
  const { data, issues } = checkInput(invoiceMapping, value);
  requireNone(issues.map(issue => ({ ...issue, path: [...path, ...issue.path] })));
  return data as InvoiceMapping;
}

/**
 * The lines of an invoice, from the sheet with most columns of the mapping.
 *
 * @param path before row and column of an issue
 * @throws Fault `validation_failed`, with the counts of rows
 */
export async function readInvoice(
  { companyId }: Pick<Tenant, 'companyId'>,
  { sheets: sent }: Pick<Table, 'sheets'>,
  mapping: InvoiceMapping,
  path: Path = [],
): Promise<ReadInvoice & { readonly columns: readonly ReadColumn[]; readonly rows: RowCounts }> {
  const sheets = withHeader(sent, mapping);
  const found = invoiceColumns(sheets, mapping);
  const sheet = found?.sheet ?? sheets[0];
  const from = found?.header.row ?? 1;
  const reader = new InvoiceReader(mapping, () => found?.rows() ?? []);
  for await (const row of inTurns(companyId, sheet?.rows() ?? [])) {
    if (row.row < from) continue;
    reader.add(row);
  }
  const { invoice: read, rows, issues } = reader.end();
  const before = sheet?.name == null ? path : [...path, sheet.name];
  const wrong = issues.map((issue): Issue => ({ ...issue, path: [...before, ...issue.path] }));
  if (wrong.length > 0) throw new Fault('validation_failed', { ...invalid(wrong).options, results: { rows } });
  return { ...read, rows, columns: reader.columns };
}
