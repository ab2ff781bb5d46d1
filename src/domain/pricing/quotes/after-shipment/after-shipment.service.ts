import type { Tenant } from '../../../../platform/database/tenancy/tenancy.ts';
import type { CompiledVersion } from '../../tariffs/compile/compiled-tariff.rules.ts';
import { price } from '../../tariffs/engine/quote.rules.ts';
import { type Exclusion, NO_TARIFF } from '../../tariffs/exclusion.rules.ts';
import type { QuotedConnection } from '../../tariffs/price.rules.ts';
import type { Shipment } from '../../tariffs/shipment-terms.rules.ts';
import type { TariffSource } from '../../tariffs/tariff-book.service.ts';
import { sameIn } from '../price/province.rules.ts';
import type { Notice } from '../price/shipment.rules.ts';
import { type Asked, askedFor, type TermedQuote } from '../quote.service.ts';
import type { ExcludedConnection } from '../quote-item.rules.ts';
import { unknownIds } from '../quote-notices.rules.ts';
import { today } from '../today.service.ts';
import type { ShipmentEventInput } from './after-shipment.input.ts';
import { type EventCharge, type EventCharges, eventCharges, type HappenedEvent } from './after-shipment.rules.ts';

/** The charges of events on a connection, by the price of the shipment there. */
export interface ChargedConnection extends EventCharges {
  readonly connection: QuotedConnection;
}

export interface AfterShipment {
  /** By ascending id. */
  readonly items: readonly ChargedConnection[];
  readonly excluded: readonly ExcludedConnection[];
  readonly notices: readonly Notice[];
}

/**
 * The charges on every active connection for events of a shipment after it was quoted.
 *
 * @throws Fault as `quoteShipment` does
 */
export async function quoteAfterShipment(
  tenant: Tenant,
  tariffs: TariffSource,
  quote: TermedQuote,
  events: readonly ShipmentEventInput[],
): Promise<AfterShipment> {
  const asked = await askedFor(tenant, quote, today());
  const happened = events.map(
    ({ kind, storageDays, waitingMinutes }): HappenedEvent => ({
      on: kind,
      ...(storageDays != null && { storageDays }),
      ...(waitingMinutes != null && { waitingMinutes }),
    }),
  );
  const items: ChargedConnection[] = [];
  const excluded: ExcludedConnection[] = [];
  const connections = await tariffs.connections(tenant, asked.wanted);
  for (const connection of connections) {
    const charged = chargedOn(connection, asked, happened);
    if (charged.ok) items.push({ connection, ...charged });
    else excluded.push({ connection, exclusion: charged });
  }
  return { items, excluded, notices: [...asked.notices, ...unknownIds(asked.wanted, connections)] };
}

/** The charges on one connection, by a version of its tariff. */
interface Charged extends EventCharges {
  readonly ok: true;
  readonly version: CompiledVersion;
}

function chargedOn(
  { tariff }: QuotedConnection,
  { shipment, destinations }: Asked,
  events: readonly HappenedEvent[],
): Charged | Exclusion {
  if (tariff === null) return NO_TARIFF;
  const chargesAt = (at: Shipment): Charged | Exclusion => {
    const found = price(tariff, at);
    return found.ok ? { ok: true, version: found.version, ...eventCharges(found, at, events) } : found;
  };
  return sameIn(destinations, shipment, chargesAt, differingCharge);
}

/** The rule of the first charge that differs, or is taxed differently. */
function differingCharge(one: Charged, other: Charged): EventCharge['rule'] | undefined {
  const longer = one.charges.length < other.charges.length ? other : one;
  const differing = longer.charges.findIndex((_, i) => textOf(one.charges[i]) !== textOf(other.charges[i]));
  return longer.charges[differing]?.rule;
}

const textOf = (charge: EventCharge | undefined) => [charge?.on, charge?.code, charge?.cents, charge?.vatPpm].join('/');
