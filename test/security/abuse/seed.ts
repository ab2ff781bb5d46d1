import { growCompany } from '../../../src/demo/growth.ts';
import type { CompanyId } from '../../../src/platform/database/tenancy/company-id.ts';
import { Tenant } from '../../../src/platform/database/tenancy/tenancy.ts';
import { connectWithoutAccount, trackedCompany } from '../../bench/seed.ts';
import { TARIFF } from '../../rest/feed.ts';
import { RECIPIENT, WAREHOUSE } from '../../support/platform-side.ts';
import type { Target } from '../support/others-process.ts';
import type { Arena } from './case.ts';

/** Companies are filled in the database: through the API it would take minutes, and use up the rates of the attack. */
export type Filled = Pick<Arena, 'world' | 'attacker'>;

async function rows<Row extends object>({ world, attacker }: Filled, text: string, ...values: unknown[]) {
  const { rows: found } = await world.database.pool.query<Row>(text, [attacker.key.companyId, ...values]);
  return found;
}

export async function connection({ world, attacker }: Filled, carrierCode = 'BRT'): Promise<number> {
  const tenant = new Tenant(attacker.key.companyId as CompanyId, world.database);
  return (await connectWithoutAccount(tenant, carrierCode)).id;
}

/** Adds warehouses, but no more than the service lets a company have, as its refusal to add another says. */
export async function warehouses(filled: Filled, count: number): Promise<number> {
  await rows(
    filled,
    `insert into warehouse (company_id, name, type_id, address, postal_code, city, state, country)
      select $1, 'Magazzino ' || n, 4, 'Via Mecenate ' || n, '20138', 'Milano', 'MI', 'IT' from generate_series(1, $2::integer) n`,
    count,
  );
  const path = '/api/v1/integrations/warehouses';
  const { status, text } = await filled.attacker.send({ method: 'POST', path, body: JSON.stringify(WAREHOUSE) });
  const limit = status === 409 ? (JSON.parse(text).limit as number) : count;
  await rows(
    filled,
    'delete from warehouse where company_id = $1 and id not in (select id from warehouse where company_id = $1 order by id limit $2)',
    limit,
  );
  return limit;
}

/** Shipments with orders and events on one connection. */
export async function shipments(filled: Filled, count: number): Promise<void> {
  await warehouses(filled, 1);
  await connection(filled);
  await growCompany(filled.world.database, filled.attacker.key.companyId as CompanyId, count);
  await toldOfDelays(filled.world, filled.attacker.key.companyId);
}

/** The company that asks for its trackings while others attack. */
export async function victim(world: Filled['world'], name: string): Promise<Omit<Target, 'url'>> {
  const { apiKey, companyId } = await trackedCompany(world.database, name, 1_000);
  await toldOfDelays(world, companyId);
  const numbers = Array.from({ length: 200 }, (_, i) => `BULK${String(i * 5 + 1).padStart(9, '0')}`);
  const paths = numbers.map(number => `/api/v1/integrations/shipments/tracking/by-tracking-number/${number}`);
  return { apiKey, paths };
}

/** Otherwise the detector of delays would work on them during a measurement. */
export async function toldOfDelays({ database }: Filled['world'], companyId: string): Promise<void> {
  await database.pool.query('update shipment set delay_told_at = now(), stall_told_at = now() where company_id = $1', [
    companyId,
  ]);
}

/** One order with so many shipments, `S-1` and so on. */
export async function shipmentsOfOneOrder(filled: Filled, count: number): Promise<void> {
  const connectionId = await connection(filled);
  const [order] = await rows<{ id: number }>(
    filled,
    `insert into customer_order (company_id, order_number, recipient, parcels) values ($1, 'O', $2, '[]') returning id`,
    JSON.stringify({ ...RECIPIENT, countryCode: 'IT' }),
  );
  await rows(
    filled,
    `insert into shipment (company_id, carrier_connection_id, tracking_number, tracking_key, order_id, parcel_number, status_code)
      select $1, $2, 'S-' || n, 'S-' || n, $3, 1, 'created' from generate_series(1, $4::integer) n`,
    ...[connectionId, order?.id, count],
  );
}

const EVENT = `mutation ($n: String!) { recordTrackingEvents(input: { events: [{ trackingNumber: $n, statusCode: IN_TRANSIT,
  occurredAt: "2026-01-01T00:00:00Z" }] }) { results { outcome message } } }`;

/** Adds events to a shipment, but `spare` fewer than the service lets a shipment have. */
export async function events(filled: Filled, trackingNumber: string, count: number, spare: number): Promise<number> {
  await rows(
    filled,
    `insert into tracking_event (company_id, shipment_id, occurred_at, status_code, description, location)
      select $1, s.id, timestamptz '2020-01-01' + n * interval '1 minute', 'in_transit',
        repeat('Partita dalla filiale di smistamento. ', 12), 'Bologna'
      from shipment s, generate_series(1, $3::integer) n where s.company_id = $1 and s.tracking_number = $2`,
    ...[trackingNumber, count],
  );
  const { text } = await filled.attacker.graphql(EVENT, { n: trackingNumber });
  const [result] = JSON.parse(text).data?.recordTrackingEvents?.results ?? [];
  const [, most = ''] = /limit of (\d+) events/.exec(result?.message) ?? [];
  const limit = result?.outcome === 'REJECTED' ? Number(most) : count;
  if (!(limit > 0)) throw new Error(`The limit of events is not in what the service says: ${text}`);
  await rows(
    filled,
    'delete from tracking_event where company_id = $1 and id not in (select id from tracking_event where company_id = $1 order by id limit $2)',
    Math.max(0, limit - spare),
  );
  await rows(filled, 'update shipment set event_count = null where company_id = $1');
  return limit;
}

/** A tariff of one zone with so many postal codes; each takes about 13 bytes of JSON. */
export function tariffOf(places: number): object {
  const postalCodes = Array.from({ length: places }, (_, i) => `${i < 50_000 ? 'FR' : 'DE'} ${10_000 + (i % 50_000)}`);
  const [version] = TARIFF.versions;
  const [zone] = version?.zones ?? [];
  return { ...TARIFF, versions: [{ ...version, zones: [{ ...zone, to: { countries: ['IT'], postalCodes } }] }] };
}

/** Connections with tariffs of so many places each. */
export async function tariffs(filled: Filled, count: number, places: number): Promise<void> {
  const first = await connection(filled);
  const { text } = await filled.attacker.graphql(
    'mutation ($input: ImportTariffInput!) { importTariff(input: $input) { tariff { id: databaseId } } }',
    { input: { carrierConnectionId: first, tariff: tariffOf(places) } },
  );
  const id = JSON.parse(text).data?.importTariff?.tariff?.id as number | undefined;
  if (id === undefined) throw new Error(`The tariff to copy is rejected: ${text.slice(0, 300)}`);
  for (let i = 1; i < count; i++) {
    await rows(
      filled,
      `with revision as (
        insert into carrier_tariff_revision (company_id, carrier_connection_id, number, name, document, author, published_at)
          select r.company_id, $2, 1, 'Copia', r.document, 'unknown', now() from carrier_tariff_revision r
            join tariff t on t.company_id = r.company_id and t.revision_id = r.id
            where r.company_id = $1 and t.id = $3
          returning *)
        insert into tariff (company_id, carrier_connection_id, revision_id, name)
          select company_id, carrier_connection_id, id, name from revision`,
      ...[await connection(filled), id],
    );
  }
}
