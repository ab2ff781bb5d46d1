import { amountOf, chargeCalculation } from '../../tariffs/charges/charge.rules.ts';
import type { CompiledEvent } from '../../tariffs/compile/compiled-tariff.rules.ts';
import type { ShipmentEvent } from '../../tariffs/conditions/condition.format.rules.ts';
import { holds } from '../../tariffs/conditions/condition.rules.ts';
import { situationOf } from '../../tariffs/engine/explanation.rules.ts';
import { addNet, type RateNet, type VatOfRate, vatOn } from '../../tariffs/engine/quote.rules.ts';
import type { Words } from '../../tariffs/explanation-words.rules.ts';
import type { Price } from '../../tariffs/price.rules.ts';
import type { Shipment } from '../../tariffs/shipment-terms.rules.ts';

/** Charges after the quote: storage, redelivery, return, a changed address, waiting. */

export type { ShipmentEvent };

/** An event of a shipment, and its duration. */
export interface HappenedEvent {
  readonly on: ShipmentEvent;
  readonly storageDays?: number;
  readonly waitingMinutes?: number;
}

/** The charge of one event, in cents before VAT. */
export interface EventCharge {
  readonly on: ShipmentEvent;
  readonly code: string;
  readonly description: string;
  readonly cents: number;
  /** How it was calculated. */
  readonly calculation: (words: Words) => string;
  readonly vatPpm: number;
  /** Path of the rule in the tariff. */
  readonly rule: readonly (string | number)[];
}

/**
 * The charge of an event, by the tariff that priced the shipment: the first line for the event whose condition holds.
 * Undefined if the tariff has none, so that nothing is due.
 */
export function eventCharge(price: Price, shipment: Shipment, event: HappenedEvent): EventCharge | undefined {
  const { storageDays = 0, waitingMinutes = 0 } = event;
  const situation = situationOf(price, { ...shipment, storageDays, waitingMinutes });
  const { version } = price;
  const isCharged = ({ on, condition }: CompiledEvent) => on === event.on && holds(condition, situation);
  const line = version.events.find(isCharged);
  if (line === undefined) return undefined;
  return {
    on: event.on,
    code: line.code,
    description: line.description,
    cents: amountOf(line.charge, price.amounts, situation),
    calculation: words => chargeCalculation(line.charge, { ...price, words }, situation),
    vatPpm: line.vat?.ppm ?? price.vatPpm,
    rule: ['versions', version.index, ...line.path],
  };
}

export interface EventCharges {
  readonly charges: readonly EventCharge[];
  readonly netCents: number;
  readonly vatCents: number;
  readonly vatOfRates: readonly VatOfRate[];
}

/** The charges of events, in their order, and the VAT on them: rounded once for each rate, as in a quote. */
export function eventCharges(price: Price, shipment: Shipment, events: readonly HappenedEvent[]): EventCharges {
  const charges = events.flatMap(event => eventCharge(price, shipment, event) ?? []);
  const nets: RateNet[] = [];
  for (const { vatPpm, cents } of charges) addNet(nets, vatPpm, cents);
  const vatOfRates = vatOn(nets);
  return {
    charges,
    netCents: charges.reduce((sum, { cents }) => sum + cents, 0),
    vatCents: vatOfRates.reduce((sum, { vat }) => sum + vat, 0),
    vatOfRates,
  };
}
