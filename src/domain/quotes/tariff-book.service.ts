import { LRUCache } from 'lru-cache';
import type { Metrics } from '../../platform/metrics.ts';
import type { Notifications } from '../../platform/notifications.ts';
import type { CompanyId, Tenant } from '../../platform/tenancy.ts';
import { carrierOf } from '../carriers/carriers.catalog.ts';
import { type CompiledTariff, compileTariff } from './compile.rules.ts';
import type { QuotedConnection } from './quote-item.rules.ts';
import { quotedConnections, wholeTariff } from './tariff.repository.ts';

type Connections = readonly QuotedConnection[];

const MAX_COMPANIES = 10_000;
/** Of all compiled tariffs, in units of 100 bytes: 300 MB. One tariff can't have more than a tenth (tariff.check.rules.ts). */
const MAX_SIZE = 3_000_000;
/**
 * How long a company's connections are believed without asking again. Notifications void them at once; this is for one
 * that never came, and keeps within the second in which a change must be seen.
 */
const TRUST_MS = 900;

/**
 * Connections and compiled tariffs in memory. A compiled tariff never changes: an import has a new revision, and a quote
 * that has begun goes on with what it has.
 */
export class TariffBook {
  readonly #metrics: Metrics;
  readonly #companies = new LRUCache<CompanyId, Connections>({ max: MAX_COMPANIES, ttl: TRUST_MS });
  readonly #tariffs = new LRUCache<string, CompiledTariff>({ maxSize: MAX_SIZE, sizeCalculation: ({ size }) => size });
  /** Under way, shared by the requests that wait for the same. */
  readonly #readings = new Map<CompanyId, Promise<Connections>>();
  readonly #compilations = new Map<string, Promise<CompiledTariff | undefined>>();

  constructor(notifications: Notifications, metrics: Metrics) {
    this.#metrics = metrics;
    notifications.on('quotes_changed', companyId => this.forget(companyId as CompanyId));
    notifications.onGap(() => {
      this.#companies.clear();
      this.#readings.clear();
    });
  }

  /**
   * To be called by what has changed a connection or a tariff, once that is done: the notification comes back only after
   * the caller may have asked again.
   */
  forget(companyId: CompanyId): void {
    this.#companies.delete(companyId);
    this.#readings.delete(companyId);
  }

  /** The company's active connections, by ascending id; each tariff is of one moment. */
  connections(tenant: Tenant): Connections | Promise<Connections> {
    const { companyId } = tenant;
    return this.#companies.get(companyId) ?? this.#readings.get(companyId) ?? this.#read(tenant);
  }

  /** What changed while it was read is not remembered. */
  #read(tenant: Tenant): Promise<Connections> {
    const { companyId } = tenant;
    const start = performance.now();
    const reading: Promise<Connections> = this.#readAll(tenant)
      .then(connections => {
        if (this.#readings.get(companyId) === reading) this.#companies.set(companyId, connections, { start });
        return connections;
      })
      .finally(() => {
        if (this.#readings.get(companyId) === reading) this.#readings.delete(companyId);
      });
    this.#readings.set(companyId, reading);
    return reading;
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
