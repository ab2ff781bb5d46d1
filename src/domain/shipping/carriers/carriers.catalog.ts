/** A capability of a carrier on the platform; a connection can narrow it, never widen it. */
export type Capability = 'quote' | 'tracking' | 'address_check' | 'cod' | 'insurance';

/** How a carrier checks an address; `none` answers every check with "unsupported". */
export type VerificationType = 'street_registry' | 'routing' | 'postal_validation' | 'transit_time' | 'none';

/** The parts of an address that a carrier's check compares. */
export type ComparedPart = 'zip' | 'city' | 'province' | 'street';

/** Where a carrier's address check applies. */
export type CountryScope = 'domestic_it' | 'international' | 'any';

/** A table of a carrier's codes, `schema/carriers/{table}.codes.json`. */
export type StatusTable = 'brt' | 'gls' | 'dhl' | 'ups' | 'fedex' | 'poste' | 'inpost' | 'amazon';

/** Parts of an account, as its owner finds them in the carrier's contract or portal. */
export type CredentialName =
  | 'userId'
  | 'username'
  | 'password'
  | 'depot'
  | 'clientCode'
  | 'contractCode'
  | 'clientId'
  | 'clientSecret'
  | 'trackClientId'
  | 'trackClientSecret'
  | 'scope'
  | 'tokenPrefix'
  | 'refreshToken'
  | 'region';

/** The questions to carriers, by the capability that needs them. */
export const QUESTIONS = ['tracking', 'address_check'] as const satisfies readonly Capability[];
export type Question = (typeof QUESTIONS)[number];

interface CarrierRow {
  /** Upper-case, stable: stored with every connection and shown to integrators. */
  readonly code: string;
  /** The commercial name. */
  readonly name: string;
  /** Colours (`#rrggbb`) of the badge drawn in place of a logo, readable on each other (WCAG AA, 4.5 : 1). */
  readonly colour: { readonly background: string; readonly foreground: string };
  readonly capabilities: readonly Capability[];
  readonly verificationType: VerificationType;
  /** Empty without a check. */
  readonly compares: readonly ComparedPart[];
  readonly countryScope: CountryScope;
  /**
   * The credentials that each question needs: an empty list if the carrier answers it to anyone, no list if the carrier's
   * interface to it is not described (`schema/carriers/`).
   */
  readonly credentials: Readonly<Partial<Record<Question, readonly CredentialName[]>>>;
  /** Optional names beside the credentials, in which accounts differ, with their values; null allows any text. */
  readonly settings?: Readonly<Partial<Record<CredentialName, readonly string[] | null>>>;
  /** `null`: no table of this carrier's statuses exists, so all of its events are `unknown`. */
  readonly statusTable: StatusTable | null;
  /** The carrier's public page about a shipment, with `{number}`; `null` if it needs more than the number. */
  readonly trackingPage: string | null;
}

/** Clients of Poste differ in the scope of the token, and in whether `Bearer` stands before it. */
const POSTE_SETTINGS = { scope: null, tokenPrefix: ['none', 'Bearer'] } as const;

/**
 * The carriers the platform knows, one row each.
 *
 * - `quote` is everyone's: prices come from the merchant's own tariff, not from the carrier.
 * - `tracking` goes with a table of codes; without one every event would read "Stato sconosciuto".
 * - `address_check` only where an interface is described (`schema/carriers/`).
 * - `cod` and `insurance` are what the carrier commonly sells in Italy; the tariff says at what price.
 * - The colours are our own: a badge tells carriers apart without shipping anyone's trademark.
 * - `trackingPage` is what recipients open. Carriers do not document it, so each row names the public code that links to
 *   it; `ha-…` are the repositories of github.com/ha-parcel-integrations, which note what they tried. As of November 2026.
 */
export const CARRIERS = [
  {
    code: 'BRT',
    name: 'BRT',
    colour: { background: '#8a1c2b', foreground: '#ffffff' },
    capabilities: ['quote', 'tracking', 'address_check', 'cod', 'insurance'],
    verificationType: 'routing',
    compares: ['zip', 'city', 'province'],
    countryScope: 'domestic_it',
    credentials: {
      tracking: ['userId', 'password'],
      // BRT asks for the depot and the client of the sender in every routing.
      address_check: ['userId', 'password', 'depot', 'clientCode'],
    },
    statusTable: 'brt',
    // ha-dpd, `const.py`: a check of the live page in August 2026. By parcel number, as the interface asks.
    trackingPage: 'https://www.mybrt.it/it/mybrt/my-parcels/incoming?parcelNumber={number}',
  },
  {
    code: 'GLS',
    name: 'GLS Italy',
    colour: { background: '#1f3a68', foreground: '#ffffff' },
    capabilities: ['quote', 'tracking', 'address_check', 'cod', 'insurance'],
    verificationType: 'street_registry',
    compares: ['zip', 'city', 'province', 'street'],
    countryScope: 'domestic_it',
    credentials: {
      tracking: ['depot', 'contractCode'],
      address_check: ['depot', 'clientCode', 'password'],
    },
    statusTable: 'gls',
    // ha-gls, the row of Italy: GLS' own links to recipients have `type=NAT`.
    trackingPage: 'https://gls-group.com/IT/it/servizi-online/ricerca-spedizioni/?match={number}&type=NAT',
  },
  {
    code: 'DHL',
    name: 'DHL Express',
    colour: { background: '#f2d16b', foreground: '#4a2a00' },
    capabilities: ['quote', 'tracking', 'address_check', 'insurance'],
    verificationType: 'postal_validation',
    compares: ['zip', 'city'],
    countryScope: 'international',
    credentials: { tracking: ['username', 'password'], address_check: ['username', 'password'] },
    statusTable: 'dhl',
    // dhl.com's page of Express numbers, as Italian shops link to it (such as the defaults of the plug-in Qui Poste).
    trackingPage: 'https://www.dhl.com/it-it/home/tracking/tracking-express.html?submit=1&tracking-id={number}',
  },
  {
    code: 'UPS',
    name: 'UPS',
    colour: { background: '#4b3621', foreground: '#ffffff' },
    capabilities: ['quote', 'tracking', 'address_check', 'cod', 'insurance'],
    verificationType: 'transit_time',
    compares: ['zip', 'city'],
    countryScope: 'international',
    credentials: { tracking: ['clientId', 'clientSecret'], address_check: ['clientId', 'clientSecret'] },
    statusTable: 'ups',
    // ha-ups, `const.py`; YITH's plug-in for WooCommerce has the same.
    trackingPage: 'https://www.ups.com/track?loc=it_IT&tracknum={number}',
  },
  {
    code: 'FEDEX',
    name: 'FedEx',
    colour: { background: '#4a2f7a', foreground: '#ffffff' },
    capabilities: ['quote', 'tracking', 'address_check', 'insurance'],
    verificationType: 'postal_validation',
    // FedEx answers whether a postal code exists, whatever the city.
    compares: ['zip'],
    countryScope: 'international',
    credentials: {
      // FedEx keeps its Track API in a project of its own, whose key opens no other interface.
      tracking: ['trackClientId', 'trackClientSecret'],
      address_check: ['clientId', 'clientSecret'],
    },
    statusTable: 'fedex',
    // ha-fedex, `const.py`.
    trackingPage: 'https://www.fedex.com/fedextrack/?trknbr={number}',
  },
  {
    code: 'POSTE',
    name: 'Poste Italiane',
    colour: { background: '#f5e6a8', foreground: '#1c3f7c' },
    capabilities: ['quote', 'tracking', 'cod', 'insurance'],
    verificationType: 'none',
    compares: [],
    countryScope: 'any',
    credentials: { tracking: ['clientId', 'clientSecret'] },
    settings: POSTE_SETTINGS,
    statusTable: 'poste',
    // ha-poste-italiane, `const.py`: the page reads the number from the fragment.
    trackingPage: 'https://www.poste.it/cerca/index.html#/risultati-spedizioni/{number}',
  },
  {
    code: 'SDA',
    name: 'SDA',
    colour: { background: '#20566b', foreground: '#ffffff' },
    capabilities: ['quote', 'tracking', 'cod', 'insurance'],
    verificationType: 'none',
    compares: [],
    countryScope: 'any',
    credentials: { tracking: ['clientId', 'clientSecret'] },
    settings: POSTE_SETTINGS,
    statusTable: 'poste',
    // Part of Poste Italiane, whose interface and page find its numbers; shops link to it since sda.it has moved there.
    trackingPage: 'https://www.poste.it/cerca/index.html#/risultati-spedizioni/{number}',
  },
  {
    code: 'INPOST',
    name: 'InPost',
    colour: { background: '#3a3a3a', foreground: '#f7d774' },
    capabilities: ['quote', 'tracking', 'insurance'],
    verificationType: 'none',
    compares: [],
    countryScope: 'any',
    // InPost: "the resource Tracking is not authorized, no token is needed".
    credentials: { tracking: [] },
    statusTable: 'inpost',
    // ha-inpost, the tests of Italy.
    trackingPage: 'https://inpost.it/trova-il-tuo-pacco?number={number}',
  },
  // Part of FedEx today; kept because merchants' contracts and older orders still use its name.
  {
    code: 'TNT',
    name: 'TNT',
    colour: { background: '#8a4b00', foreground: '#ffffff' },
    capabilities: ['quote', 'cod', 'insurance'],
    verificationType: 'none',
    compares: [],
    countryScope: 'any',
    credentials: {},
    statusTable: null,
    // tnt.com's page of consignments, as Italian shops link to it.
    trackingPage: 'https://www.tnt.com/express/it_it/site/shipping-tools/tracking.html?searchType=con&cons={number}',
  },
  {
    code: 'AMAZON',
    name: 'Amazon Shipping',
    colour: { background: '#22495e', foreground: '#ffe0b0' },
    capabilities: ['quote', 'tracking'],
    verificationType: 'none',
    compares: [],
    countryScope: 'any',
    credentials: { tracking: ['clientId', 'clientSecret', 'refreshToken'] },
    settings: { region: ['IT', 'ES', 'FR', 'UK', 'US', 'IN', 'UAE', 'SA', 'EG', 'JP'] },
    statusTable: 'amazon',
    // The page of Amazon Shipping's public tracker, by the name that its clients use.
    trackingPage: 'https://track.amazon.it/tracking/{number}',
  },
  {
    code: 'FERCAM',
    name: 'FERCAM',
    colour: { background: '#7a2e5d', foreground: '#ffffff' },
    capabilities: ['quote', 'cod', 'insurance'],
    verificationType: 'none',
    compares: [],
    countryScope: 'any',
    credentials: {},
    statusTable: null,
    // Its links carry a check of the customer's code: there is none by number alone.
    trackingPage: null,
  },
  {
    code: 'PALLETWAYS',
    name: 'Palletways',
    colour: { background: '#2f5d3a', foreground: '#ffffff' },
    capabilities: ['quote', 'insurance'],
    verificationType: 'none',
    compares: [],
    countryScope: 'any',
    credentials: {},
    statusTable: null,
    // Connectors for Odoo; the number is the tracking ID of the labels.
    trackingPage: 'https://track2.palletways.com/?dc_syscon={number}',
  },
] as const satisfies readonly CarrierRow[];

export type CarrierCode = (typeof CARRIERS)[number]['code'];

export interface Carrier extends CarrierRow {
  readonly code: CarrierCode;
}

/** Every carrier's code, in the catalogue's order. */
export const CARRIER_CODES: readonly CarrierCode[] = CARRIERS.map(carrier => carrier.code);

const byCode = new Map<string, Carrier>(CARRIERS.map(carrier => [carrier.code, carrier]));

/** The carrier with a code, ignoring case and surrounding spaces; `undefined` for an unknown code. */
export function carrierByCode(code: string): Carrier | undefined {
  return byCode.get(code.trim().toUpperCase());
}

/** The carrier of a stored connection, whose code was checked when it was connected. */
export function carrierOf(code: string): Carrier {
  const known = carrierByCode(code);
  if (!known) throw new Error(`The database has a carrier ${code} that the catalogue lacks`);
  return known;
}

/** The carrier's public page about a shipment; null without one. */
export function trackingPageOf({ trackingPage }: Carrier, trackingNumber: string): string | null {
  return trackingPage === null ? null : trackingPage.replace('{number}', encodeURIComponent(trackingNumber));
}

/** A neutral badge with a carrier's name, as SVG; undefined for an unknown code. Logos belong to their owners. */
export function carrierBadge(code: string): string | undefined {
  const carrier = carrierByCode(code);
  if (!carrier) return undefined;
  const { background, foreground } = carrier.colour;
  const width = 24 + carrier.name.length * 11;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="40" role="img" aria-label="${carrier.name}">
<rect width="${width}" height="40" rx="6" fill="${background}"/>
<text x="50%" y="26" fill="${foreground}" font-family="system-ui,sans-serif" font-size="18" font-weight="600" text-anchor="middle">${carrier.name}</text>
</svg>
`;
}
