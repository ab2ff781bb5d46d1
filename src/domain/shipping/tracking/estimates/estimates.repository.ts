import { listLoader } from '../../../../platform/database/gather/loader.ts';
import { ms } from '../../../../platform/database/statements/sql.ts';
import { companyStatement } from '../../../../platform/database/statements/statements.ts';
import type { Tenant } from '../../../../platform/database/tenancy/tenancy.ts';
import type { TenantTransaction } from '../../../../platform/database/tenancy/tenant-transaction.ts';
import { MAX_ESTIMATES } from './estimates.rules.ts';

/** A carrier's estimate of a delivery, and when it was received; milliseconds since 1970. */
export interface EstimateRow {
  readonly date: number;
  readonly toldAt: number;
}

interface NewEstimate {
  readonly shipmentId: number;
  readonly expectedAt: Date;
}

// Locked in the order of ids, as events are recorded, and each by its key. A repeated estimate changes nothing, nor does one
// that comes after the delivery, which is then measured by what the carrier promised before. The
// later of two estimates within a millisecond is stored.
const RECORD = companyStatement(
  'record-estimates',
  `with given as (
      select * from unnest($2::integer[], $3::timestamptz[]) as t(shipment_id, expected_at) order by shipment_id
    ), held as (
      select given.*, s.previous from given cross join lateral (
        select s.carrier_expected_at as previous from shipment s where s.company_id = $1 and s.id = given.shipment_id
          and s.carrier_expected_at is distinct from given.expected_at and s.delivered_at is null for no key update
      ) s
    ), told as (
      insert into shipment_estimate (company_id, shipment_id, told_at, expected_at)
        select $1, held.shipment_id, now(), held.expected_at from held
        on conflict (company_id, shipment_id, told_at) do update set expected_at = excluded.expected_at
    ), forgotten as (
      delete from shipment_estimate e using held where e.company_id = $1 and e.shipment_id = held.shipment_id
        and e.told_at <= (select o.told_at from shipment_estimate o where o.company_id = $1 and o.shipment_id = held.shipment_id
          order by o.told_at desc offset ${MAX_ESTIMATES - 1} limit 1)
    ), updated as (
      update shipment s set carrier_expected_at = held.expected_at, updated_at = now()
        from held where s.company_id = $1 and s.id = held.shipment_id
    )
    select shipment_id as "shipmentId", ${ms('expected_at')} as date, ${ms('previous')} as "previousDate" from held order by shipment_id`,
);

/** An estimate that differs from the last one; milliseconds since 1970. */
export interface ChangedEstimate {
  readonly shipmentId: number;
  readonly date: number;
  /** Null for the first estimate of a shipment. */
  readonly previousDate: number | null;
}

/** Records estimates that differ from the latest of their shipments, one per shipment; returns these. */
export function recordEstimates(tx: TenantTransaction, estimates: readonly NewEstimate[]): Promise<ChangedEstimate[]> {
  return tx.rows<ChangedEstimate>(
    RECORD,
    estimates.map(({ shipmentId }) => shipmentId),
    estimates.map(({ expectedAt }) => expectedAt),
  );
}

const OF_SHIPMENT = listLoader<[shipmentId: number], EstimateRow>({
  name: 'shipment-estimates',
  key: { id: 'integer' },
  text: `select ${ms('e.expected_at')} as date, ${ms('e.told_at')} as "toldAt" from shipment_estimate e
    where e.company_id = each.company_id and e.shipment_id = each.id`,
  order: 'r."toldAt" desc',
  isSplitByCompany: true,
});

/** The estimates of a shipment's carrier, newest first. */
export function estimatesOf(tenant: Tenant, shipmentId: number): Promise<readonly EstimateRow[]> {
  return tenant.load(OF_SHIPMENT, shipmentId);
}
