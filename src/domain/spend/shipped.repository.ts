import {
  boundsOf,
  Parameters,
  type Position,
  type ScannedRow,
  scannedPage,
} from '../../platform/database/lists/index-scan.ts';
import { ms } from '../../platform/database/statements/sql.ts';
import { type CompanyStatement, companyStatement } from '../../platform/database/statements/statements.ts';
import type { Tenant } from '../../platform/database/tenancy/tenancy.ts';
import type { RecipientType } from '../common/places/recipient.rules.ts';
import type { SavedShipment } from '../pricing/saved-quotes/saved-quote.rules.ts';
import type { Parcel } from '../shipping/orders/orders.rules.ts';
import { type ShipmentConditions, shipmentCondition } from '../shipping/tracking/lists/shipment-conditions.rules.ts';
import { newestOfNumber } from '../shipping/tracking/shipments.rules.ts';
import type { NumberKind } from './shipped.rules.ts';

/** Reads the fields of shipments that determine prices. Names and addresses are not read. */

/** When it was shipped, or else created. */
const SHIPPED_AT = 'coalesce(s.shipment_date, s.shipped_at, s.created_at)';

const COLUMNS = `s.id, s.carrier_connection_id as "carrierConnectionId", s.tracking_number as "trackingNumber",
  s.status_code as "statusCode", o.order_number as "orderNumber", ${ms(SHIPPED_AT)} as "shippedAt",
  coalesce(s.warehouse_id, o.warehouse_id) as "warehouseId",
  coalesce(s.recipient, o.recipient) ->> 'countryCode' as country, coalesce(s.recipient, o.recipient) ->> 'postalCode' as "postalCode",
  coalesce(s.recipient, o.recipient) ->> 'city' as city, coalesce(s.recipient, o.recipient) ->> 'province' as province,
  coalesce(s.recipient ->> 'type', o.recipient ->> 'type') as "recipientType", s.parcel_number as "parcelCount", s.weight, s.volume,
  case when of_order.first_id = of_order.last_id then o.parcels end as parcels,
  case when of_order.first_id = s.id then o.cod_amount end as "codAmount",
  case when of_order.first_id = s.id then o.insurance_amount end as "insuranceAmount",
  case when of_order.first_id = s.id then o.goods_value end as "goodsValue", o.service, q.shipment as quoted`;

/** @param needsCarrier the condition for the look-up of the carrier */
const joins = (needsCarrier = 'false') => `left join lateral (select carrier_code from carrier_connection
    where company_id = $1 and id = s.carrier_connection_id and ${needsCarrier} limit 1) c on true
  left join lateral (select order_number, marketplace, marketplace_order_id_key, marketplace_order_number_key, recipient,
      warehouse_id, parcels, cod_amount, insurance_amount, goods_value, service
    from customer_order where company_id = $1 and id = s.order_id limit 1) o on true
  left join lateral (select min(id) as first_id, max(id) as last_id from shipment
    where company_id = $1 and order_id = s.order_id) of_order on true
  left join lateral (select shipment from saved_quote where company_id = $1 and id = s.quote_id limit 1) q on true`;

export interface ShippedRow {
  readonly id: number;
  readonly carrierConnectionId: number;
  readonly trackingNumber: string;
  readonly statusCode: string;
  readonly orderNumber: string | null;
  /** Milliseconds since 1970. */
  readonly shippedAt: number;
  readonly warehouseId: number | null;
  readonly country: string;
  readonly postalCode: string;
  readonly city: string;
  readonly province: string | null;
  readonly recipientType: RecipientType | null;
  readonly parcelCount: number;
  readonly weight: string | null;
  readonly volume: string | null;
  /** The order's parcels, if this is its only shipment. */
  readonly parcels: readonly Parcel[] | null;
  /** The order's amounts, if this is its first shipment, because each is collected, insured and declared once. */
  readonly codAmount: string | null;
  readonly insuranceAmount: string | null;
  readonly goodsValue: string | null;
  /** The service that the order asks for. */
  readonly service: string | null;
  readonly quoted: SavedShipment | null;
}

/** Rows that one page looks through. Few, because reading a hundred blocks the event loop for a millisecond. */
const WINDOW = 250;

interface PageOfPeriod {
  /** Earlier shipments are not scanned. */
  readonly createdFrom: Date;
  readonly shippedFrom: Date;
  readonly shippedTo: Date;
  readonly conditions: ShipmentConditions;
  readonly after: Position | null;
}

/** In the order of creation, because an index by the time of shipping would be written at each event. */
function declarePeriod() {
  const parameters = new Parameters();
  const { of } = parameters;
  const text = scannedPage(
    {
      table: 'shipment',
      as: 's',
      index: { key: 'r.created_at' },
      joins: joins(of('needsCarrier', 'boolean')),
      condition: value => `${SHIPPED_AT} >= ${of('periodFrom', 'timestamptz')}
          and ${SHIPPED_AT} < ${of('periodTo', 'timestamptz')} and ${shipmentCondition(value)}`,
    },
    'asc',
    COLUMNS,
    parameters,
  );
  return { statement: companyStatement('shipped-in-period', text), parameters };
}

const IN_PERIOD = declarePeriod();

type ScannedShipped = ShippedRow & ScannedRow;

/** Shipments of a period on one page, in the order of their creation, with the position up to which it looked. */
export function shippedInPeriod(
  tenant: Tenant,
  { createdFrom, shippedFrom, shippedTo, conditions, after }: PageOfPeriod,
): Promise<ScannedShipped[]> {
  const bounds = boundsOf({ low: after ?? { key: createdFrom.getTime(), id: 0 }, high: null });
  const needsCarrier = conditions.carriers !== null;
  const values = {
    ...bounds,
    needsCarrier,
    periodFrom: shippedFrom,
    periodTo: shippedTo,
    window: WINDOW,
    limit: WINDOW,
  };
  return tenant.rows(IN_PERIOD.statement, ...IN_PERIOD.parameters.valuesOf({ ...conditions, ...values }));
}

/** The limit on shipments with one number, because carriers reuse numbers after some years. */
const MAX_SAME = 20;

const byNumber = (name: string, ids: string) =>
  companyStatement(
    `shipped-by-${name}`,
    `select sought.key, ${COLUMNS} from unnest((select $2::text[])) as sought(key)
      cross join lateral (${ids} limit ${MAX_SAME}) found
      cross join lateral (select * from shipment where company_id = $1 and id = found.id limit 1) s
      ${joins()} order by sought.key, s.id`,
  );
const byColumn = (column: string) =>
  `select id from shipment where company_id = $1 and ${column} = sought.key order by id desc`;

const BY_NUMBER: Readonly<Record<NumberKind, CompanyStatement>> = {
  tracking_number: byNumber(
    'tracking-number',
    `select id from shipment where company_id = $1 and tracking_key = sought.key ${newestOfNumber('id')}`,
  ),
  label: byNumber(
    'label',
    'select shipment_id as id from shipment_label where company_id = $1 and tracking_key = sought.key order by shipment_id desc',
  ),
  parcel_id: byNumber('parcel-id', byColumn('parcel_id_key')),
  reference: byNumber('reference', byColumn('reference_key')),
  order_number: byNumber(
    'order-number',
    `select id from shipment where company_id = $1
      and order_id = (select id from customer_order where company_id = $1 and order_number = sought.key) order by id desc`,
  ),
};

/** A shipment with the number that found it. */
type FoundShipped = ShippedRow & { readonly key: string };

/** Shipments with one of these numbers. All but order numbers are compared in the form of `number.rules.ts`. */
export function shippedByNumber(tenant: Tenant, kind: NumberKind, keys: readonly string[]): Promise<FoundShipped[]> {
  return tenant.rows(BY_NUMBER[kind], keys);
}
