import type { Tenant } from '../../../../platform/database/tenancy/tenancy.ts';
import { changesOfTariff } from '../compile/large-tariffs.service.ts';
import type { Tariff } from '../format/tariff.format.rules.ts';
import { checkedTariff } from './replace-tariff.service.ts';
import { type RevisionRow, revisionInForce } from './revisions.repository.ts';
import { revision, revisionDocument } from './revisions.service.ts';
import type { TariffChange } from './tariff-changes.rules.ts';

interface UnkeptTariff {
  readonly carrierConnectionId: number;
  readonly tariff: Tariff;
}

/** Two tariffs, one of which replaces the other. Their documents are read on demand. */
export class TariffDiff {
  readonly tenant: Tenant;
  /** Undefined where there is no tariff yet. */
  readonly from: RevisionRow | undefined;
  /** Undefined for a tariff that is not kept. */
  readonly to: RevisionRow | undefined;
  /** The carrier connection of the second tariff. */
  readonly carrierConnectionId: number;
  readonly #after: () => Promise<Tariff>;
  #documents: Promise<{ before: Tariff | undefined; after: Tariff }> | undefined;
  #changes: Promise<readonly TariffChange[]> | undefined;

  /** @param to a revision, or a tariff that is not kept, for a connection */
  constructor(tenant: Tenant, from: RevisionRow | undefined, to: RevisionRow | UnkeptTariff) {
    this.tenant = tenant;
    this.from = from;
    this.to = 'tariff' in to ? undefined : to;
    this.carrierConnectionId = to.carrierConnectionId;
    this.#after = async () => ('tariff' in to ? to.tariff : this.#read(to));
  }

  documents(): Promise<{ readonly before: Tariff | undefined; readonly after: Tariff }> {
    this.#documents ??= this.#readBoth();
    return this.#documents;
  }

  /** None where there was no tariff. */
  changes(): Promise<readonly TariffChange[]> {
    this.#changes ??= this.#compare();
    return this.#changes;
  }

  async #readBoth() {
    return { before: this.from && (await this.#read(this.from)), after: await this.#after() };
  }

  async #read({ id }: RevisionRow): Promise<Tariff> {
    return (await revisionDocument(this.tenant, id)).tariff;
  }

  async #compare(): Promise<readonly TariffChange[]> {
    const { before, after } = await this.documents();
    return before ? changesOfTariff(this.tenant, before, after) : [];
  }
}

/**
 * Compares one revision or draft with another.
 *
 * @param fromId by default the revision in force on the connection of the other
 * @throws Fault `tariff_revision_not_found`
 */
export async function diffOfRevisions(tenant: Tenant, fromId: number | undefined, toId: number): Promise<TariffDiff> {
  const to = await revision(tenant, toId);
  const from =
    fromId === undefined ? await revisionInForce(tenant, to.carrierConnectionId) : await revision(tenant, fromId);
  return new TariffDiff(tenant, from, to);
}

/**
 * Compares a tariff that is not imported with the one in force.
 *
 * @throws Fault `validation_failed`, `carrier_connection_not_found`
 */
export async function diffOfDocument(
  tenant: Tenant,
  carrierConnectionId: number,
  value: unknown,
  path: readonly (string | number)[] = [],
): Promise<TariffDiff> {
  return diffOfTariff(tenant, carrierConnectionId, await checkedTariff(tenant, carrierConnectionId, value, path));
}

/** Compares a tariff that was checked, and is not imported, with the one in force. */
export async function diffOfTariff(tenant: Tenant, carrierConnectionId: number, tariff: Tariff): Promise<TariffDiff> {
  return new TariffDiff(tenant, await revisionInForce(tenant, carrierConnectionId), {
    carrierConnectionId,
    tariff,
  });
}

/** Compares the tariff that an import has put in place with the one that it replaced. */
export async function diffOfImport(
  tenant: Tenant,
  { revisionId, replacedRevisionId }: { readonly revisionId: number; readonly replacedRevisionId: number | undefined },
): Promise<TariffDiff> {
  const fresh = tenant.fresh();
  const [to, from] = await Promise.all([
    revision(fresh, revisionId),
    replacedRevisionId === undefined ? undefined : revision(fresh, replacedRevisionId),
  ]);
  return new TariffDiff(fresh, from, to);
}
