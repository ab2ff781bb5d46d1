import type { Tenant } from '../../../platform/database/tenancy/tenancy.ts';
import type { BilledLine } from './billed-line.rules.ts';
import { billedLine, linesAfter, linesPage, shipmentsOfNumbers } from './invoice-lines.repository.ts';
import type { InvoiceRow } from './invoices.repository.ts';
import { packageOf, withPackagesJoined } from './packages.rules.ts';

/** Joins the lines of the packages of one shipment, when an invoice is imported and when it is checked again. */

/** Numbers that are looked up by one statement. */
const NUMBERS_AT_ONCE = 5_000;

/** An invoice whose lines of packages of one shipment are one line. */
export async function packagesJoined<Read extends { readonly lines: readonly BilledLine[] }>(
  tenant: Tenant,
  carrierConnectionId: number,
  read: Read,
): Promise<Read> {
  const keys = [...new Set(read.lines.flatMap(line => packageOf(line) ?? []))];
  const shipmentOf = new Map<string, number>();
  for (let from = 0; from < keys.length; from += NUMBERS_AT_ONCE) {
    const some = await shipmentsOfNumbers(tenant, carrierConnectionId, keys.slice(from, from + NUMBERS_AT_ONCE));
    for (const [key, id] of some) shipmentOf.set(key, id);
  }
  return { ...read, lines: withPackagesJoined(read.lines, shipmentOf) };
}

/** The lines of an invoice if fewer than it has, because labels of its packages came after its import. */
export async function linesWithNewPackages(
  tenant: Tenant,
  { id, carrierConnectionId, lineCount }: InvoiceRow,
): Promise<readonly BilledLine[] | undefined> {
  if (!(await hasNewPackages(tenant, id, carrierConnectionId))) return undefined;
  const lines: BilledLine[] = [];
  while (lines.length < lineCount) {
    const some = await linesAfter(tenant, id, lines.length, NUMBERS_AT_ONCE);
    if (some.length === 0) break;
    lines.push(...some.map(billedLine));
  }
  const joined = await packagesJoined(tenant, carrierConnectionId, { lines });
  return joined.lines.length < lineCount ? joined.lines : undefined;
}

/** Whether a line that found no shipment when it was checked is of a package that is known now. */
async function hasNewPackages(tenant: Tenant, id: number, carrierConnectionId: number): Promise<boolean> {
  for (let after: number | null = null; ; ) {
    const page = { before: null, after, limit: NUMBERS_AT_ONCE, inverted: false };
    const unknown = await linesPage(tenant, id, ['unknown'], page);
    const keys = unknown.flatMap(row => packageOf(billedLine(row)) ?? []);
    if (keys.length > 0 && (await shipmentsOfNumbers(tenant, carrierConnectionId, keys)).size > 0) return true;
    if (unknown.length < NUMBERS_AT_ONCE) return false;
    after = unknown.at(-1)?.id ?? null;
  }
}
