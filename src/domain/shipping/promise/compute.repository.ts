import { companyStatement } from '../../../platform/database/statements/statements.ts';
import type { PatientTransaction } from '../../../platform/database/tenancy/tenant-transaction.ts';
import type { Measured } from './calibration.rules.ts';
import { MOMENTS, type Moment, SHARES } from './distribution.rules.ts';
import type { CellRow } from './promise-table.rules.ts';
import { localOf, minutesOf, NOT_TO_BE_DELIVERED, type Period, texts } from './working-minutes.repository.ts';

/** The statements that a run writes with: the table, the promise of each shipment at its first scan, the outcome. */

const CONNECTIONS = companyStatement('promise-connections', 'select id from carrier_connection where company_id = $1');

export async function connectionsOf(tx: PatientTransaction): Promise<number[]> {
  const rows = await tx.rows<{ id: number }>(CONNECTIONS);
  return rows.map(({ id }) => id);
}

/** A shipment at its first scan. */
export interface ScannedShipment {
  readonly shipmentId: number;
  readonly carrierConnectionId: number;
  readonly firstScanAt: Date;
  readonly weight: string | null;
  readonly countryCode: string;
  readonly postalCode: string;
}

// Read by their keys (`offset 0`): these are the shipments of a day, in a table of months.
const NEWLY_SCANNED = companyStatement(
  'promise-newly-scanned',
  `select s.id as "shipmentId", s.carrier_connection_id as "carrierConnectionId", s.first_scan_at as "firstScanAt", s.weight,
      addressed.recipient->>'countryCode' as "countryCode", addressed.recipient->>'postalCode' as "postalCode"
    from shipment s cross join lateral (
      select coalesce(s.recipient, (select recipient from customer_order where company_id = $1 and id = s.order_id)) as recipient offset 0
    ) addressed
    where s.company_id = $1 and s.id > $2 and s.first_scan_at >= $3
      and not exists (select from shipment_promise p where p.company_id = $1 and p.shipment_id = s.id offset 0)
    order by s.id limit $4`,
);

/** Shipments first scanned since then that have no promise yet, by ascending id. */
export function newlyScanned(
  tx: PatientTransaction,
  afterId: number,
  since: Date,
  limit: number,
): Promise<ScannedShipment[]> {
  return tx.rows<ScannedShipment>(NEWLY_SCANNED, afterId, since, limit);
}

/** The promise at a first scan; all null if there was none. */
export interface StatedPromise {
  readonly shipmentId: number;
  readonly carrierConnectionId: number;
  /** In minutes of working days since 1970. */
  readonly scanned: number;
  readonly level: number | null;
  readonly earliest: number | null;
  readonly expected: number | null;
  readonly latest: number | null;
}

const STATE = companyStatement(
  'promise-state',
  `insert into shipment_promise (company_id, shipment_id, carrier_connection_id, scanned, level, earliest, expected, latest)
    select s.company_id, given.id, given.connection, given.scanned, given.level, given.earliest, given.expected, given.latest
      from unnest($2::integer[], $3::integer[], $4::float8[], $5::smallint[], $6::integer[], $7::integer[], $8::integer[])
        as given(id, connection, scanned, level, earliest, expected, latest)
      cross join lateral (select company_id from shipment where company_id = $1 and id = given.id offset 0) s`,
);

export async function statePromises(tx: PatientTransaction, stated: readonly StatedPromise[]): Promise<void> {
  const column = <Field extends keyof StatedPromise>(field: Field) => stated.map(one => one[field]);
  const columns = ['shipmentId', 'carrierConnectionId', 'scanned', 'level', 'earliest', 'expected', 'latest'] as const;
  await tx.rows(STATE, ...columns.map(column));
}

const FORGET = companyStatement(
  'promise-forget',
  'delete from shipment_promise where company_id = $1 and scanned < $2',
);

export async function forgetPromises(tx: PatientTransaction, beforeMinutes: number): Promise<void> {
  await tx.rows(FORGET, beforeMinutes);
}

const RECENT_MINUTES = 5 * 1440;
const counts = (moment: Moment) => {
  const passed = `age > ${moment}`;
  const recently = `${passed} and age <= ${moment} + ${RECENT_MINUTES}`;
  const kept = `took <= ${moment}`;
  return `count(*) filter (where ${passed}) as ${moment}_promised, count(*) filter (where ${passed} and ${kept}) as ${moment}_kept,
      count(*) filter (where ${recently}) as ${moment}_recent, count(*) filter (where ${recently} and ${kept}) as ${moment}_recent_kept`;
};

// Only open promises, each by its key: nearly all promises of three months are delivered.
const OPEN = `from shipment_promise p cross join lateral (
                select status_code, status_at, first_scan_at from shipment where company_id = $1 and id = p.shipment_id offset 0
              ) s
              where p.company_id = $1 and p.took is null`;

const COMPLETE = companyStatement(
  'promise-settle',
  `update shipment_promise promise set took = ${minutesOf('delivered_local')} - scanned_at
    from (
      select p.shipment_id as id, p.scanned as scanned_at, ${localOf('s.status_at')} as delivered_local
              ${OPEN} and s.status_code = 'delivered' and s.first_scan_at >= $3 and p.shipment_id > $2 offset 0
    ) delivered
    where promise.company_id = $1 and promise.shipment_id = delivered.id`,
);

// Selected by promised date and not by delivery: an open parcel is known not to have arrived by that date. Selecting
// deliveries would leave out late ones, and the more recent the more of them.
const MEASURE = companyStatement(
  'promise-measure',
  `with known as (
      select carrier_connection_id as connection, level, earliest, expected, latest, scanned, took
        from shipment_promise where company_id = $1 and took is not null
      union all
      select p.carrier_connection_id, p.level, p.earliest, p.expected, p.latest, p.scanned, null
          ${OPEN} and p.shipment_id > $2 and s.first_scan_at >= $3 and s.status_code not in (${texts(NOT_TO_BE_DELIVERED)})
    ), outcome as (
      select *, $4::float8 - scanned as age from known where level is not null
    )
    select connection, level, ${MOMENTS.map(counts).join(', ')} from outcome group by connection, level`,
);

type MeasuredRow = { connection: number; level: number } & Record<string, number>;

/** Records deliveries of promises, and counts how many due promises were kept. */
export async function measurePromises(tx: PatientTransaction, period: Period): Promise<Measured[]> {
  const { afterId, from, firstDay, workingDays, nowMinutes } = period;
  await tx.rows(COMPLETE, afterId, from, firstDay, workingDays);
  const rows = await tx.rows<MeasuredRow>(MEASURE, afterId, from, nowMinutes);
  return rows.map(row => {
    const of = (moment: Moment) => ({
      all: { promised: Number(row[`${moment}_promised`]), kept: Number(row[`${moment}_kept`]) },
      recent: { promised: Number(row[`${moment}_recent`]), kept: Number(row[`${moment}_recent_kept`]) },
    });
    const moments = Object.fromEntries(MOMENTS.map(moment => [moment, of(moment)])) as Measured['moments'];
    return { carrierConnectionId: row.connection, level: row.level, moments };
  });
}

const DELETE_ACCURACY = companyStatement(
  'promise-delete-accuracy',
  'delete from promise_accuracy where company_id = $1',
);
const INSERT_ACCURACY = companyStatement(
  'promise-insert-accuracy',
  `insert into promise_accuracy (company_id, carrier_connection_id, level, share, promised, kept)
    select c.company_id, c.id, given.level, given.share, given.promised, given.kept
      from unnest($2::integer[], $3::smallint[], $4::float8[], $5::integer[], $6::integer[]) as given(connection, level, share, promised, kept)
      join carrier_connection c on c.company_id = $1 and c.id = given.connection`,
);

export async function replaceAccuracy(tx: PatientTransaction, measured: readonly Measured[]): Promise<void> {
  await tx.rows(DELETE_ACCURACY);
  const rows = measured.flatMap(({ carrierConnectionId, level, moments }) =>
    MOMENTS.map(moment => ({ carrierConnectionId, level, share: SHARES[moment], ...moments[moment].all })),
  );
  const column = <Field extends keyof (typeof rows)[number]>(field: Field) => rows.map(row => row[field]);
  await tx.rows(
    INSERT_ACCURACY,
    ...(['carrierConnectionId', 'level', 'share', 'promised', 'kept'] as const).map(column),
  );
}

const DELETE_CELLS = companyStatement('promise-delete-cells', 'delete from promise_cell where company_id = $1');
const INSERT_CELLS = companyStatement(
  'promise-insert-cells',
  `insert into promise_cell (company_id, carrier_connection_id, level, destination, kind, deliveries, longest, times)
    select c.company_id, c.id, given.level, given.destination, given.kind, given.deliveries, given.longest, given.listed::integer[]
      from unnest($2::integer[], $3::smallint[], $4::text[], $5::text[], $6::integer[], $7::integer[], $8::text[])
        as given(connection, level, destination, kind, deliveries, longest, listed)
      join carrier_connection c on c.company_id = $1 and c.id = given.connection`,
);
const CELLS_AT_ONCE = 10_000;
const COMPUTED = companyStatement(
  'promise-computed',
  `insert into promise (company_id, began_at, computed_at) select id, $2, $2 from company where id = $1
    on conflict (company_id) do update set computed_at = excluded.computed_at where promise.company_id = $1`,
);

/** Replaces the table; others see the old one until the transaction is committed. */
export async function replaceTable(tx: PatientTransaction, cells: readonly CellRow[], computedAt: Date): Promise<void> {
  await tx.rows(DELETE_CELLS);
  for (let from = 0; from < cells.length; from += CELLS_AT_ONCE) {
    const some = cells.slice(from, from + CELLS_AT_ONCE);
    const column = <Field extends keyof CellRow>(field: Field) => some.map(cell => cell[field]);
    const columns = (['carrierConnectionId', 'level', 'destination', 'kind', 'deliveries', 'longest'] as const).map(
      column,
    );
    await tx.rows(
      INSERT_CELLS,
      ...columns,
      some.map(({ times }) => `{${times.join()}}`),
    );
  }
  await tx.rows(COMPUTED, computedAt);
}
