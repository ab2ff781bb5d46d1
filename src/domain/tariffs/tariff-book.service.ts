import { ReadThroughCache } from '../../platform/caches/read-through-cache.ts';
import { SharedCache } from '../../platform/caches/shared-cache.ts';
import type { Notifications } from '../../platform/database/connections/notifications.ts';
import type { CompanyId } from '../../platform/database/tenancy/company-id.ts';
import type { Tenant } from '../../platform/database/tenancy/tenancy.ts';
import type { Metrics } from '../../platform/telemetry/metrics.ts';
import { QUOTES_CHANGED } from '../carriers/accounts.service.ts';
import { carrierOf } from '../carriers/carriers.catalog.ts';
import type { QuotedConnection, TariffContent } from '../quotes/quote-item.rules.ts';
import type { CompiledTariff } from './compiled-tariff.rules.ts';
import { compiledTariffOf } from './large-tariffs.service.ts';
import { NO_REFERENCES } from './references.rules.ts';
import { referencesOf } from './references.service.ts';
import { revision, revisionDocument } from './revisions/revisions.service.ts';
import { isFirst } from './second.rules.ts';
import { quotedConnections, wholeTariff } from './tariff.repository.ts';

/** A connection, and where its compiled tariff is kept. */
interface KnownConnection {
  readonly connection: Omit<QuotedConnection, 'tariff' | 'content'>;
  /** Has the revisions, so that it is never that of another content. */
  tariffKey: string;
}

/** A compiled tariff, and which it is. */
interface KeptTariff {
  readonly tariff: CompiledTariff;
  readonly content: TariffContent;
}

/** Where connections come from with their tariffs. */
export type TariffSource = Pick<TariffBook, 'connections'>;

/** Those of a company as they are, for a command that asks once. */
export const uncachedTariffs: TariffSource = {
  async connections(tenant, wanted) {
    const found: QuotedConnection[] = [];
    for (const { id, carrierCode, tariffId } of await quotedConnections(tenant)) {
      if (wanted && !wanted.has(id)) continue;
      const compiled = tariffId === null ? undefined : await compiledTariff(tenant, tariffId, carrierCode);
      const carrierName = carrierOf(carrierCode).name;
      found.push({
        id,
        carrierCode,
        carrierName,
        tariffId,
        tariff: compiled?.tariff ?? null,
        content: compiled ? { revision: compiled.revision } : null,
      });
    }
    return found;
  },
};

const MAX_COMPANIES = 10_000;

/** Compiled tariffs of all companies; one tariff takes at most 24 MB (tariff.check.rules.ts). */
const MAX_BYTES = 64_000_000;
const COMPANY_SHARE = 1 / 4;

/**
 * Connections and compiled tariffs in memory. A compiled tariff never changes: an import has a new revision, and a quote
 * that has begun goes on with what it has.
 */
export class TariffBook {
  readonly #metrics: Metrics;
  readonly #companies: ReadThroughCache<CompanyId, readonly KnownConnection[]>;
  readonly #tariffs = new SharedCache<KeptTariff>({ maxWeight: MAX_BYTES, ownerShare: COMPANY_SHARE });
  /**
   * Under way, shared by those who wait for the same. Not by `fetchMethod`, which keeps what it finds by the key that was
   * asked for: a tariff's revision, and with it its key, is known only once it is read.
   */
  readonly #compilations = new Map<string, Promise<KeptTariff | undefined>>();

  constructor(notifications: Notifications, metrics: Metrics) {
    this.#metrics = metrics;
    this.#companies = new ReadThroughCache(notifications, QUOTES_CHANGED, MAX_COMPANIES);
    metrics.watchCache('tariffs', this.#companies.counts);
  }

  /**
   * To be called by services that have changed a connection or a tariff, once that is done: the notification comes back
   * only after the caller may have asked again.
   */
  invalidate(companyId: CompanyId): void {
    this.#companies.invalidate(companyId);
  }

  /**
   * The company's active connections, by ascending id; each tariff is of one moment.
   *
   * @param wanted ids of the only ones that are asked for
   */
  async connections(tenant: Tenant, wanted?: ReadonlySet<number>): Promise<readonly QuotedConnection[]> {
    const known = (await this.#companies.get(tenant.companyId, () => this.#readAll(tenant))) ?? [];
    const found: QuotedConnection[] = [];
    for (const one of known) {
      const { connection } = one;
      if (wanted && !wanted.has(connection.id)) continue;
      // One after the other: a company with many tariffs that are new compiles one at a time.
      const kept =
        connection.tariffId === null
          ? undefined
          : (this.#tariffs.get(one.tariffKey) ?? (await this.#compiled(tenant, connection.tariffId, one)));
      found.push({ ...connection, tariff: kept?.tariff ?? null, content: kept?.content ?? null });
    }
    return found;
  }

  async #readAll(tenant: Tenant): Promise<KnownConnection[]> {
    const rows = await quotedConnections(tenant);
    return rows.map(({ id, carrierCode, tariffId, revision, referencesRevision }) => ({
      connection: { id, carrierCode, carrierName: carrierOf(carrierCode).name, tariffId },
      tariffKey: keyOf(tenant, tariffId, revision, referencesRevision),
    }));
  }

  #compiled(tenant: Tenant, tariffId: number, known: KnownConnection): Promise<KeptTariff | undefined> {
    const key = known.tariffKey;
    const underWay = this.#compilations.get(key);
    if (underWay) return underWay;
    const compilation = this.#compile(tenant, tariffId, known).finally(() => this.#compilations.delete(key));
    this.#compilations.set(key, compilation);
    return compilation;
  }

  /** What is read may be newer than what was asked for; it is kept under its own revision. Undefined where it is gone. */
  async #compile(tenant: Tenant, tariffId: number, known: KnownConnection): Promise<KeptTariff | undefined> {
    this.#metrics.tariffCompilations.inc();
    const compiled = await compiledTariff(tenant, tariffId, known.connection.carrierCode);
    if (!compiled) return undefined;
    const { tariff, revision, referencesRevision } = compiled;
    known.tariffKey = keyOf(tenant, tariffId, revision, referencesRevision);
    return this.#keep(tenant, known.tariffKey, { tariff, content: { revision } });
  }

  /**
   * Connections with revisions or drafts in the place of the tariffs that they have; of several of one connection the last.
   *
   * @throws Fault `tariff_revision_not_found`
   */
  async withRevisions(
    tenant: Tenant,
    connections: readonly QuotedConnection[],
    revisionIds: readonly number[],
  ): Promise<readonly QuotedConnection[]> {
    const tried = new Map<number, KeptTariff>();
    for (const id of revisionIds) {
      const { carrierCompanyId } = await revision(tenant, id);
      const connection = connections.find(one => one.id === carrierCompanyId);
      if (connection) tried.set(connection.id, await this.#ofRevision(tenant, connection.carrierCode, id));
    }
    return connections.map(connection => ({ ...connection, ...tried.get(connection.id) }));
  }

  /** A revision never changes, so that only what the carrier has makes it another tariff. */
  async #ofRevision(tenant: Tenant, carrierCode: string, revisionId: number): Promise<KeptTariff> {
    const { references, revision: ofReferences } = await referencesOf(tenant, carrierCode);
    const key = `${tenant.companyId} revision ${revisionId} ${ofReferences}`;
    const known = this.#tariffs.get(key);
    if (known) return known;
    this.#metrics.tariffCompilations.inc();
    const { tariff } = await revisionDocument(tenant, revisionId);
    const compiled = await compiledTariffOf(tenant, tariff, references);
    return this.#keep(tenant, key, { tariff: compiled, content: { revisionId } });
  }

  #keep(tenant: Tenant, key: string, kept: KeptTariff): KeptTariff {
    this.#tariffs.set(key, kept, { owner: tenant.companyId, weight: kept.tariff.bytes });
    return kept;
  }
}

/** A tariff with what it refers to, and the revisions that both are; undefined where it is gone. */
async function compiledTariff(tenant: Tenant, tariffId: number, carrierCode: string) {
  const stored = await wholeTariff(tenant, tariffId);
  if (!stored) return undefined;
  const { references, revision: referencesRevision } = isFirst(stored.tariff)
    ? { references: NO_REFERENCES, revision: null }
    : await referencesOf(tenant, carrierCode);
  const tariff = await compiledTariffOf(tenant, stored.tariff, references);
  return { tariff, revision: stored.revision, referencesRevision };
}

function keyOf(
  { companyId }: Tenant,
  tariffId: number | null,
  revision: string | null,
  referencesRevision: string | null,
): string {
  return `${companyId} ${tariffId} ${revision} ${referencesRevision}`;
}
