/** Requests of all kinds, right and wrong, that carry what a log must not hold. */
interface BusyRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** The response, and the name of its route in the log. */
  readonly status: number;
  readonly route: string;
  readonly authenticated?: boolean;
}

const NAME = 'Zenobia Quintarelli';
const STREET = 'Vicolo dei Segreti 77';
const EMAIL = 'zenobia@segreti.example';
const TELEPHONE = '+39 055 777777';
const OTHER_KEY = `sk_live_${'ab'.repeat(16)}_${'Zx9'.repeat(14)}Z_00000000`;

export const SECRETS: readonly string[] = [NAME, STREET, EMAIL, TELEPHONE, OTHER_KEY];

const API = '/api/v1/integrations';
const WAREHOUSE = {
  name: 'Deposito',
  typeId: 1,
  address: STREET,
  postalCode: '20138',
  city: 'Milano',
  state: 'MI',
  country: 'IT',
};
const RECIPIENT = {
  companyName: NAME,
  address: STREET,
  postalCode: '50122',
  city: 'Firenze',
  email: EMAIL,
  telephone: TELEPHONE,
};

/** For the demo company, whose first warehouse and first carrier connection have the id 1. */
export function busyRequests(apiKey: string): BusyRequest[] {
  const rest = (method: string, path: string, route: string, status: number, more: Partial<BusyRequest> = {}) => {
    return { method, path: API + path, route: route && API + route, status, ...more };
  };
  const graph = (query: string, variables: object): BusyRequest => {
    return { method: 'POST', path: '/graphql', route: '/graphql', status: 200, body: { query, variables } };
  };
  const upsertOrders =
    'mutation ($input: [OrderInput!]!) { upsertOrders(input: { orders: $input }) { results { outcome code } userErrors { code pointer message } } }';
  const upsertShipments =
    'mutation ($input: [ShipmentInput!]!) { upsertShipments(input: { shipments: $input }) { results { outcome code } userErrors { code pointer message } } }';
  const recordEvents =
    'mutation ($input: [TrackingEventInput!]!) { recordTrackingEvents(input: { events: $input }) { results { outcome code } userErrors { code pointer message } } }';
  const shipment = { carrierConnectionId: 1, trackingNumber: 'BUSY1', orderNumber: 'BUSY-1', recipient: RECIPIENT };
  return [
    rest('GET', '/health', '/health', 200),
    rest('GET', '/health', '/health', 200, { headers: { authorization: `Bearer ${apiKey}` } }),
    rest('GET', '/health', '/health', 400, { headers: { authorization: `Bearer ${OTHER_KEY}` }, authenticated: false }),
    rest('GET', '/health', '/health', 401, { headers: { 'x-api-key': OTHER_KEY }, authenticated: false }),
    rest('GET', '/health', '/health', 401, { headers: { 'x-api-key': `${apiKey}x` }, authenticated: false }),
    rest('POST', '/warehouses', '/warehouses', 201, { body: WAREHOUSE }),
    rest('PATCH', '/warehouses/1', '/warehouses/{id}', 200, { body: { address: STREET } }),
    rest('POST', '/warehouses', '/warehouses', 422, { body: { ...WAREHOUSE, postalCode: STREET, [STREET]: NAME } }),
    rest('POST', '/warehouses', '/warehouses', 400, { body: `{"address":"${STREET}"` }),
    rest('POST', '/warehouses', '/warehouses', 415, { body: STREET, headers: { 'content-type': 'text/plain' } }),
    rest('POST', '/warehouses', '/warehouses', 500, { body: { ...WAREHOUSE, city: 'Rifiuto' } }),
    graph(upsertOrders, { input: [{ orderNumber: 'BUSY-1', marketplaceOrderNumber: NAME, recipient: RECIPIENT }] }),
    graph(upsertOrders, { input: [{ orderNumber: 'BUSY-2', recipient: { ...RECIPIENT, city: '' } }] }),
    graph(upsertOrders, { input: [{ orderNumber: 'REFUSED', recipient: RECIPIENT }] }),
    graph(upsertOrders, { input: [{ recipient: { ...RECIPIENT, [STREET]: NAME } }] }),
    graph(upsertShipments, { input: [shipment] }),
    graph(recordEvents, { input: [{ trackingNumber: 'BUSY1', occurredAt: STREET, location: STREET, note: NAME }] }),
    graph(`{ trackingByNumber(trackingNumber: "${STREET}") { statusLabel ${NAME.replace(' ', '_')} } }`, {}),
    graph('{ trackingByNumber(trackingNumber: "BUSY1") { recipient { companyName address } } }', {}),
    graph(`{ "${STREET}" `, {}),
    rest(
      'GET',
      `/shipments/tracking/by-tracking-number/BUSY1`,
      '/shipments/tracking/by-tracking-number/{trackingNumber}',
      200,
    ),
    rest(
      'GET',
      `/shipments/tracking/by-order-number/${encodeURIComponent(NAME)}`,
      '/shipments/tracking/by-order-number/{orderNumber}',
      200,
    ),
    rest(
      'GET',
      `/shipments/tracking/by-tracking-number/${encodeURIComponent(STREET)}`,
      '/shipments/tracking/by-tracking-number/{trackingNumber}',
      404,
    ),
    {
      method: 'GET',
      path: `/${encodeURIComponent(STREET)}?key=${apiKey}`,
      route: 'unmatched',
      status: 404,
      authenticated: false,
    },
    {
      method: 'PUT',
      path: `${API}/warehouses`,
      body: WAREHOUSE,
      route: 'unmatched',
      status: 405,
      authenticated: false,
    },
  ];
}
