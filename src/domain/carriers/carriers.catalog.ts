/** What a carrier can do on the platform; a connection can narrow it, never widen it. */
export type Capability = 'quote' | 'tracking' | 'address_check' | 'cod' | 'insurance';

/** How a carrier checks an address; `none` answers every check with "unsupported". */
export type VerificationType = 'street_registry' | 'routing' | 'postal_validation' | 'transit_time' | 'none';

/** Where a carrier's address check applies. */
export type CountryScope = 'domestic_it' | 'international' | 'any';

/** The key of a carrier's table in `tracking/status.rules.ts`. */
export type StatusTable = 'brt' | 'gls' | 'dhl' | 'ups' | 'fedex' | 'inpost';

/** Parts of an account, as its owner finds them in the carrier's contract or portal. */
export type CredentialName =
  | 'userId'
  | 'username'
  | 'password'
  | 'depot'
  | 'clientCode'
  | 'contractCode'
  | 'clientId'
  | 'clientSecret';

interface CarrierRow {
  /** Upper-case, stable: stored with every connection and shown to integrators. */
  readonly code: string;
  /** The commercial name. */
  readonly name: string;
  /** Colours (`#rrggbb`) of the badge drawn in place of a logo, readable on each other (WCAG AA, 4.5 : 1). */
  readonly colour: { readonly background: string; readonly foreground: string };
  readonly capabilities: readonly Capability[];
  readonly verificationType: VerificationType;
  readonly countryScope: CountryScope;
  /** What an account at the carrier is made of; none where no interface of it is described (`schema/carriers/`). */
  readonly credentials: readonly CredentialName[];
  /** `null`: no table of this carrier's statuses is known, so every event of it is `unknown`. */
  readonly statusTable: StatusTable | null;
}

/**
 * The carriers the platform knows, one row each.
 *
 * - `quote` is everyone's: prices come from the merchant's own tariff, not from the carrier.
 * - `tracking` goes with a status table; without one every event would read "Stato sconosciuto". Where no interface is
 *   described, as of InPost, events come from elsewhere alone, and no connection has it.
 * - `address_check` only where an interface is described (`schema/carriers/`).
 * - `cod` and `insurance` are what the carrier commonly sells in Italy; the tariff says at what price.
 * - The colours are our own: a badge tells carriers apart without shipping anyone's trademark.
 */
export const CARRIERS = [
  {
    code: 'BRT',
    name: 'BRT',
    colour: { background: '#8a1c2b', foreground: '#ffffff' },
    capabilities: ['quote', 'tracking', 'address_check', 'cod', 'insurance'],
    verificationType: 'routing',
    countryScope: 'domestic_it',
    credentials: ['userId', 'password'],
    statusTable: 'brt',
  },
  {
    code: 'GLS',
    name: 'GLS Italy',
    colour: { background: '#1f3a68', foreground: '#ffffff' },
    capabilities: ['quote', 'tracking', 'address_check', 'cod', 'insurance'],
    verificationType: 'street_registry',
    countryScope: 'domestic_it',
    credentials: ['depot', 'clientCode', 'contractCode', 'password'],
    statusTable: 'gls',
  },
  {
    code: 'DHL',
    name: 'DHL Express',
    colour: { background: '#f2d16b', foreground: '#4a2a00' },
    capabilities: ['quote', 'tracking', 'address_check', 'insurance'],
    verificationType: 'postal_validation',
    countryScope: 'international',
    credentials: ['username', 'password'],
    statusTable: 'dhl',
  },
  {
    code: 'UPS',
    name: 'UPS',
    colour: { background: '#4b3621', foreground: '#ffffff' },
    capabilities: ['quote', 'tracking', 'address_check', 'cod', 'insurance'],
    verificationType: 'transit_time',
    countryScope: 'international',
    credentials: ['clientId', 'clientSecret'],
    statusTable: 'ups',
  },
  {
    code: 'FEDEX',
    name: 'FedEx',
    colour: { background: '#4a2f7a', foreground: '#ffffff' },
    capabilities: ['quote', 'tracking', 'address_check', 'insurance'],
    verificationType: 'postal_validation',
    countryScope: 'international',
    credentials: ['clientId', 'clientSecret'],
    statusTable: 'fedex',
  },
  {
    code: 'POSTE',
    name: 'Poste Italiane',
    colour: { background: '#f5e6a8', foreground: '#1c3f7c' },
    capabilities: ['quote', 'cod', 'insurance'],
    verificationType: 'none',
    countryScope: 'any',
    credentials: [],
    statusTable: null,
  },
  {
    code: 'SDA',
    name: 'SDA',
    colour: { background: '#20566b', foreground: '#ffffff' },
    capabilities: ['quote', 'cod', 'insurance'],
    verificationType: 'none',
    countryScope: 'any',
    credentials: [],
    statusTable: null,
  },
  {
    code: 'INPOST',
    name: 'InPost',
    colour: { background: '#3a3a3a', foreground: '#f7d774' },
    capabilities: ['quote', 'tracking', 'insurance'],
    verificationType: 'none',
    countryScope: 'any',
    credentials: [],
    statusTable: 'inpost',
  },
  // Part of FedEx today; kept because merchants' contracts and older orders still carry its name.
  {
    code: 'TNT',
    name: 'TNT',
    colour: { background: '#8a4b00', foreground: '#ffffff' },
    capabilities: ['quote', 'cod', 'insurance'],
    verificationType: 'none',
    countryScope: 'any',
    credentials: [],
    statusTable: null,
  },
  {
    code: 'AMAZON',
    name: 'Amazon Shipping',
    colour: { background: '#22495e', foreground: '#ffe0b0' },
    capabilities: ['quote'],
    verificationType: 'none',
    countryScope: 'any',
    credentials: [],
    statusTable: null,
  },
  {
    code: 'FERCAM',
    name: 'FERCAM',
    colour: { background: '#7a2e5d', foreground: '#ffffff' },
    capabilities: ['quote', 'cod', 'insurance'],
    verificationType: 'none',
    countryScope: 'any',
    credentials: [],
    statusTable: null,
  },
  {
    code: 'PALLETWAYS',
    name: 'Palletways',
    colour: { background: '#2f5d3a', foreground: '#ffffff' },
    capabilities: ['quote', 'insurance'],
    verificationType: 'none',
    countryScope: 'any',
    credentials: [],
    statusTable: null,
  },
] as const satisfies readonly CarrierRow[];

export type CarrierCode = (typeof CARRIERS)[number]['code'];

/** A carrier of the catalogue. */
export interface Carrier extends CarrierRow {
  readonly code: CarrierCode;
}

/** Every carrier's code, in the catalogue's order. */
export const CARRIER_CODES: readonly CarrierCode[] = CARRIERS.map(carrier => carrier.code);

const byCode = new Map<string, Carrier>(CARRIERS.map(carrier => [carrier.code, carrier]));

/** The carrier of that code, in whatever case and with spaces around; `undefined` for a code we do not know. */
export function carrierByCode(code: string): Carrier | undefined {
  return byCode.get(code.trim().toUpperCase());
}

/** The carrier of a stored connection, whose code was checked when it was connected. */
export function carrierOf(code: string): Carrier {
  const known = carrierByCode(code);
  if (!known) throw new Error(`The database has a carrier ${code} that the catalogue lacks`);
  return known;
}
