import { tenantOfCompany } from '../domain/access/access.service.ts';
import { carrierConnection } from '../domain/carriers/carriers.service.ts';
import { tenantOfConnection } from '../domain/carriers/connection-admin.service.ts';
import { FINDING_CODES, type FindingCode } from '../domain/spend/invoices/check/finding-codes.rules.ts';
import { checkInvoice } from '../domain/spend/invoices/invoice-check.service.ts';
import { invoiceName, invoiceTermsInput, statedTerms } from '../domain/spend/invoices/invoices.input.ts';
import {
  agedClaimsCsv,
  beginRecheck,
  claimsCsv,
  deleteInvoice as deleteStored,
  type InvoiceRow,
  invoice,
  listInvoices as listStored,
  type StoredInvoice,
  sendCheckAfter,
  storeInvoice,
} from '../domain/spend/invoices/invoices.service.ts';
import { packagesJoined } from '../domain/spend/invoices/packages.service.ts';
import type { InvoiceMapping } from '../domain/spend/invoices/reading/invoice-mapping.format.rules.ts';
import type { RowCounts } from '../domain/spend/invoices/reading/invoice-reader.rules.ts';
import {
  likelyMapping,
  mappingFor,
  readInvoice,
  readMapping,
} from '../domain/spend/invoices/reading/invoice-table.service.ts';
import { money } from '../domain/tariffs/units.rules.ts';
import type { Tenant } from '../platform/database/tenancy/tenancy.ts';
import { Fault } from '../platform/fault.ts';
import { readInput } from '../platform/input.ts';
import type { Table } from '../platform/tables/sent-table.ts';
import { confirm } from './confirmation.ts';
import { openForWriting, readJson } from './files.ts';
import { Progress } from './progress.ts';
import { RejectedFile } from './rejected-file.ts';
import { withDatabase, withJobs } from './session.ts';
import { tableOf } from './table.ts';
import { readTableFile } from './table-files.ts';

export interface InvoiceOptions {
  readonly company: string;
}

export interface ImportInvoiceOptions {
  readonly connection: number;
  readonly number: string;
  readonly date: string;
  readonly mapping?: string;
  readonly mappingFile?: string;
  readonly codPayment?: string;
  readonly monthlyShipments?: number;
  readonly pallets?: number;
  readonly palletType?: string;
  readonly stackablePallets?: number;
  readonly recipientType?: string;
  readonly goodsValue?: string;
  readonly dutiesAmount?: string;
  readonly replace?: true;
  readonly dryRun?: true;
}

const LAST = 250;

/** How long a command checks an invoice before a worker continues: a command that is killed leaves its check to it. */
const CHECKED_WITHIN_MS = 600_000;

export function importInvoice(file: string, options: ImportInvoiceOptions): Promise<object> {
  const { connection, mappingFile, replace = false, dryRun } = options;
  const { number, date } = readInput(invoiceName, { number: options.number, date: options.date });
  const { codPayment, monthlyShipments, pallets, palletType, stackablePallets } = options;
  const { recipientType, goodsValue, dutiesAmount } = options;
  const ofParcels = { pallets, palletType, stackablePallets };
  const ofShipment = { codPayment, monthlyShipments, recipientType, goodsValue, dutiesAmount };
  const terms = statedTerms(readInput(invoiceTermsInput, { ...ofParcels, ...ofShipment }));
  return withJobs(async ({ database, announcer: { jobs } }) => {
    const tenant = await tenantOfConnection(database, connection);
    const { carrierCode } = await carrierConnection(tenant, connection);
    const own = mappingFile === undefined ? undefined : await ownMapping(mappingFile);
    const table = await readTableFile(file);
    const mapping = own ?? mappingOf(table.value, carrierCode, options.mapping);
    const inFile = await table.awaiting(() => readInvoice(tenant, table.value, mapping).catch(sayCounts));
    const read = await packagesJoined(tenant, connection, inFile);
    const counts = { rows: inFile.rows.total, leftOut: leftOutInWords(inFile.rows) };
    const lines = read.lines.length;
    if (dryRun) return { mapping: mapping.name, ...counts, lines, covers: read.covers, columns: read.columns };
    const header = { connectionId: connection, number, date, replace, terms };
    const stored = await storeInvoice(tenant, header, mapping.name, read, sendCheckAfter(jobs, CHECKED_WITHIN_MS));
    return { ...(await checked(tenant, stored)), ...counts };
  });
}

function mappingOf({ sheets }: Table, carrierCode: string, name: string | undefined): InvoiceMapping {
  return name === undefined ? likelyMapping(sheets, carrierCode) : mappingFor(carrierCode, name);
}

/** The counts of the rows of a rejected file. */
function sayCounts(thrown: unknown): never {
  const rows = thrown instanceof Fault ? (thrown.options.results?.rows as RowCounts | undefined) : undefined;
  if (rows) {
    const leftOut = leftOutInWords(rows);
    process.stderr.write(`Rows: ${rows.total}; read: ${rows.read}; left out: ${leftOut}; wrong: ${rows.wrong}.\n`);
  }
  throw thrown;
}

/** `2: row 17 …` for each reason. */
function leftOutInWords({ leftOut }: RowCounts): string {
  const reasons = leftOut.map(
    ({ reason, count, row }) => `${count} (${count === 1 ? 'row' : 'from row'} ${row}: ${reason})`,
  );
  return reasons.length === 0 ? '0' : reasons.join('; ');
}

/** A dry run shows which column is read as what. */
export async function importedInWords(imported: object): Promise<string | object> {
  if (!('columns' in imported)) return imported;
  const { columns, ...facts } = imported as { readonly columns: readonly object[] };
  const lines = Object.entries(facts).map(([name, value]) => `${name.padEnd(7)}  ${[value].flat().join(', ')}`);
  return `${lines.join('\n')}\n${await tableOf(columns, {})}`;
}

async function ownMapping(file: string): Promise<InvoiceMapping> {
  const source = await readJson(file);
  return source.within(() => readMapping(source.value));
}

async function checked(tenant: Tenant, { id, run }: StoredInvoice): Promise<object> {
  const progress = new Progress('lines');
  try {
    await checkInvoice(tenant, id, run, (count, all) => progress.update(count, count / all));
  } finally {
    progress.end();
  }
  const { checkedCount, lineCount, totals, ...row } = await invoice(tenant.fresh(), id);
  const findings = totals.codes.reduce((sum, { count }) => sum + count, 0);
  return {
    invoiceId: id,
    number: row.number,
    mapping: row.mapping,
    lines: lineCount,
    checked: checkedCount,
    findings,
    billed: money(row.billedCents),
    overbilled: money(totals.overCents),
    underbilled: money(totals.underCents),
    notChecked: money(totals.uncheckedCents ?? 0),
  };
}

export function listInvoices({ company }: InvoiceOptions): Promise<object[]> {
  return withDatabase(async ({ database }) => {
    const tenant = await tenantOfCompany(database, company);
    const page = { before: null, after: null, limit: LAST, inverted: false };
    return (await listStored(tenant, null, page)).map(listed);
  });
}

function listed({ id, carrierCompanyId, number, date, state, lineCount, billedCents, totals }: InvoiceRow) {
  const amounts = { billed: money(billedCents), overbilled: money(totals.overCents) };
  return { id, connection: carrierCompanyId, number, date, state, lines: lineCount, ...amounts };
}

/** An invoice with its findings by code. */
interface Shown {
  readonly invoice: object;
  readonly totals: readonly {
    readonly code: string;
    readonly count: number;
    readonly amount: string;
    readonly meaning: string;
  }[];
  readonly lines: Readonly<Record<string, number>>;
}

export function showInvoice(id: number, { company }: InvoiceOptions): Promise<Shown> {
  return withDatabase(async ({ database }) => {
    const row = await invoice(await tenantOfCompany(database, company), id);
    return {
      invoice: {
        ...listed(row),
        underbilled: money(row.totals.underCents),
        notChecked: row.totals.uncheckedCents === undefined ? 'unknown' : money(row.totals.uncheckedCents),
        checked: row.checkedCount,
      },
      totals: row.totals.codes.map(({ code, count, cents }) => ({
        code: code.toUpperCase(),
        count,
        amount: money(cents),
        meaning: FINDING_CODES[code].reason,
      })),
      lines: Object.fromEntries(row.totals.states.map(({ state, count }) => [state, count])),
    };
  });
}

export async function inWords({ invoice: head, totals, lines }: Shown): Promise<string> {
  const states = Object.entries(lines).map(([state, count]) => `${count} ${state}`);
  const facts = Object.entries({ ...head, states: states.join(', ') });
  const width = Math.max(...facts.map(([name]) => name.length));
  const text = facts.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join('\n');
  return totals.length === 0 ? text : `${text}\n\n${await tableOf(totals, {})}`;
}

export function recheckInvoice(id: number, { company }: InvoiceOptions): Promise<object> {
  return withJobs(async ({ database, announcer: { jobs } }) => {
    const tenant = await tenantOfCompany(database, company);
    return checked(tenant, await beginRecheck(tenant, id, sendCheckAfter(jobs, CHECKED_WITHIN_MS)));
  });
}

export function deleteInvoice(id: number, { company, yes }: InvoiceOptions & { readonly yes?: true }): Promise<object> {
  return withDatabase(async ({ database }) => {
    const tenant = await tenantOfCompany(database, company);
    const { number, lineCount } = await invoice(tenant, id);
    await confirm(`The invoice ${number} with ${lineCount} lines and all of its findings will be deleted.`, yes);
    await deleteStored(tenant, id);
    return { deleted: id, number, lines: lineCount };
  });
}

/** Writes claims as they are read: an invoice can have many. */
export function printClaims(
  id: number,
  {
    company,
    code,
    all,
    out,
  }: InvoiceOptions & { readonly code?: string[]; readonly all?: true; readonly out?: string },
): Promise<void> {
  return withDatabase(async ({ database }) => {
    const tenant = await tenantOfCompany(database, company);
    const row = await invoice(tenant, id);
    if (row.state === 'checking') throw new RejectedFile([`The invoice ${row.number} is still being checked.`]);
    const filter = { codes: (code as FindingCode[] | undefined) ?? null, withUnderbilled: all === true };
    await writeLines(claimsCsv(tenant, row, filter), out);
  });
}

export interface OpenClaimsOptions extends InvoiceOptions {
  readonly connection?: number;
  readonly days: number;
  readonly out?: string;
}

export function printOpenClaims({ company, connection, days, out }: OpenClaimsOptions): Promise<void> {
  return withDatabase(async ({ database }) => {
    const tenant = await tenantOfCompany(database, company);
    await writeLines(agedClaimsCsv(tenant, { connectionId: connection ?? null, days }), out);
  });
}

async function writeLines(lines: AsyncIterable<string>, out: string | undefined): Promise<void> {
  const file = out === undefined ? undefined : await openForWriting(out, 'w');
  try {
    for await (const line of lines) {
      if (file) await file.appendFile(line);
      else process.stdout.write(line);
    }
  } finally {
    await file?.close();
  }
}
