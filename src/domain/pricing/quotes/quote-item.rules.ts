import type { Arrivals, Lading } from '../../shipping/tracking/promised.rules.ts';
import { compareCost, type VatShare, vatBreakdown, vatByRate } from '../tariffs/engine/quote.rules.ts';
import type { Exclusion } from '../tariffs/exclusion.rules.ts';
import type { ExplainedPrice, Price, QuotedConnection } from '../tariffs/price.rules.ts';
import type { Shipment } from '../tariffs/shipment-terms.rules.ts';
import { euro, kilograms, NOT_CHARGED, percent } from '../tariffs/units.rules.ts';

/** A connection that cannot be quoted, and the reason. */
export interface ExcludedConnection {
  readonly connection: QuotedConnection;
  readonly exclusion: Exclusion;
}

export interface QuotedOption {
  readonly code: string;
  readonly price: number;
  readonly calculated: boolean;
  readonly description: string;
}

const NO_OPTIONS: readonly QuotedOption[] = [];

/** A quoted connection and its price in EUR and kilograms, as the numbers that print the exact decimals. */
export class Quote implements ExplainedPrice {
  readonly connection: QuotedConnection;
  readonly shipment: Shipment;
  readonly price: Price;

  readonly #arrival: (lading: Lading) => ReturnType<Arrivals>;

  constructor(
    connection: QuotedConnection,
    shipment: Shipment,
    price: Price,
    arrival: (lading: Lading) => ReturnType<Arrivals>,
  ) {
    this.connection = connection;
    this.shipment = shipment;
    this.price = price;
    this.#arrival = arrival;
  }

  /** The promise from the company's own deliveries; looked up only if it is selected. */
  get promised(): ReturnType<Arrivals> {
    const { destination, grams } = this.shipment;
    const { countryCode, postalCode } = destination;
    return this.#arrival({
      carrierConnectionId: this.connection.id,
      countryCode,
      postalCode,
      weight: kilograms(grams),
    });
  }

  get carrierConnectionId(): number {
    return this.connection.id;
  }
  get carrierCode(): string {
    return this.connection.carrierCode;
  }
  get carrierName(): string {
    return this.connection.carrierName;
  }
  get chargeableWeight(): number {
    return kilograms(this.price.chargeableGrams);
  }
  get realWeight(): number {
    return kilograms(this.price.realGrams);
  }
  get volumetricWeight(): number {
    return kilograms(this.price.volumetricGrams);
  }
  get basePrice(): number {
    return euro(this.price.components.base);
  }
  get fuelPrice(): number {
    return euro(this.price.components.fuel);
  }
  get surchargesPrice(): number {
    return euro(this.price.components.surcharges);
  }
  get optionsPrice(): number {
    return euro(this.price.components.options);
  }
  get codPrice(): number {
    return euro(this.price.components.cod);
  }
  get insurancePrice(): number {
    return euro(this.price.components.insurance);
  }
  get totalPrice(): number {
    return euro(this.price.totalCents);
  }
  get vatRate(): number {
    return percent(this.price.vatPpm);
  }
  get vatAmount(): number {
    return euro(this.price.vatCents);
  }
  get vatBreakdown(): readonly VatShare[] {
    const { version, amounts, vatPpm } = this.price;
    return vatBreakdown(vatByRate(version, amounts, vatPpm));
  }
  get totalPriceWithVat(): number {
    return euro(this.price.grossCents);
  }
  get currency(): string {
    return 'EUR';
  }
  get estimatedDeliveryDays(): number | null {
    const { zone, version } = this.price;
    return zone.deliveryDays ?? version.service?.deliveryDays ?? this.promised?.days ?? null;
  }

  /** The requested options, by code. */
  get carrierOptionsDetail(): readonly QuotedOption[] {
    if (this.shipment.options.length === 0) return NO_OPTIONS;
    const { version, amounts } = this.price;
    const options: QuotedOption[] = [];
    for (const [code, position] of version.optionPositions) {
      const amount = amounts[position] ?? NOT_CHARGED;
      const line = version.lines[position];
      if (amount === NOT_CHARGED || line === undefined) continue;
      options.push({ code, price: euro(amount), calculated: line.calculated, description: line.description });
    }
    return options;
  }

  /** Cheapest first; then by net price and id, so that equal inputs give an equal order. */
  static compare(this: void, a: Quote, b: Quote): number {
    return compareCost(a.price, b.price) || a.connection.id - b.connection.id;
  }
}
