import type { Tenant } from '../../../../platform/database/tenancy/tenancy.ts';
import type { TenantTransaction } from '../../../../platform/database/tenancy/tenant-transaction.ts';
import { Fault, type Issue, invalid } from '../../../../platform/fault.ts';
import { MAX_WAITING_CHANGES, requireRoom } from '../../../../platform/limits/caps.ts';
import { record } from '../../../account/audit/audit.service.ts';
import { type ConnectionCache, QUOTES_CHANGED } from '../../../shipping/carriers/accounts.service.ts';
import type { PlaceList } from '../areas/place.format.rules.ts';
import { checkPlaceList, checkTariff } from '../compile/large-tariffs.service.ts';
import { documentOfRevision } from '../revisions/revisions.repository.ts';
import { scaled } from '../units.rules.ts';
import type { WrittenRate } from './fuel-grid.rules.ts';
import {
  carrierCodeOf,
  countReferences,
  type ReferenceContent,
  type ReferenceRow,
  type ReferringTariff,
  referenceContents,
  referencesFingerprint,
  referringTariffs,
  removeReference,
  saveReference,
} from './references.repository.ts';
import {
  DAY_OR_MONTH,
  firstDayOf,
  type ReferenceKey,
  type ReferenceKind,
  type References,
  referenceKeyText,
  refersTo,
} from './references.rules.ts';

export { placesInCells } from '../areas/place-columns.rules.ts';
export { ratesInCells } from './fuel-grid.rules.ts';

/**
 * The lock under which a company's tariffs are replaced, and what they refer to: a tariff is stored with the references that
 * it was checked with.
 */
export const TARIFFS_LOCK = 'tariffs';

/** Lists and indexes of one carrier of a company. */
const MAX_REFERENCES = 200;

type Readable = Pick<Tenant | TenantTransaction, 'rows'>;
type Path = Issue['path'];

/** The lists and indexes of a carrier, and a text that changes with them. */
interface ReferencesOfCarrier {
  readonly references: References;
  readonly fingerprint: string;
}

export async function referencesOf(reader: Readable, carrierCode: string): Promise<ReferencesOfCarrier> {
  const rows = await referenceContents(reader, carrierCode);
  const [newest] = rows.map(({ revision }) => BigInt(revision)).toSorted((a, b) => (a > b ? -1 : 1));
  // As the database makes it, which has no newest one of none.
  const fingerprint = newest === undefined ? '0' : `${rows.length} ${newest}`;
  return { references: referencesFromRows(rows), fingerprint };
}

/** How many places a list has. */
function countPlaces(places: PlaceList): number {
  return Object.values(places).reduce((sum, all) => sum + (Array.isArray(all) ? all.length : 1), 0);
}

const nameOf = ({ carrierCode, kind, name }: ReferenceKey) => `${kind} "${name}" of ${carrierCode}`;

function referenceNotFound(key: ReferenceKey): Fault {
  return new Fault('node_not_found', { detail: `There is no ${nameOf(key)}.` });
}

interface ReferencesOfConnection extends ReferencesOfCarrier {
  readonly carrierCode: string;
}

/** The lists and indexes of the carrier of a connection. @throws Fault `carrier_connection_not_found` */
export async function referencesOfConnection(
  reader: Readable,
  carrierConnectionId: number,
): Promise<ReferencesOfConnection> {
  const carrierCode = await carrierCodeOf(reader, carrierConnectionId);
  if (carrierCode === undefined) throw new Fault('carrier_connection_not_found');
  return { carrierCode, ...(await referencesOf(reader, carrierCode)) };
}

/** Whether a carrier's lists and indexes are unchanged. */
export async function areReferencesUnchanged(tx: TenantTransaction, before: ReferencesOfConnection): Promise<boolean> {
  return (await referencesFingerprint(tx, before.carrierCode)) === before.fingerprint;
}

function referencesFromRows(rows: readonly ReferenceContent[]): References {
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
): Promise<{ saved: ReferenceRow | undefined; places: PlaceList }> {
  const places = await checkPlaceList(tenant, list.places, path);
  const { carrierCode, name } = list;
  const detail = { carrierCode, name, places: countPlaces(places) };
  return {
    saved: await replaceReference(tenant, { carrierCode, kind: 'list', name }, async () => places, {
      path,
      cache,
      detail,
    }),
    places,
  };
}

/**
 * Puts percentages into an index of a carrier, each in place of one from the same day; the others stay as they are.
 *
 * @throws Fault `validation_failed` naming the rate that is wrong
 */
export async function importIndex(
  tenant: Tenant,
  index: { readonly carrierCode: string; readonly name: string; readonly rates: readonly WrittenRate[] },
  { path = [], cache }: { readonly path?: Path; readonly cache?: ConnectionCache } = {},
): Promise<ReferenceRow | undefined> {
  const issues = rateIssues(index.rates);
  if (issues.length > 0) throw invalid(issues.map(issue => ({ ...issue, path: [...path, ...issue.path] })));
  const { carrierCode, name } = index;
  const detail = { carrierCode, name, rates: index.rates.length };
  const withRates = async (tx: TenantTransaction) => {
    const { references } = await referencesOf(tx, carrierCode);
    const rates = new Map((references.indexes.get(name) ?? []).map(({ from, percent }) => [from, percent]));
    for (const { from, percent } of index.rates) rates.set(firstDayOf(from) ?? from, percent);
    return [...rates].map(([from, percent]) => ({ from, percent })).toSorted((a, b) => (a.from < b.from ? -1 : 1));
  };
  return replaceReference(tenant, { carrierCode, kind: 'index', name }, withRates, { path, cache, detail });
}

const MAX_PERCENT = 300;

function rateIssues(rates: readonly WrittenRate[]): Issue[] {
  const issues: Issue[] = [];
  const seen = new Set<string>();
  if (rates.length === 0) issues.push({ path: [], code: 'empty', message: 'must have at least one percentage' });
  for (const [i, { from, percent, field = 'from' }] of rates.entries()) {
    const day = firstDayOf(from);
    if (day === undefined) issues.push({ path: [i, field], code: 'invalid_format', message: DAY_OR_MONTH });
    else if (seen.has(day)) issues.push({ path: [i, field], code: 'duplicate', message: `is given already: ${day}` });
    seen.add(day ?? from);
    if (!(percent >= 0 && percent <= MAX_PERCENT) || scaled(percent, 4) === undefined) {
      const message = `must be a percentage from 0 to ${MAX_PERCENT} with at most 4 decimals`;
      issues.push({ path: [i, 'percent'], code: 'invalid_decimal', message });
    }
  }
  return issues;
}

const REFERENCE_NAME = /^[a-z][a-z0-9_]{0,39}$/;

interface ReplaceOptions {
  readonly path: Path;
  readonly cache: ConnectionCache | undefined;
  /**
   * The detail of the entry in the audit trail: the key of the reference, and how many places or percentages it was
   * given.
   */
  readonly detail: Readonly<Record<string, unknown>>;
}

async function replaceReference(
  tenant: Tenant,
  key: ReferenceKey,
  next: (tx: TenantTransaction) => Promise<object>,
  { detail, ...options }: ReplaceOptions,
): Promise<ReferenceRow | undefined> {
  const { path } = options;
  const { carrierCode, name } = key;
  if (!REFERENCE_NAME.test(name)) {
    const message = 'must have lower-case letters, digits and _, at most 40, beginning with a letter';
    throw invalid([{ path: ['name'], code: 'invalid_format', message }]);
  }
  return withTariffsLocked(tenant, options.cache, async tx => {
    const saved = await saveReference(tx, key, await next(tx));
    await record(tx, {
      action: key.kind === 'index' ? 'fuel_index_imported' : 'place_list_replaced',
      subject: { type: 'CarrierReference', key: referenceKeyText(key) },
      detail,
    });
    const count = await countReferences(tx, { carrierCode, kind: null, name: null });
    requireRoom('carrier_reference_limit_reached', count - 1, MAX_REFERENCES, `lists and indexes of ${carrierCode}`);
    const { references } = await referencesOf(tx, carrierCode);
    for (const tariff of await referringTariffs(tx, carrierCode))
      await requireValidTariff(tx, tariff, references, path);
    return saved;
  });
}

/**
 * Deletes a list or an index, which no tariff in force and no scheduled draft of its carrier may refer to.
 *
 * @throws Fault `node_not_found`; `carrier_reference_in_use`, which names the tariffs that refer to it
 */
export function deleteReference(tenant: Tenant, key: ReferenceKey, cache?: ConnectionCache): Promise<ReferenceRow> {
  return withTariffsLocked(tenant, cache, async tx => {
    const removed = await removeReference(tx, key);
    if (!removed) throw referenceNotFound(key);
    const referring: string[] = [];
    for (const { carrierConnectionId, revisionId, name, publishOn } of await referringTariffs(tx, key.carrierCode)) {
      const stored = await documentOfRevision(tx, revisionId);
      const scheduled = publishOn === null ? '' : `, scheduled for ${publishOn}`;
      if (stored && refersTo(stored.tariff, key.kind, key.name))
        referring.push(`"${name}" (connection ${carrierConnectionId}${scheduled})`);
    }
    if (referring.length === 0) {
      await record(tx, {
        action: 'carrier_reference_deleted',
        subject: { type: 'CarrierReference', key: referenceKeyText(key) },
      });
      return removed;
    }
    const detail = `Tariffs refer to the ${nameOf(key)}: ${referring.join(', ')}.`;
    throw new Fault('carrier_reference_in_use', { detail, members: { tariffs: referring.length } });
  });
}

/** Changes a list or an index under the lock on tariffs, so that no tariff of the company is imported meanwhile. */
async function withTariffsLocked<Result>(
  tenant: Tenant,
  cache: ConnectionCache | undefined,
  change: (tx: TenantTransaction) => Promise<Result>,
): Promise<Result> {
  const work = async (tx: TenantTransaction) => {
    const result = await change(tx);
    await tx.notify(QUOTES_CHANGED, tx.companyId);
    return result;
  };
  const changed = await tenant.exclusively(TARIFFS_LOCK, work, MAX_WAITING_CHANGES);
  cache?.invalidate(tenant.companyId);
  return changed;
}

/** Checks that a tariff could still be imported after a change of a list or an index that it refers to. */
async function requireValidTariff(
  tx: TenantTransaction,
  { carrierConnectionId, revisionId, publishOn }: ReferringTariff,
  references: References,
  path: Path,
): Promise<void> {
  const stored = await documentOfRevision(tx, revisionId);
  if (!stored) return;
  try {
    await checkTariff(tx, stored.tariff, [], references, true);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const [issue] = error.options.issues ?? [];
    if (!issue) throw error;
    const of = `of connection ${carrierConnectionId}`;
    const tariff = publishOn === null ? `tariff ${of}` : `draft ${of} that is scheduled for ${publishOn}`;
    const message = `contradicts the ${tariff}: ${issue.path.join('/')} ${issue.message}`;
    throw invalid([{ path, code: issue.code, message }]);
  }
}
