import type { Tenant, TenantTransaction } from '../../platform/database/tenancy.ts';
import { Fault, type Issue, invalid, MAX_ISSUES } from '../../platform/fault.ts';
import { inSlices } from '../../platform/limits/slices.ts';
import { record } from '../audit/audit.service.ts';
import { type ConnectionCache, QUOTES_CHANGED } from '../carriers/accounts.service.ts';
import { CARRIER_CODES, carrierByCode } from '../carriers/carriers.catalog.ts';
import { AreaTable } from './area.rules.ts';
import { readForm } from './form.rules.ts';
import type { MonthRate } from './fuel-grid.rules.ts';
import { type PlaceList, placeListFormat } from './place.format.rules.ts';
import {
  carrierCodeOf,
  type ReferenceKind,
  type ReferenceRow,
  referenceRows,
  referringTariffs,
  saveReference,
} from './references.repository.ts';
import type { References } from './references.rules.ts';
import { readTariffSteps } from './tariff.check.rules.ts';
import { wholeTariff } from './tariff.repository.ts';
import { findOversize, formIssues } from './tariff-document.rules.ts';
import { scaled } from './units.rules.ts';

export { ratesInCells } from './fuel-grid.rules.ts';

type Readable = Pick<Tenant | TenantTransaction, 'rows'>;
type Path = Issue['path'];

/** What a company's carrier has, and a number that changes with it. */
export async function referencesOf(
  reader: Readable,
  carrierCode: string,
): Promise<{ references: References; revision: string | null }> {
  const rows = await referenceRows(reader, carrierCode);
  const revisions = rows.map(({ revision }) => BigInt(revision));
  const newest = revisions.reduce((a, b) => (b > a ? b : a), 0n);
  return { references: fromRows(rows), revision: rows.length > 0 ? String(newest) : null };
}

/** Each of it, by kind and name. */
export function carrierReferences(tenant: Tenant, carrierCode: string): Promise<ReferenceRow[]> {
  return referenceRows(tenant, carrierCode);
}

/** One of it, which is there. */
export async function carrierReference(
  tenant: Tenant,
  carrierCode: string,
  kind: ReferenceKind,
  name: string,
): Promise<ReferenceRow> {
  const rows = await referenceRows(tenant, carrierCode);
  return rows.find(row => row.kind === kind && row.name === name) as ReferenceRow;
}

/** The same by a connection of the carrier. */
export async function referencesOfConnection(reader: Readable, connectionId: number): Promise<References> {
  const carrierCode = await carrierCodeOf(reader, connectionId);
  if (carrierCode === undefined) throw new Fault('carrier_connection_not_found');
  return (await referencesOf(reader, carrierCode)).references;
}

function fromRows(rows: readonly ReferenceRow[]): References {
  const of = <Content>(kind: ReferenceKind) =>
    new Map(rows.filter(row => row.kind === kind).map(({ name, content }) => [name, content as Content] as const));
  return { lists: of('list'), indexes: of('index') };
}

/**
 * Replaces a list of places of a carrier, for all tariffs that name it.
 *
 * @throws Fault `validation_failed` for places that can't be read, or that a tariff could not have
 */
export async function replacePlaceList(
  tenant: Tenant,
  list: { readonly carrierCode: string; readonly name: string; readonly places: unknown },
  { path = [], cache }: { readonly path?: Path; readonly cache?: ConnectionCache } = {},
): Promise<PlaceList> {
  const places = await readPlaces(tenant, list.places, path);
  await replace(tenant, list.carrierCode, 'list', list.name, places, cache);
  return places;
}

async function readPlaces(tenant: Tenant, value: unknown, path: Path): Promise<PlaceList> {
  const rejection = (issues: readonly Issue[]) =>
    invalid(issues.map(issue => ({ ...issue, path: [...path, ...issue.path] })));
  const oversize = await inSlices(tenant.companyId, findOversize(value));
  if (oversize) throw rejection([oversize]);
  const form = await inSlices(tenant.companyId, readForm(placeListFormat, value, MAX_ISSUES));
  if (form.value === undefined) throw rejection(formIssues(form.issues, value));
  const { problems } = await inSlices(tenant.companyId, AreaTable.steps([form.value]));
  const issues = problems.map(({ rule, code, message }) => ({
    path: rule.path,
    code,
    message: `(${rule.text}) ${message}`,
  }));
  if (issues.length > 0) throw rejection(issues.slice(0, MAX_ISSUES));
  return form.value;
}

/**
 * Puts months into an index of a carrier; the others stay as they are.
 *
 * @throws Fault `validation_failed` naming the rate that is wrong
 */
export async function importIndex(
  tenant: Tenant,
  index: { readonly carrierCode: string; readonly name: string; readonly rates: readonly MonthRate[] },
  { path = [], cache }: { readonly path?: Path; readonly cache?: ConnectionCache } = {},
): Promise<void> {
  const issues = rateIssues(index.rates);
  if (issues.length > 0) throw invalid(issues.map(issue => ({ ...issue, path: [...path, ...issue.path] })));
  const { references } = await referencesOf(tenant, index.carrierCode);
  const months = new Map((references.indexes.get(index.name) ?? []).map(({ from, percent }) => [from, percent]));
  for (const { month, percent } of index.rates) months.set(`${month}-01`, percent);
  const rates = [...months]
    .map(([from, percent]) => ({ from, percent }))
    .toSorted((a, b) => (a.from < b.from ? -1 : 1));
  await replace(tenant, index.carrierCode, 'index', index.name, rates, cache);
}

const MAX_PERCENT = 300;

function rateIssues(rates: readonly MonthRate[]): Issue[] {
  const issues: Issue[] = [];
  const seen = new Set<string>();
  if (rates.length === 0) issues.push({ path: [], code: 'empty', message: 'must have at least one month' });
  for (const [i, { month, percent }] of rates.entries()) {
    if (!/^20\d\d-(0[1-9]|1[0-2])$/.test(month))
      issues.push({ path: [i, 'month'], code: 'invalid_format', message: 'must be a month such as 2026-01' });
    if (seen.has(month)) issues.push({ path: [i, 'month'], code: 'duplicate', message: `is given already: ${month}` });
    seen.add(month);
    if (!(percent >= 0 && percent <= MAX_PERCENT) || scaled(percent, 4) === undefined) {
      const message = `must be a percentage from 0 to ${MAX_PERCENT} with at most 4 decimals`;
      issues.push({ path: [i, 'percent'], code: 'invalid_decimal', message });
    }
  }
  return issues;
}

const NAME = /^[a-z][a-z0-9_]{0,39}$/;

async function replace(
  tenant: Tenant,
  carrierCode: string,
  kind: ReferenceKind,
  name: string,
  content: object,
  cache: ConnectionCache | undefined,
): Promise<void> {
  if (!carrierByCode(carrierCode)) {
    const message = `must be one of ${CARRIER_CODES.join(', ')}`;
    throw invalid([{ path: ['carrierCode'], code: 'not_allowed', message }]);
  }
  if (!NAME.test(name)) {
    const message = 'must have lower-case letters, digits and _, at most 40, beginning with a letter';
    throw invalid([{ path: ['name'], code: 'invalid_format', message }]);
  }
  await tenant.transaction(async tx => {
    const referring = await referringTariffs(tx, carrierCode);
    await saveReference(tx, carrierCode, kind, name, content);
    await record(tx, {
      action: kind === 'index' ? 'fuel_index_imported' : 'place_list_replaced',
      subject: { type: 'CarrierReference', key: `${carrierCode} ${name}` },
    });
    const { references } = await referencesOf(tx, carrierCode);
    for (const { connectionId, tariffId } of referring) await requireSound(tx, connectionId, tariffId, references);
    await tx.notify(QUOTES_CHANGED, tx.companyId);
  });
  cache?.invalidate(tenant.companyId);
}

/** A tariff that refers to what has changed must still be one that could be imported. */
async function requireSound(
  tx: TenantTransaction,
  connectionId: number,
  tariffId: number,
  references: References,
): Promise<void> {
  const stored = await wholeTariff(tx, tariffId);
  if (!stored) return;
  try {
    await inSlices(tx.companyId, readTariffSteps(stored.tariff, [], { references }));
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const [issue] = error.options.issues ?? [];
    const detail = `The tariff of connection ${connectionId} does not allow it: ${(issue?.path ?? []).join('/')} ${issue?.message ?? ''}`;
    throw new Fault('validation_failed', { detail });
  }
}
