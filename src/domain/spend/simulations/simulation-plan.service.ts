import type { Tenant } from '../../../platform/database/tenancy/tenancy.ts';
import { Fault, invalid } from '../../../platform/fault.ts';
import { checkTariff } from '../../pricing/tariffs/compile/large-tariffs.service.ts';
import { missingReferences, type References } from '../../pricing/tariffs/references/references.rules.ts';
import { referencesOf } from '../../pricing/tariffs/references/references.service.ts';
import { revision, revisionDocument, revisionInForce } from '../../pricing/tariffs/revisions/revisions.service.ts';
import { carrierConnection } from '../../shipping/carriers/carriers.service.ts';
import { MAX_TARIFFS, type SimulateTariffsInput } from './simulation.input.ts';
import { connectionsWithTariffs, type TariffedConnection } from './simulation.repository.ts';
import { type PinnedTariff, pinned, type SimulationPlan } from './simulation.rules.ts';

type SimulatedTariff = NonNullable<SimulateTariffsInput['tariffs']>[number];
type Place = readonly (string | number)[];

/**
 * The plan of a simulation, with the current tariffs.
 *
 * @throws Fault `validation_failed` for a tariff that does not exist or cannot be read
 */
export async function planSimulation(tenant: Tenant, input: SimulateTariffsInput): Promise<SimulationPlan> {
  return new Planning(tenant).plan(input);
}

class Planning {
  readonly #tenant: Tenant;
  readonly #references = new Map<string, References>();

  constructor(tenant: Tenant) {
    this.#tenant = tenant;
  }

  async plan(input: SimulateTariffsInput): Promise<SimulationPlan> {
    const connections = await connectionsWithTariffs(this.#tenant);
    const booked: PinnedTariff[] = [];
    for (const connection of connections) booked.push(...(await this.#inForce(connection)));
    const sent = input.tariffs ?? [];
    const tariffs: PinnedTariff[] = [];
    for (const [i, one] of sent.entries()) tariffs.push(await this.#pin(one, booked, ['tariffs', i]));
    tariffs.push(...compared(input, booked, connections));
    if (tariffs.length === 0) {
      const message = 'names no tariff: no active connection of these carriers has one';
      throw invalid([{ path: ['tariffs'], code: 'empty', message }]);
    }
    if (tariffs.length > MAX_TARIFFS) {
      const message = `must be at most ${MAX_TARIFFS} together with the tariffs of the carriers, but are ${tariffs.length}`;
      throw invalid([{ path: ['tariffs'], code: 'too_many', message }]);
    }
    const { period, filter, codPayment, monthlyShipments, recipientType } = input;
    for (const { carrierCode } of [...tariffs, ...booked]) await this.#referencesOf(carrierCode);
    const references = [...this.#references].map(([code, one]) => [code, pinned(one)] as const);
    return {
      period,
      filter,
      terms: { codPayment, monthlyShipments, recipientType },
      tariffs,
      booked,
      references: Object.fromEntries(references),
    };
  }

  async #inForce({ id, carrierCode }: TariffedConnection): Promise<PinnedTariff[]> {
    const found = await revisionInForce(this.#tenant, id);
    if (!found) return [];
    const known = { carrierCompanyId: id, carrierCode, name: found.name, revisionId: found.id };
    return [{ ...known, document: null, pricedOn: null, service: null, isInForce: true }];
  }

  async #pin(one: SimulatedTariff, booked: readonly PinnedTariff[], path: Place): Promise<PinnedTariff> {
    const [pricedOn, service] = [one.pricingDate ?? null, one.service ?? null];
    const { tariffRevisionId, carrierConnectionId, document: sent } = one.tariff;
    const place = [...path, 'tariff'];
    if (tariffRevisionId != null) return { ...(await this.#revision(tariffRevisionId, place)), pricedOn, service };
    if (carrierConnectionId != null) {
      const inForce = booked.find(({ carrierCompanyId }) => carrierCompanyId === carrierConnectionId);
      if (inForce) return { ...inForce, pricedOn, service };
      const at = [...place, 'carrierConnectionId'];
      await this.#carrierOf(carrierConnectionId, at);
      throw invalid([{ path: at, code: 'not_allowed', message: 'names a connection without a tariff' }]);
    }
    const { carrierConnectionId: id, tariff } = sent as NonNullable<typeof sent>;
    const within = [...place, 'document'];
    const carrierCode = await this.#carrierOf(id, [...within, 'carrierConnectionId']);
    const references = await this.#referencesOf(carrierCode);
    const document = await checkTariff(this.#tenant, tariff, [...within, 'tariff'], references);
    const known = { carrierCompanyId: id, carrierCode, name: document.name };
    return { ...known, revisionId: null, document, pricedOn, service, isInForce: false };
  }

  /** A draft may change, so its whole document is stored. */
  async #revision(id: number, path: Place): Promise<PinnedTariff> {
    const at = [...path, 'tariffRevisionId'];
    try {
      const { carrierConnectionId, name, number, isInForce } = await revision(this.#tenant, id);
      const carrierCode = await this.#carrierOf(carrierConnectionId, at);
      const isPublished = number !== null;
      const document = isInForce ? null : (await revisionDocument(this.#tenant, id)).tariff;
      if (document) await this.#requireReferences(document, carrierCode, at);
      return {
        carrierCompanyId: carrierConnectionId,
        carrierCode,
        name,
        revisionId: id,
        document: isPublished ? null : document,
        pricedOn: null,
        service: null,
        isInForce,
      };
    } catch (thrown) {
      if (!(thrown instanceof Fault && thrown.code === 'tariff_revision_not_found')) throw thrown;
      const message = 'must be the number of a revision or a draft of a tariff of the company';
      throw invalid([{ path: at, code: 'invalid_id', message }]);
    }
  }

  /** Drafts and earlier revisions can name a list or an index that was deleted since, and would be priced without it. */
  async #requireReferences(tariff: object, carrierCode: string, path: Place): Promise<void> {
    const [missing] = missingReferences(tariff, await this.#referencesOf(carrierCode));
    if (!missing) return;
    const { kind, name } = missing;
    const message = `names a tariff with the ${kind} "${name}", which ${carrierCode} does not have`;
    throw invalid([{ path, code: `unknown_${kind}`, message }]);
  }

  async #carrierOf(carrierConnectionId: number, path: Place): Promise<string> {
    try {
      return (await carrierConnection(this.#tenant, carrierConnectionId)).carrierCode;
    } catch (thrown) {
      if (!(thrown instanceof Fault && thrown.code === 'carrier_connection_not_found')) throw thrown;
      const message = 'must be the id of a carrier connection of the company';
      throw invalid([{ path, code: 'carrier_connection_not_found', message }]);
    }
  }

  async #referencesOf(carrierCode: string): Promise<References> {
    const known = this.#references.get(carrierCode);
    if (known) return known;
    const { references } = await referencesOf(this.#tenant, carrierCode);
    this.#references.set(carrierCode, references);
    return references;
  }
}

/** Tariffs in force that are compared beside the tariffs in the input. */
function compared(
  { tariffs, carriers }: SimulateTariffsInput,
  booked: readonly PinnedTariff[],
  connections: readonly TariffedConnection[],
): PinnedTariff[] {
  if (carriers == null && tariffs != null && tariffs.length > 0) return [];
  const active = new Set(connections.filter(({ isActive }) => isActive).map(({ id }) => id));
  return booked.filter(
    ({ carrierCompanyId, carrierCode }) =>
      active.has(carrierCompanyId) && (carriers == null || (carriers as readonly string[]).includes(carrierCode)),
  );
}
