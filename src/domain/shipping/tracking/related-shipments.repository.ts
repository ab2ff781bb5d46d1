import { companyStatement } from '../../../platform/database/statements/statements.ts';
import type { TenantTransaction } from '../../../platform/database/tenancy/tenant-transaction.ts';
import { MAX_RELATED, type RelationType } from './shipments.rules.ts';

/** A related shipment that a carrier names. */
export interface NamedShipment {
  readonly shipmentId: number;
  readonly trackingNumber: string;
  readonly relatedKey: string;
  readonly type: RelationType;
}

// The shipment's own number is excluded, and existing relations take no further room.
const RELATE = companyStatement(
  'relate-shipments',
  `insert into shipment_relation (company_id, shipment_id, related_key, type)
    select added.company_id, added.shipment_id, added.related_key, added.type from (
      select s.company_id, given.shipment_id, given.related_key, given.type,
          row_number() over (partition by given.shipment_id order by given.position) as place
        from unnest($2::integer[], $3::text[], $4::text[]) with ordinality as given(shipment_id, related_key, type, position)
        join shipment s on s.company_id = $1 and s.id = given.shipment_id and s.tracking_key <> given.related_key
        where not exists (select 1 from shipment_relation r
          where r.company_id = $1 and r.shipment_id = given.shipment_id and r.related_key = given.related_key)
    ) added
    where added.place + (select count(*) from shipment_relation r where r.company_id = $1 and r.shipment_id = added.shipment_id)
      <= ${MAX_RELATED}
    on conflict do nothing
    returning shipment_id as "shipmentId", related_key as "relatedKey", type`,
);

type NewRelation = Pick<NamedShipment, 'shipmentId' | 'relatedKey' | 'type'>;

/** Adds relations to other numbers, up to the limit of a shipment; existing ones stay. Returns the new ones. */
export function insertRelations(tx: TenantTransaction, named: readonly NamedShipment[]): Promise<NewRelation[]> {
  return tx.rows<NewRelation>(
    RELATE,
    named.map(({ shipmentId }) => shipmentId),
    named.map(({ relatedKey }) => relatedKey),
    named.map(({ type }) => type),
  );
}

// The sender is the warehouse of the shipment, else its order's, else the company's principal one. For a company
// without a warehouse only the name is known.
const CREATE = companyStatement(
  'create-related-shipments',
  `with missing as (
      select distinct on (given.related_key) given.*
        from unnest($2::integer[], $3::text[], $4::text[], $5::text[]) with ordinality
          as given(shipment_id, related_key, type, tracking_number, position)
        join shipment_relation r
          on r.company_id = $1 and r.shipment_id = given.shipment_id and r.related_key = given.related_key
        where not exists (select 1 from shipment s where s.company_id = $1 and s.tracking_key = given.related_key)
          and not exists (select 1 from shipment_label l where l.company_id = $1 and l.tracking_key = given.related_key)
        order by given.related_key, given.position
    )
    insert into shipment (company_id, carrier_connection_id, tracking_number, tracking_key, order_id, warehouse_id, recipient,
        parcel_number, weight, volume, status_code, hops)
      select s.company_id, s.carrier_connection_id, m.tracking_number, m.related_key,
          case when m.type <> 'return' then s.order_id end, case when m.type <> 'return' then s.warehouse_id end,
          case when m.type <> 'return' then s.recipient else jsonb_build_object('companyName', c.name,
            'address', coalesce(w.address, ''), 'postalCode', coalesce(w.postal_code, ''), 'city', coalesce(w.city, ''),
            'province', w.state, 'countryCode', coalesce(w.country, 'IT')) end,
          s.parcel_number, s.weight, s.volume, 'created', s.hops + 1
        from missing m
        join shipment s on s.company_id = $1 and s.id = m.shipment_id and s.hops < $6::smallint
        join company c on c.id = s.company_id
        left join customer_order o on o.company_id = $1 and o.id = s.order_id
        left join lateral (
          select * from warehouse
            where company_id = $1 and (id = coalesce(s.warehouse_id, o.warehouse_id)
              or (coalesce(s.warehouse_id, o.warehouse_id) is null and type_id = 1))
            order by id limit 1
        ) w on m.type = 'return'
      on conflict do nothing
      returning id`,
);

/**
 * Creates the shipments whose number no shipment of the company has. Returns their ids.
 *
 * @param maxHops the limit on carriers' responses between a shipment and one that the platform sent
 */
export async function createRelated(
  tx: TenantTransaction,
  named: readonly NamedShipment[],
  maxHops: number,
): Promise<number[]> {
  const rows = await tx.rows<{ id: number }>(
    CREATE,
    named.map(({ shipmentId }) => shipmentId),
    named.map(({ relatedKey }) => relatedKey),
    named.map(({ type }) => type),
    named.map(({ trackingNumber }) => trackingNumber),
    maxHops,
  );
  return rows.map(({ id }) => id);
}
