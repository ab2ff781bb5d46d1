import { type CompanyStatement, companyStatement } from '../../../../platform/database/statements/statements.ts';
import type { CompanyTable } from '../../../../platform/database/tenancy/company-tables.ts';
import type { Snapshot } from '../../../../platform/database/tenancy/snapshot.ts';

/** A row as a line of JSON, and the position of the next page. */
interface Line {
  readonly after: unknown;
  readonly line: string;
}

const AT_ONCE = 2_000;

/** The lines of a statement, page by page: `$2` is the position before the page, or null, and `$3` its length. */
export async function* linesOf(snapshot: Snapshot, statement: CompanyStatement): AsyncGenerator<string> {
  let after: unknown = null;
  for (;;) {
    const rows = await snapshot.rows<Line>(statement, after, AT_ONCE);
    for (const { line } of rows) yield line;
    const last = rows.at(-1);
    if (last === undefined || rows.length < AT_ONCE) return;
    after = last.after;
  }
}

/** Lines in the format of an import or a request; fields without a value are left out. */
const records = (name: string, key: string, id: string, fields: Readonly<Record<string, string>>, from: string) => {
  const pairs = Object.entries(fields).map(([field, column]) => `'${field}', ${column}`);
  return companyStatement(
    `export-${name}`,
    `select ${id}::text as after, json_strip_nulls(json_build_object(${pairs.join(', ')}))::text as line
      ${from} and ($2::${key} is null or ${id} > $2::${key}) order by ${id} limit $3`,
  );
};

const withContact = (recipient: string) => `${recipient} || coalesce(c.contact, '{}')`;

// Related rows are looked up one by one: `limit` keeps PostgreSQL from joining whole tables, which would read
// everything before the page, for each page.
const oneOf = (columns: string, from: string, id: string, as: string) =>
  `lateral (select ${columns} from ${from} p where p.company_id = $1 and p.${id} limit 1) ${as}`;
const contactOf = (from: string, id: string) =>
  `left join ${oneOf(`jsonb_build_object('email', p.email, 'telephone', p.telephone) as contact`, from, id, 'c')} on true`;
const listed = (items: string, from: string, order: string) =>
  `(select json_agg(${items} order by ${order}) from ${from} p where p.company_id = $1 and p.shipment_id = s.id)`;

/** The input that creates a warehouse, and the id that orders and shipments refer to. */
export const WAREHOUSES = records(
  'warehouses',
  'integer',
  'w.id',
  {
    id: 'w.id',
    name: 'w.name',
    typeId: 'w.type_id',
    address: 'w.address',
    postalCode: 'w.postal_code',
    city: 'w.city',
    state: 'w.state',
    country: 'w.country',
  },
  'from warehouse w where w.company_id = $1',
);

/** Connections without their credentials. */
export const CARRIERS = records(
  'carriers',
  'integer',
  'w.id',
  {
    carrierCompanyId: 'w.id',
    carrierCode: 'w.carrier_code',
    label: 'w.label',
    environment: 'w.environment',
    baseUrl: 'w.base_url',
    isActive: 'w.is_active',
    disconnectedAt: 'w.disconnected_at',
  },
  'from carrier_connection w where w.company_id = $1',
);

/** The input of `import orders`. */
export const ORDERS = records(
  'orders',
  'integer',
  'o.id',
  {
    orderNumber: 'o.order_number',
    marketplace: 'o.marketplace',
    marketplaceOrderId: 'o.marketplace_order_id',
    marketplaceOrderNumber: 'o.marketplace_order_number',
    warehouseId: 'o.warehouse_id',
    recipient: withContact('o.recipient'),
    parcels: 'o.parcels',
    codAmount: 'o.cod_amount::text',
    insuranceAmount: 'o.insurance_amount::text',
    service: 'o.service',
    goodsValue: 'o.goods_value::text',
    metadata: 'o.metadata',
  },
  `from customer_order o ${contactOf('order_contact', 'order_id = o.id')} where o.company_id = $1`,
);

/** The input of `import shipments`. */
export const SHIPMENTS = records(
  'shipments',
  'integer',
  's.id',
  {
    carrierCompanyId: 's.carrier_connection_id',
    trackingNumber: 's.tracking_number',
    orderNumber: 'o.order_number',
    warehouseId: 's.warehouse_id',
    quoteId: 's.quote_id',
    recipient: withContact('s.recipient'),
    reference: 's.reference',
    parcelId: 's.parcel_id',
    labels: listed('p.tracking_number', 'shipment_label', 'p.position'),
    parcelCount: 's.parcel_number',
    weight: 's.weight::text',
    volume: 's.volume::text',
    trackingUrl: 's.tracking_url',
    shippedAt: 's.shipment_date',
    expectedDeliveryAt: 's.expected_delivery_date',
    relatedShipments: listed(
      `json_build_object('trackingNumber', p.related_key, 'type', p.type)`,
      'shipment_relation',
      'p.related_key',
    ),
    metadata: 's.metadata',
  },
  `from shipment s left join ${oneOf('p.order_number', 'customer_order', 'id = s.order_id', 'o')} on true
      ${contactOf('shipment_contact', 'shipment_id = s.id')} where s.company_id = $1`,
);

/** The input of `import events`, in the order of arrival. */
export const EVENTS = records(
  'events',
  'bigint',
  'e.id',
  {
    trackingNumber: 'coalesce(e.label, s.tracking_number)',
    carrierCompanyId: 's.carrier_connection_id',
    occurredAt: 'e.occurred_at',
    statusCode: 'e.status_code',
    carrierStatusCode: 'e.carrier_status_code',
    description: 'e.description',
    location: 'e.location',
    note: 'e.note',
  },
  `from tracking_event e
      cross join ${oneOf('p.tracking_number, p.carrier_connection_id', 'shipment', 'id = e.shipment_id', 's')} where e.company_id = $1`,
);

/** Endpoints without their secrets. */
export const WEBHOOKS = records(
  'webhooks',
  'uuid',
  'w.id',
  {
    uuid: 'w.id',
    label: 'w.label',
    url: 'w.url',
    topic: 'w.topic',
    events: 'w.events',
    filter: 'w.filter',
    selection: 'w.selection',
    isActive: 'w.is_active',
    pausedAt: 'w.paused_at',
    disabledAt: 'w.disabled_at',
    disabledReason: 'w.disabled_reason',
    createdAt: 'w.created_at',
  },
  'from webhook_endpoint w where w.company_id = $1',
);

const CONNECTIONS_WITH_TARIFF = companyStatement(
  'export-connections-with-tariff',
  'select carrier_connection_id as id from tariff where company_id = $1 order by 1',
);

export async function connectionsWithTariff(snapshot: Snapshot): Promise<number[]> {
  return (await snapshot.rows<{ id: number }>(CONNECTIONS_WITH_TARIFF)).map(({ id }) => id);
}

/** A list of places or an index of a carrier. */
export interface ExportedReference {
  readonly carrierCode: string;
  readonly kind: 'list' | 'index';
  readonly name: string;
  readonly content: unknown;
}

const REFERENCES = companyStatement(
  'export-references',
  'select carrier_code as "carrierCode", kind, name, content from carrier_reference where company_id = $1 order by 1, 2, 3',
);

export function exportedReferences(snapshot: Snapshot): Promise<ExportedReference[]> {
  return snapshot.rows<ExportedReference>(REFERENCES);
}

/** The rows of a table as they are stored, without some columns, in the order of their key. */
export function rowsOfTable({ name, key }: CompanyTable, without: readonly string[]): CompanyStatement {
  const columns = key.map(column => `t.${column.name}`);
  const after = key.map(({ type }, i) => `($2::text[])[${i + 1}]::${type}`);
  const left = ['company_id', ...without].map(column => ` - '${column}'`).join('');
  // A table whose key is the company has one row for it.
  const [goesOn, order] =
    key.length === 0
      ? ['$2::text[] is null', '1']
      : [`($2::text[] is null or (${columns.join(', ')}) > (${after.join(', ')}))`, columns.join(', ')];
  return companyStatement(
    `export-rows ${name}`,
    `select array[${columns.map(column => `${column}::text`).join(', ')}]::text[] as after, (to_jsonb(t)${left})::text as line
      from ${name} t where t.company_id = $1 and ${goesOn} order by ${order} limit $3`,
  );
}
