import type { Tenant } from '../../../../platform/database/tenancy/tenancy.ts';
import { type Issue, requireNone } from '../../../../platform/fault.ts';
import { checkInput } from '../../../../platform/input.ts';
import { inTurns } from '../../../../platform/limits/turns.ts';
import type { Table } from '../../../../platform/tables/sent-table.ts';
import { carrierConnection } from '../../../carriers/carriers.service.ts';
import { LOCALES } from '../../../common/tables/locales.catalog.ts';
import { readSentTable, type SentFile } from '../../../common/tables/sent-file.service.ts';
import { type ShownMapping, unknownFields } from '../../../common/tables/shown-mapping.rules.ts';
import type { ReadColumn } from './invoice-header.rules.ts';
import { type InvoiceMapping, invoiceMapping } from './invoice-mapping.format.rules.ts';
import { INVOICE_MAPPINGS } from './invoice-mappings.catalog.ts';
import { InvoiceReader, type ReadInvoice } from './invoice-reader.rules.ts';
import type { InvoiceTableInput } from './invoice-table.input.ts';
import { invoiceColumns, invoiceFieldsOf, proposeInvoice, withInvoiceColumns } from './shown-invoice-mapping.rules.ts';

export { proposeInvoice } from './shown-invoice-mapping.rules.ts';

/** Finds the mapping of a table with an invoice, and reads its lines. */

type Path = readonly (string | number)[];

interface SentInvoice extends Pick<InvoiceTableInput, 'mapping'> {
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
  connectionId: number,
  { file, path, mapping: chosen }: SentInvoice,
): Promise<{ readonly mapping: InvoiceMapping; readonly sheets: Table['sheets'] }> {
  const { carrierCode } = await carrierConnection(tenant, connectionId);
  const { name, document } = chosen ?? {};
  const own = document == null ? undefined : readMapping(document, ['mapping', 'document']);
  const mapping = own ?? mappingFor(carrierCode, name ?? undefined);
  if (file === null) return { mapping, sheets: [] };
  const { sheets } = await readSentTable(tenant, file, path);
  return { mapping, sheets };
}

/**
 * Reads the header of a file that a client sent.
 *
 * @param input its `columns` are read in place of the columns of the mapping
 * @throws Fault `validation_failed`, `carrier_connection_not_found`
 */
export async function proposeSentInvoice(
  tenant: Tenant,
  connectionId: number,
  { columns, locale, ...input }: InvoiceTableInput,
): Promise<ShownMapping> {
  const { mapping: given, sheets } = await readSentInvoice(tenant, connectionId, { ...input, path: ['file'] });
  const mapping = { ...given, ...(locale && LOCALES[locale]) };
  if (columns == null) return proposeInvoice(sheets, mapping);
  const fields = new Set(invoiceFieldsOf(mapping).map(({ name }) => name));
  const unknown = unknownFields(columns, field => fields.has(field));
  requireNone(unknown.map(issue => ({ ...issue, path: ['columns', ...issue.path] })));
  return proposeInvoice(sheets, withInvoiceColumns(mapping, columns));
}

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
 * The lines of an invoice, from the sheet with most columns of the mapping. Reading stops at the limit of issues.
 *
 * @param path before row and column of an issue
 * @throws Fault `validation_failed`
 */
export async function readInvoice(
  { companyId }: Pick<Tenant, 'companyId'>,
  { sheets }: Pick<Table, 'sheets'>,
  mapping: InvoiceMapping,
  path: Path = [],
): Promise<ReadInvoice & { readonly columns: readonly ReadColumn[] }> {
  const found = invoiceColumns(sheets, mapping);
  const sheet = found?.sheet ?? sheets[0];
  const from = found?.header.row ?? 1;
  const reader = new InvoiceReader(mapping, () => found?.rows() ?? []);
  for await (const row of inTurns(companyId, sheet?.rows() ?? [])) {
    if (row.row < from) continue;
    reader.add(row);
    if (reader.isFull) break;
  }
  const { invoice: read, issues } = reader.end();
  const before = sheet?.name == null ? path : [...path, sheet.name];
  requireNone(issues.map((issue): Issue => ({ ...issue, path: [...before, ...issue.path] })));
  return { ...read, columns: reader.columns };
}
