import { companyStatement } from '../../../platform/database/statements/statements.ts';
import type { Tenant } from '../../../platform/database/tenancy/tenancy.ts';

/** Finds the shipments whose packages have some numbers. */

/**
 * A number of a shipment, of one of its labels or of its parcel; one of several shipments is ambiguous, since carriers
 * reuse numbers. Each part is sorted as an index is: otherwise a server that has no statistics reads all shipments for each
 * number.
 */
const SHIPMENTS_OF_NUMBERS = companyStatement(
  'shipments-of-package-numbers',
  `select sought.key, min(numbered.id) as "shipmentId" from unnest((select $2::text[])) as sought(key)
    cross join lateral (
      (select id from shipment where company_id = $1 and tracking_key = sought.key and carrier_connection_id = $3 limit 1)
      union
      (select own.id from (select id from shipment where company_id = $1 and parcel_id_key = sought.key order by id desc limit 20) named
        cross join lateral (select id from shipment where company_id = $1 and id = named.id and carrier_connection_id = $3 limit 1) own)
      union
      (select own.id from (select shipment_id as id from shipment_label where company_id = $1 and tracking_key = sought.key
          order by shipment_id desc limit 20) labelled
        cross join lateral (select id from shipment where company_id = $1 and id = labelled.id and carrier_connection_id = $3 limit 1) own)
    ) numbered
    group by sought.key having count(*) = 1`,
);

/** The shipment of each number of the connection that belongs to exactly one. */
export async function shipmentsOfNumbers(
  tenant: Tenant,
  carrierConnectionId: number,
  keys: readonly string[],
): Promise<Map<string, number>> {
  type Row = { readonly key: string; readonly shipmentId: number };
  const rows = await tenant.rows<Row>(SHIPMENTS_OF_NUMBERS, keys, carrierConnectionId);
  return new Map(rows.map(({ key, shipmentId }) => [key, shipmentId]));
}
