import type { ConnectCarrierInput } from '../domain/shipping/carriers/connection.input.ts';
import type { OrderInput } from '../domain/shipping/orders/orders.input.ts';
import type { TrackingEventInput } from '../domain/shipping/tracking/events.input.ts';
import type { ShipmentInput } from '../domain/shipping/tracking/shipments.input.ts';
import type { WarehouseFields } from '../domain/shipping/warehouses/warehouses.input.ts';

/** The demo company's data: invented, plausible, and small enough to be read. */

/** User and password, client and secret of every account in the sandbox. */
const SANDBOX = 'sandbox';
/** FedEx' project for tracking. */
const SANDBOX_TRACK = 'sandbox-track';

export const WAREHOUSES: readonly WarehouseFields[] = [
  {
    name: 'Magazzino centrale',
    typeId: 1,
    address: 'Via Mecenate 84',
    postalCode: '20138',
    city: 'Milano',
    state: 'MI',
    country: 'IT',
  },
  {
    name: 'Logistica Bologna',
    typeId: 2,
    address: 'Interporto Blocco 7.4',
    postalCode: '40010',
    city: 'Bentivoglio',
    state: 'BO',
    country: 'IT',
  },
  {
    name: 'Fornitore Napoli',
    typeId: 3,
    address: 'Via Argine 313',
    postalCode: '80147',
    city: 'Napoli',
    state: 'NA',
    country: 'IT',
  },
];

/** With accounts that the sandbox accepts. */
export const CONNECTIONS: readonly ConnectCarrierInput[] = [
  {
    carrierCode: 'BRT',
    label: 'BRT nazionale',
    credentials: { userId: SANDBOX, password: SANDBOX, depot: '102', clientCode: '1020100' },
  },
  {
    carrierCode: 'GLS',
    label: 'GLS nazionale',
    credentials: { depot: 'XX', clientCode: SANDBOX, contractCode: SANDBOX, password: SANDBOX },
  },
  { carrierCode: 'DHL', label: 'DHL Express', credentials: { username: SANDBOX, password: SANDBOX } },
  {
    carrierCode: 'POSTE',
    label: 'Poste Delivery',
    credentials: { clientId: SANDBOX, clientSecret: SANDBOX },
  },
  { carrierCode: 'INPOST', label: 'InPost Locker' },
  { carrierCode: 'UPS', label: 'UPS estero', credentials: { clientId: SANDBOX, clientSecret: SANDBOX } },
  {
    carrierCode: 'FEDEX',
    label: 'FedEx estero',
    credentials: {
      clientId: SANDBOX,
      clientSecret: SANDBOX,
      trackClientId: SANDBOX_TRACK,
      trackClientSecret: SANDBOX_TRACK,
    },
  },
];

/** The example tariff of each connection, in `tariffs/`. */
export const TARIFFS: Readonly<Record<string, string>> = {
  BRT: 'brt.json',
  GLS: 'gls.json',
  DHL: 'dhl.json',
  POSTE: 'poste.json',
  INPOST: 'inpost.json',
};

export const ORDERS: readonly OrderInput[] = [
  {
    orderNumber: 'DEMO-1001',
    marketplace: 'Amazon',
    marketplaceOrderId: 'AMZ-88120034',
    marketplaceOrderNumber: '405-1234567-1234567',
    recipient: {
      companyName: 'Giulia Bianchi',
      address: 'Via Libertà 12',
      postalCode: '90139',
      city: 'Palermo',
      province: 'PA',
      email: 'giulia@example.com',
      telephone: '+39 091 000000',
    },
    parcels: [{ weight: '4', length: '40', width: '30', height: '30', quantity: 1 }],
    codAmount: '100',
    insuranceAmount: '200',
  },
  {
    orderNumber: 'DEMO-1002',
    marketplace: 'eBay',
    marketplaceOrderId: 'EB-55120',
    marketplaceOrderNumber: '12-09876-54321',
    recipient: {
      companyName: 'Ferramenta Conti snc',
      address: 'Corso Francia 101',
      postalCode: '10138',
      city: 'Torino',
      province: 'TO',
    },
    parcels: [{ weight: '6.5', length: '50', width: '40', height: '30', quantity: 2 }],
  },
  {
    orderNumber: 'DEMO-1003',
    marketplace: 'Shopify',
    marketplaceOrderNumber: '#1003',
    recipient: {
      companyName: 'Anna Schmidt',
      address: 'Hauptstraße 5',
      postalCode: '10827',
      city: 'Berlin',
      countryCode: 'DE',
    },
    parcels: [{ weight: '1.2', length: '30', width: '20', height: '10', quantity: 1 }],
  },
  {
    orderNumber: 'DEMO-1004',
    marketplace: 'eBay',
    marketplaceOrderNumber: '12-09876-54399',
    recipient: {
      companyName: 'Libreria Bianca',
      address: 'Via Maqueda 100',
      postalCode: '90134',
      city: 'Palermo',
      province: 'PA',
    },
    parcels: [{ weight: '6.5', length: '50', width: '40', height: '30', quantity: 1 }],
  },
];

export const SHIPMENTS: readonly (Omit<ShipmentInput, 'carrierConnectionId'> & {
  carrierCode: string;
  /** Left out if an event of the carrier says it. */
  shippedHoursAgo?: number;
  expectedInHours: number;
})[] = [
  {
    carrierCode: 'BRT',
    trackingNumber: '084007001234567',
    orderNumber: 'DEMO-1001',
    parcelCount: 1,
    weight: '4',
    volume: '36000',
    reference: 'RIF-1001',
    shippedHoursAgo: 70,
    expectedInHours: -20,
    trackingUrl: 'https://example.com/brt/084007001234567',
  },
  {
    carrierCode: 'GLS',
    trackingNumber: 'M1610456789',
    orderNumber: 'DEMO-1002',
    parcelCount: 2,
    weight: '13',
    volume: '120000',
    labels: ['M1610456789-02'],
    shippedHoursAgo: 30,
    expectedInHours: 6,
    trackingUrl: 'https://example.com/gls/M1610456789',
  },
  {
    carrierCode: 'DHL',
    trackingNumber: '5512004410',
    orderNumber: 'DEMO-1003',
    parcelCount: 1,
    weight: '1.2',
    volume: '6000',
    shippedHoursAgo: 26,
    expectedInHours: 24,
    trackingUrl: 'https://example.com/dhl/5512004410',
    relatedShipments: [{ trackingNumber: 'JD014600003', type: 'forward' }],
  },
  {
    // Each time the sandbox is asked it returns one more event, until the delivery. One of them says when it was
    // shipped.
    carrierCode: 'BRT',
    trackingNumber: 'WALK000000001',
    orderNumber: 'DEMO-1004',
    parcelCount: 1,
    weight: '6.5',
    volume: '60000',
    expectedInHours: 24,
  },
  {
    carrierCode: 'DHL',
    trackingNumber: 'JD014600003',
    orderNumber: 'DEMO-1003',
    parcelCount: 1,
    weight: '1.2',
    volume: '6000',
    shippedHoursAgo: 5,
    expectedInHours: 48,
  },
];

export const EVENTS: readonly (Omit<TrackingEventInput, 'occurredAt'> & { hoursAgo: number })[] = [
  {
    trackingNumber: '084007001234567',
    hoursAgo: 72,
    carrierStatusCode: '700',
    description: 'DATI SPEDIZ. TRASMESSI A BRT',
  },
  {
    trackingNumber: '084007001234567',
    hoursAgo: 70,
    carrierStatusCode: '701',
    description: 'RITIRATA',
    location: 'MILANO',
  },
  {
    trackingNumber: '084007001234567',
    hoursAgo: 60,
    carrierStatusCode: '702',
    description: 'PARTITA',
    location: 'MILANO',
  },
  {
    trackingNumber: '084007001234567',
    hoursAgo: 30,
    carrierStatusCode: '703',
    description: 'ARRIVATA IN FILIALE',
    location: 'PALERMO',
  },
  {
    trackingNumber: '084007001234567',
    hoursAgo: 26,
    carrierStatusCode: 'MIC',
    description: 'IN CONSEGNA',
    location: 'PALERMO',
  },
  {
    trackingNumber: '084007001234567',
    hoursAgo: 22,
    carrierStatusCode: '704',
    description: 'CONSEGNATA',
    location: 'PALERMO',
  },
  { trackingNumber: 'M1610456789', hoursAgo: 31, carrierStatusCode: '901', description: 'Dati trasmessi' },
  {
    trackingNumber: 'M1610456789',
    hoursAgo: 30,
    carrierStatusCode: '902',
    description: 'Ritirata dal mittente',
    location: 'Milano',
  },
  {
    trackingNumber: 'M1610456789',
    hoursAgo: 12,
    carrierStatusCode: '904',
    description: 'Arrivata in sede',
    location: 'Torino',
  },
  {
    trackingNumber: 'M1610456789',
    hoursAgo: 2,
    carrierStatusCode: '905',
    description: 'In consegna',
    location: 'Torino',
  },
  {
    trackingNumber: '5512004410',
    hoursAgo: 26,
    carrierStatusCode: 'PU',
    description: 'Shipment picked up',
    location: 'MILAN - ITALY',
  },
  {
    trackingNumber: '5512004410',
    hoursAgo: 8,
    carrierStatusCode: 'AF',
    description: 'Arrived at DHL sort facility',
    location: 'LEIPZIG - GERMANY',
  },
  {
    trackingNumber: 'JD014600003',
    hoursAgo: 5,
    carrierStatusCode: 'PU',
    description: 'Shipment picked up',
    location: 'LEIPZIG - GERMANY',
  },
];
