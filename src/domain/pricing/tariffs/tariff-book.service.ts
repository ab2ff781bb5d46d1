import { ReadThroughCache } from '../../../platform/caches/read-through-cache.ts';
import { SharedCache } from '../../../platform/caches/shared-cache.ts';
import type { Notifications } from '../../../platform/database/connections/notifications.ts';
import type { CompanyId } from '../../../platform/database/tenancy/company-id.ts';
import type { Tenant } from '../../../platform/database/tenancy/tenancy.ts';
import { Fault } from '../../../platform/fault.ts';
import type { Metrics } from '../../../platform/telemetry/metrics.ts';
import { QUOTES_CHANGED } from '../../shipping/carriers/accounts.service.ts';
import { carrierOf } from '../../shipping/carriers/carriers.catalog.ts';
import type { CompiledTariff } from './compile/compiled-tariff.rules.ts';
import { compiledTariffOf } from './compile/large-tariffs.service.ts';
import type { QuotedConnection } from './price.rules.ts';
import { referencesFingerprint } from './references/references.repository.ts';
import { referencesOf } from './references/references.service.ts';
import { documentOfRevision } from './revisions/revisions.repository.ts';
import { revision } from './revisions/revisions.service.ts';
import { quotedConnections } from './tariff.repository.ts';

/** The sources of a compiled tariff: a revision, which never changes, and the references of its carrier. */
interface TariffParts {
  readonly revisionId: number;
  readonly carrierCode: string;
  /** The newest known fingerprint of the carrier's references. */
  fingerprint: string;
}

/** A connection without its compiled tariff. */
interface KnownConnection {
  readonly connection: Omit<QuotedConnection, 'tariff'>;
  /** Null where it has no tariff. */
  readonly parts: TariffParts | null;
}

/** The source of connections and their tariffs. */
export type TariffSource = Pick<TariffBook, 'connections'>;

/** Reads the connections and tariffs of a company without a cache, for a command that needs them once. */
export const uncachedTariffs: TariffSource = {
  async connections(tenant, wanted) {
    const found: QuotedConnection[] = [];
    for (const { id, carrierCode, tariffId, revisionId } of await quotedConnections(tenant)) {
      if (wanted && !wanted.has(id)) continue;
      const compiled = revisionId === null ? undefined : await compiledTariff(tenant, revisionId, carrierCode);
      const carrierName = carrierOf(carrierCode).name;
      found.push({ id, carrierCode, carrierName, tariffId, revisionId, tariff: compiled?.tariff ?? null });
    }
    return found;
  },
};

const MAX_COMPANIES = 10_000;

/** Compiled tariffs of all companies; one tariff takes at most 24 MB (tariff.check.rules.ts). */
const MAX_BYTES = 64_000_000;
const COMPANY_SHARE = 1 / 4;

/**
 * Keeps connections and compiled tariffs in memory. A compiled tariff never changes: an import makes a new revision,
 * and a quote that has begun continues with the tariff that it has.
 */
export class TariffBook {
  readonly #metrics: Metrics;
  readonly #companies: ReadThroughCache<CompanyId, readonly KnownConnection[]>;
  readonly #tariffs = new SharedCache<CompiledTariff>({ maxWeight: MAX_BYTES, ownerShare: COMPANY_SHARE });
  /**
   * Compilations under way, shared by all callers that wait for one tariff. The cache's `fetchMethod` is not used, since it
   * stores a value under the key of the request: the references that are read can be newer than that key says.
   */
  readonly #compilations = new Map<string, Promise<CompiledTariff | undefined>>();

  constructor(notifications: Notifications, metrics: Metrics) {
    this.#metrics = metrics;
    this.#companies = new ReadThroughCache(notifications, QUOTES_CHANGED, MAX_COMPANIES);
    metrics.watchCache('tariffs', this.#companies.counts);
  }

  /**
   * Services that have changed a connection or a tariff call this after the change. The notification alone could arrive
   * after the caller's next request.
   */
  invalidate(companyId: CompanyId): void {
    this.#companies.invalidate(companyId);
  }

  /**
   * The company's active connections, by ascending id.
   *
   * @param wanted ids of the connections to return; all if left out
   */
  async connections(tenant: Tenant, wanted?: ReadonlySet<number>): Promise<readonly QuotedConnection[]> {
    const known = (await this.#companies.get(tenant.companyId, () => this.#readAll(tenant))) ?? [];
    const found: QuotedConnection[] = [];
    for (const { connection, parts } of known) {
      if (wanted && !wanted.has(connection.id)) continue;
      // The tariffs are compiled one after the other, so that a company with many new tariffs compiles one at a time.
      const held = parts ? this.#tariff(tenant, parts) : undefined;
      // Awaiting a known tariff would cost two promises for each connection of a quote.
      const tariff = held instanceof Promise ? await held : held;
      found.push({ ...connection, tariff: tariff ?? null });
    }
    return found;
  }

  async #readAll(tenant: Tenant): Promise<KnownConnection[]> {
    const rows = await quotedConnections(tenant);
    return rows.map(({ id, carrierCode, tariffId, revisionId, fingerprint }) => ({
      connection: { id, carrierCode, carrierName: carrierOf(carrierCode).name, tariffId, revisionId },
      parts: revisionId === null ? null : { revisionId, carrierCode, fingerprint },
    }));
  }

  /** Undefined where the revision is gone. */
  #tariff(tenant: Tenant, parts: TariffParts): CompiledTariff | Promise<CompiledTariff | undefined> {
    const key = keyOf(tenant, parts);
    const known = this.#tariffs.get(key) ?? this.#compilations.get(key);
    if (known) return known;
    const compilation = this.#compile(tenant, parts).finally(() => this.#compilations.delete(key));
    this.#compilations.set(key, compilation);
    return compilation;
  }

  /**
   * Compiles a tariff. The references can be newer than `parts` says, so the tariff is cached under the fingerprint of
   * the references that were read.
   */
  async #compile(tenant: Tenant, parts: TariffParts): Promise<CompiledTariff | undefined> {
    this.#metrics.tariffCompilations.inc();
    const compiled = await compiledTariff(tenant, parts.revisionId, parts.carrierCode);
    if (!compiled) return undefined;
    const { tariff, fingerprint } = compiled;
    parts.fingerprint = fingerprint;
    this.#tariffs.set(keyOf(tenant, parts), tariff, { owner: tenant.companyId, weight: tariff.bytes });
    return tariff;
  }

  /**
   * Connections with revisions or drafts in place of their tariffs; if a connection has several, the last one.
   *
   * @throws Fault `tariff_revision_not_found`
   */
  async withRevisions(
    tenant: Tenant,
    connections: readonly QuotedConnection[],
    revisionIds: readonly number[],
  ): Promise<readonly QuotedConnection[]> {
    const tried = new Map<number, Pick<QuotedConnection, 'tariff' | 'revisionId'>>();
    for (const revisionId of revisionIds) {
      const { carrierConnectionId } = await revision(tenant, revisionId);
      const connection = connections.find(one => one.id === carrierConnectionId);
      if (!connection) continue;
      const { carrierCode } = connection;
      const fingerprint = await referencesFingerprint(tenant, carrierCode);
      const tariff = await this.#tariff(tenant, { revisionId, carrierCode, fingerprint });
      if (!tariff) throw new Fault('tariff_revision_not_found');
      tried.set(connection.id, { tariff, revisionId });
    }
    return connections.map(connection => ({ ...connection, ...tried.get(connection.id) }));
  }
}

/**
 * Compiles the tariff of a revision, and returns it with the fingerprint of its references; undefined where the
 * revision is gone.
 */
async function compiledTariff(tenant: Tenant, revisionId: number, carrierCode: string) {
  const stored = await documentOfRevision(tenant, revisionId);
  if (!stored) return undefined;
  const { references, fingerprint } = await referencesOf(tenant, carrierCode);
  const tariff = await compiledTariffOf(tenant, stored.tariff, references);
  return { tariff, fingerprint };
}

function keyOf({ companyId }: Tenant, { revisionId, fingerprint }: TariffParts): string {
  return `${companyId} ${revisionId} ${fingerprint}`;
}
