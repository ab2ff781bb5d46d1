import type { Tenant } from '../../platform/database/tenancy.ts';
import type { TariffSource } from '../tariffs/tariff-book.service.ts';
import type { ShipmentEventInput } from './after-shipment.input.ts';
import { type EventCharges, eventCharges, type HappenedEvent } from './after-shipment.rules.ts';
import { price } from './quote.rules.ts';
import { type Asked, askedFor, NO_TARIFF, type TermedQuote, undecided, unknownIds } from './quote.service.ts';
import type { ExcludedConnection, QuotedConnection } from './quote-item.rules.ts';
import type { Exclusion, Price, Shipment } from './quote-terms.rules.ts';
import type { Notice } from './shipment.rules.ts';
import { today } from './today.service.ts';

export { money, percent } from '../tariffs/units.rules.ts';

/** What events cost on a connection, by the price that the shipment had there. */
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
 * What it costs on every active connection that events happen to a shipment after it was quoted.
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
    if ('charges' in charged) items.push({ connection, ...charged });
    else excluded.push({ connection, exclusion: charged });
  }
  return { items, excluded, notices: [...asked.notices, ...unknownIds(asked.wanted, connections)] };
}

/** The charges on one connection. @throws Fault `validation_failed` where they depend on a province that is not certain */
function chargedOn(
  { tariff }: QuotedConnection,
  asked: Asked,
  events: readonly HappenedEvent[],
): EventCharges | Exclusion {
  if (tariff === null) return NO_TARIFF;
  const chargesAt = (shipment: Shipment) => ofPrice(price(tariff, shipment), shipment, events);
  const first = chargesAt(asked.shipment);
  for (const destination of asked.destinations.slice(1)) {
    const other = chargesAt({ ...asked.shipment, destination });
    if (costOf(other) !== costOf(first)) throw undecided(asked);
  }
  return first;
}

function ofPrice(
  found: Price | Exclusion,
  shipment: Shipment,
  events: readonly HappenedEvent[],
): EventCharges | Exclusion {
  return found.ok ? eventCharges(found, shipment, events) : found;
}

/** A text that is the same where two destinations make no difference. */
function costOf(result: EventCharges | Exclusion): string {
  if (!('charges' in result)) return [result.code, ...result.rule].join('/');
  return [...result.charges.map(({ code, cents }) => `${code} ${cents}`), result.vatCents].join('/');
}
