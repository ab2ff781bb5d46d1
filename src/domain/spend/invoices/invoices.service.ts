import type { IdPage } from '../../../platform/database/lists/page.ts';
import type { Tenant } from '../../../platform/database/tenancy/tenancy.ts';
import type { TenantTransaction } from '../../../platform/database/tenancy/tenant-transaction.ts';
import { Fault, invalid } from '../../../platform/fault.ts';
import type { Jobs } from '../../../platform/jobs/jobs.ts';
import { dayInItaly } from '../../common/date-time.rules.ts';
import type { ShownMapping } from '../../common/tables/shown-mapping.rules.ts';
import { invoiceChecks } from '../spend.queues.ts';
import { type BilledLine, netOf, vatOf } from './billed-line.rules.ts';
import { CLAIMS_HEADER, claimLine } from './claims.rules.ts';
import { CLAIMS_LOCK, withoutCreditsOf } from './credits.repository.ts';
import { checkInvoice } from './invoice-check.service.ts';
import {
  claimsAfter,
  countOpenClaims,
  type OpenClaimFilter,
  type OpenClaimRow,
  openClaims,
} from './invoice-findings.repository.ts';
import { insertLines } from './invoice-lines.repository.ts';
import { type ImportInvoiceInput, lineOfRow, statedTerms } from './invoices.input.ts';
import {
  deleteInvoiceRows,
  type InvoiceRow,
  insertInvoice,
  invoiceById,
  invoiceByNumber,
  invoicePage,
  type NewInvoice,
  renewInvoice,
  resetInvoice,
} from './invoices.repository.ts';
import { MAX_INLINE } from './invoices.rules.ts';
import { linesWithNewPackages, packagesJoined } from './packages.service.ts';
import { CHARGE_KINDS } from './reading/invoice-mapping.format.rules.ts';
import type { ReadInvoice, RowCounts } from './reading/invoice-reader.rules.ts';
import { readInvoice, readSentInvoice } from './reading/invoice-table.service.ts';
import { proposeInvoice } from './reading/shown-invoice-mapping.rules.ts';
import { NO_TERMS, type StatedTerms } from './stated-terms.rules.ts';

export { shipmentById } from '../../shipping/tracking/tracking.service.ts';

/** Lines that are written by one statement. */
const LINES_AT_ONCE = 2_000;

/** A stored invoice that is not checked yet. */
interface StoredInvoice {
  readonly id: number;
  readonly run: number;
  readonly lineCount: number;
}

/** The name of an invoice, and whether it may replace another one. */
interface InvoiceHeader {
  readonly carrierConnectionId: number;
  readonly number: string;
  readonly date: string;
  readonly replace: boolean;
  readonly terms: StatedTerms;
}

/** An invoice that was imported; null if it was only read. */
interface ImportedInvoice {
  readonly carrierInvoice: InvoiceRow | null;
  readonly lineCount: number;
  readonly billedCents: number;
  readonly rows: RowCounts;
  /** Sentences about a guessed encoding, and about sheets that were not read. */
  readonly remarks: readonly string[];
  /** Null for rows that are not of a file. */
  readonly mapping: ShownMapping | null;
}

/**
 * Imports an invoice and checks it: at once if it is short, otherwise by a job.
 *
 * @throws Fault `validation_failed`, `carrier_connection_not_found`
 */
export async function importInvoice(
  tenant: Tenant,
  jobs: Jobs,
  carrierConnectionId: number,
  input: ImportInvoiceInput,
): Promise<ImportedInvoice> {
  const { number, date, source, replace, dryRun } = input;
  const { file, rows } = source;
  const path = ['source', 'file'];
  const sent = rows == null ? (file ?? {}) : null;
  const { mapping, sheets, remarks } = await readSentInvoice(tenant, carrierConnectionId, {
    ...input,
    file: sent,
    path,
  });
  const inFile =
    rows == null
      ? await readInvoice(tenant, { sheets }, mapping, path)
      : {
          lines: rows.map(lineOfRow),
          covers: CHARGE_KINDS,
          rows: { total: rows.length, read: rows.length, leftOut: [], wrong: 0 },
        };
  const read = await packagesJoined(tenant, carrierConnectionId, inFile);
  const facts = {
    lineCount: read.lines.length,
    billedCents: sumOf(read.lines, netOf),
    rows: inFile.rows,
    remarks,
    mapping: rows == null ? proposeInvoice(sheets, mapping) : null,
  };
  if (dryRun) return { ...facts, carrierInvoice: null };
  const name = rows == null ? mapping.name : 'ROWS';
  const header = { carrierConnectionId, number, date, replace, terms: statedTerms(input.terms) };
  const stored = await storeInvoice(tenant, header, name, read, sendCheck(jobs));
  return { ...facts, carrierInvoice: await checkedIfShort(tenant, stored) };
}

function sumOf(lines: readonly BilledLine[], cents: (line: BilledLine) => number): number {
  return lines.reduce((sum, line) => sum + cents(line), 0);
}

async function checkedIfShort(tenant: Tenant, { id, run, lineCount }: StoredInvoice): Promise<InvoiceRow> {
  if (lineCount <= MAX_INLINE) await checkInvoice(tenant, id, run);
  return invoice(tenant.fresh(), id);
}

type AtEnd = (tx: TenantTransaction, stored: StoredInvoice) => Promise<void>;

/** A request that checks a short invoice itself is over by then, in whichever way. */
const CHECKED_WITHIN_MS = 60_000;

/** Checks a long invoice by a job. The job of a short one continues a check that its request did not end. */
function sendCheck(jobs: Jobs): AtEnd {
  return async ({ em, companyId }, { id, run, lineCount }) => {
    const startAfter = lineCount <= MAX_INLINE ? new Date(Date.now() + CHECKED_WITHIN_MS) : undefined;
    await jobs.insert(em, invoiceChecks, [{ data: { companyId, invoiceId: id, run }, startAfter }]);
  };
}

/**
 * Stores an invoice with its lines atomically.
 *
 * @throws Fault `validation_failed` for a number that is taken, `carrier_connection_not_found`
 */
export async function storeInvoice(
  tenant: Tenant,
  header: InvoiceHeader,
  mapping: string,
  read: ReadInvoice,
  atEnd: AtEnd,
): Promise<StoredInvoice> {
  const { carrierConnectionId, number, date, replace } = header;
  const fresh = newInvoice(header, mapping, read);
  const replaced = async (tx: TenantTransaction) => {
    const known = await invoiceByNumber(tx, carrierConnectionId, Number(date.slice(0, 4)), number);
    if (known === undefined) throw new Fault('carrier_connection_not_found');
    if (!replace) {
      const message = `is taken: the connection has an invoice ${number} of this year. Set \`replace\` to replace it`;
      throw invalid([{ path: ['number'], code: 'duplicate', message }]);
    }
    return renewed(tx, known, fresh);
  };
  const store = async (tx: TenantTransaction) =>
    withLines(tx, (await insertInvoice(tx, fresh)) ?? (await replaced(tx)), read.lines, atEnd);
  return tenant.exclusively(replace ? CLAIMS_LOCK : 'carrier invoices', store);
}

function newInvoice(
  { carrierConnectionId, number, date, terms }: Omit<InvoiceHeader, 'replace'>,
  mapping: string,
  { lines, covers }: ReadInvoice,
): NewInvoice {
  const sums = { lineCount: lines.length, billedCents: sumOf(lines, netOf), vatCents: sumOf(lines, vatOf) };
  return { carrierConnectionId, number, date, mapping, covers, terms, ...sums };
}

/** Another invoice in the place of a stored one, without its lines. */
async function renewed(tx: TenantTransaction, id: number, fresh: NewInvoice): Promise<StoredInvoice> {
  await withoutCreditsOf(tx, { id, carrierConnectionId: fresh.carrierConnectionId }, () => renewInvoice(tx, id, fresh));
  return beginCheck(tx, id);
}

async function withLines(
  tx: TenantTransaction,
  { id, run }: Omit<StoredInvoice, 'lineCount'>,
  lines: readonly BilledLine[],
  atEnd: AtEnd,
): Promise<StoredInvoice> {
  for (let from = 0; from < lines.length; from += LINES_AT_ONCE) {
    await insertLines(tx, id, from + 1, lines.slice(from, from + LINES_AT_ONCE));
  }
  const stored = { id, run, lineCount: lines.length };
  await atEnd(tx, stored);
  return stored;
}

/**
 * Checks an invoice again, because tariffs, shipments or tracking may have changed. @throws Fault
 * `carrier_invoice_not_found`
 */
export async function recheckInvoice(tenant: Tenant, jobs: Jobs, id: number): Promise<InvoiceRow> {
  return checkedIfShort(tenant, await beginRecheck(tenant, id, sendCheck(jobs)));
}

/**
 * Begins a check, after joining the lines of packages whose labels have come since. @throws Fault
 * `carrier_invoice_not_found`
 */
async function beginRecheck(tenant: Tenant, id: number, atEnd: AtEnd): Promise<StoredInvoice> {
  const row = await invoice(tenant, id);
  const lines = await linesWithNewPackages(tenant, row);
  return tenant.exclusively(CLAIMS_LOCK, async tx => {
    const begun = await beginCheck(tx, id);
    // Otherwise the invoice has been replaced or checked since its lines were read.
    if (lines && begun.run === row.run + 1) {
      const { carrierConnectionId, number, date, mapping, covers, terms } = row;
      const header = { carrierConnectionId, number, date, terms: { ...NO_TERMS, ...terms } };
      return withLines(tx, await renewed(tx, id, newInvoice(header, mapping, { lines, covers })), lines, atEnd);
    }
    await atEnd(tx, begun);
    return begun;
  });
}

async function beginCheck(tx: TenantTransaction, id: number): Promise<StoredInvoice> {
  const begun = await resetInvoice(tx, id);
  if (begun === undefined) throw new Fault('carrier_invoice_not_found');
  return begun;
}

/** Deletes an invoice with its lines and findings. @throws Fault `carrier_invoice_not_found` */
export async function deleteInvoice(tenant: Tenant, id: number): Promise<InvoiceRow> {
  const found = await invoice(tenant, id);
  const { carrierConnectionId } = found;
  await tenant.exclusively(CLAIMS_LOCK, tx =>
    withoutCreditsOf(tx, { id, carrierConnectionId }, () => deleteInvoiceRows(tx, id)),
  );
  return found;
}

/** @throws Fault `carrier_invoice_not_found` */
export async function invoice(tenant: Tenant, id: number): Promise<InvoiceRow> {
  const found = await invoiceById(tenant, id);
  if (found === undefined) throw new Fault('carrier_invoice_not_found');
  return found;
}

export function listInvoices(tenant: Tenant, carrierConnectionId: number | null, page: IdPage): Promise<InvoiceRow[]> {
  return invoicePage(tenant, carrierConnectionId, page);
}

/** A part of the CSV file of claims. */
export interface ClaimsCsvPart {
  readonly csv: string;
  /** Null at the end. */
  readonly next: number | null;
}

/** Claims of a part of the CSV file. */
const CLAIMS_IN_PART = 1_000;

/** @param after the last claim of the part before, or 0 @throws Fault `carrier_invoice_not_found` */
export async function claimsCsvPart(tenant: Tenant, id: number, after: number): Promise<ClaimsCsvPart> {
  const row = await invoice(tenant, id);
  const claims = await claimsAfter(tenant, row.id, after, CLAIMS_IN_PART);
  const lines = claims.map(claim => claimLine(row, claim));
  const next = claims.length < CLAIMS_IN_PART ? null : (claims.at(-1)?.id ?? null);
  return { csv: (after === 0 ? CLAIMS_HEADER : '') + lines.join(''), next };
}

/** Open claims of invoices that are so many days old. */
interface AgedClaims {
  readonly carrierConnectionId: number | null;
  readonly days: number;
}

const DAY_MS = 86_400_000;

function openFilter({ carrierConnectionId, days }: AgedClaims): OpenClaimFilter {
  return { carrierConnectionId, until: dayInItaly(new Date(Date.now() - days * DAY_MS)) };
}

/** A page of the claims that no credit answers. */
export function agedClaims(
  tenant: Tenant,
  aged: AgedClaims,
  page: Parameters<typeof openClaims>[2],
): Promise<OpenClaimRow[]> {
  return openClaims(tenant, openFilter(aged), page);
}

export function countAgedClaims(tenant: Tenant, aged: AgedClaims): Promise<number> {
  return countOpenClaims(tenant, openFilter(aged));
}
