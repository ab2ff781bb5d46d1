import { LRUCache } from 'lru-cache';
import type { Metrics } from '../../platform/metrics.ts';
import type { Notifications } from '../../platform/notifications.ts';
import type { CompanyId, Tenant } from '../../platform/tenancy.ts';
import { TrustedReads } from '../../platform/trusted-reads.ts';
import { carrierOf } from '../carriers/carriers.catalog.ts';
import { type CompiledTariff, compileTariff } from './compile.rules.ts';
import type { QuotedConnection } from './quote-item.rules.ts';
import { quotedConnections, wholeTariff } from './tariff.repository.ts';

type Connections = readonly QuotedConnection[];

const MAX_COMPANIES = 10_000;
/** Of all compiled tariffs, in units of 100 bytes: 300 MB. One tariff can't have more than a tenth (tariff.check.rules.ts). */
const MAX_SIZE = 3_000_000;
/**
 * Connections and compiled tariffs in memory. A compiled tariff never changes: an import has a new revision, and a quote
 * that has begun goes on with what it has.
 */
export class TariffBook {
  readonly #metrics: Metrics;
  readonly #companies: TrustedReads<CompanyId, Connections>;
  readonly #tariffs = new LRUCache<string, CompiledTariff>({ maxSize: MAX_SIZE, sizeCalculation: ({ size }) => size });
  /** Under way, shared by those who wait for the same. */
  readonly #compilations = new Map<string, Promise<CompiledTariff | undefined>>();

  constructor(notifications: Notifications, metrics: Metrics) {
    this.#metrics = metrics;
    this.#companies = new TrustedReads(notifications, 'quotes_changed', MAX_COMPANIES);
    metrics.watchCache('tariffs', this.#companies.counts);
  }

  /**
   * To be called by what has changed a connection or a tariff, once that is done: the notification comes back only after
   * the caller may have asked again.
   */
  forget(companyId: CompanyId): void {
    this.#companies.forget(companyId);
  }

  /** The company's active connections, by ascending id; each tariff is of one moment. */
  async connections(tenant: Tenant): Promise<Connections> {
    return (await this.#companies.get(tenant.companyId, () => this.#readAll(tenant))) ?? [];
  }

  async #readAll(tenant: Tenant): Promise<Connections> {
    const rows = await quotedConnections(tenant);
    return Promise.all(
      rows.map(async ({ id, carrierCode, tariffId, revision }) => ({
        id,
        carrierCode,
        carrierName: carrierOf(carrierCode).name,
        tariffId,
        tariff: tariffId === null ? null : ((await this.#compiled(tenant, tariffId, revision ?? '')) ?? null),
      })),
    );
  }

  async #compiled(tenant: Tenant, tariffId: number, revision: string): Promise<CompiledTariff | undefined> {
    const key = `${tenant.companyId} ${tariffId} ${revision}`;
    const known = this.#tariffs.get(key) ?? this.#compilations.get(key);
    if (known) return known;
    const compilation = this.#compile(tenant, tariffId).finally(() => this.#compilations.delete(key));
    this.#compilations.set(key, compilation);
    return compilation;
  }

  /** What is read may be newer than what was asked for; it is kept under its own revision. Undefined where it is gone. */
  async #compile(tenant: Tenant, tariffId: number): Promise<CompiledTariff | undefined> {
    this.#metrics.tariffCompilations.inc();
    const stored = await wholeTariff(tenant, tariffId);
    if (!stored) return undefined;
    const compiled = compileTariff(stored.tariff);
    this.#tariffs.set(`${tenant.companyId} ${tariffId} ${stored.revision}`, compiled);
    return compiled;
  }
}
