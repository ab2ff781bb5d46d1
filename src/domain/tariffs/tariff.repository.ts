import { listLoader, rowLoader } from '../../platform/database/gather/loader.ts';
import { type ListPage, WHOLE_LIST } from '../../platform/database/lists/page.ts';
import { companyStatement } from '../../platform/database/statements/statements.ts';
import type { Reader, Tenant } from '../../platform/database/tenancy/tenancy.ts';
import type { TenantTransaction } from '../../platform/database/tenancy/tenant-transaction.ts';
import { inTurns } from '../../platform/limits/turns.ts';
import { dayBefore } from './compile.rules.ts';
import type { FirstVersion, FirstZone } from './first.format.rules.ts';
import type { Area } from './place.format.rules.ts';
import { isFirst } from './second.rules.ts';
import type { Band, Tariff, TariffVersion, Zone } from './tariff.format.rules.ts';
import { DECIMALS, decimalNumber, scaled } from './units.rules.ts';

/** A tariff without its prices. */
export interface TariffRow {
  readonly id: number;
  readonly carrierCompanyId: number;
  readonly name: string;
  /** Last day; null for until further notice. */
  readonly validUntil: string | null;
  readonly versions: readonly { readonly label: string; readonly validFrom: string }[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const tariffColumns = (
  companyId: string,
) => `t.id, t.carrier_connection_id as "carrierCompanyId", t.name, t.valid_until::text as "validUntil",
  t.created_at as "createdAt", t.updated_at as "updatedAt",
  (select json_agg(json_build_object('label', v.label, 'validFrom', v.valid_from) order by v.valid_from)
    from tariff_version v where v.company_id = ${companyId} and v.tariff_id = t.id) as versions`;

const LIST = companyStatement(
  'tariffs',
  `select ${tariffColumns('$1')} from tariff t
    join carrier_connection c on c.company_id = t.company_id and c.id = t.carrier_connection_id
    where t.company_id = $1 and c.disconnected_at is null and ($2::bigint is null or t.id > $2) order by t.id limit $3`,
);
const COUNT = companyStatement(
  'count-tariffs',
  `select count(*)::integer as count from tariff t
    join carrier_connection c on c.company_id = t.company_id and c.id = t.carrier_connection_id
    where t.company_id = $1 and c.disconnected_at is null`,
);
const BY_ID = rowLoader<[id: number], TariffRow>({
  name: 'tariff-by-id',
  key: { id: 'integer' },
  text: `select ${tariffColumns('each.company_id')} from tariff t where t.company_id = each.company_id and t.id = each.id`,
});
const BY_CONNECTION = rowLoader<[connectionId: number], TariffRow>({
  name: 'tariff-of-connection',
  key: { id: 'integer' },
  text: `select ${tariffColumns('each.company_id')} from tariff t where t.company_id = each.company_id and t.carrier_connection_id = each.id`,
});

export function listTariffs(tenant: Tenant, page: ListPage<number> = WHOLE_LIST): Promise<TariffRow[]> {
  return tenant.rows<TariffRow>(LIST, page.after, page.limit);
}

/** How many there are in the list; a connection has one at most, and a cap keeps connections few. */
export async function countTariffs(tenant: Tenant): Promise<number> {
  const [row] = await tenant.rows<{ count: number }>(COUNT);
  return row?.count ?? 0;
}

export function tariffById(tenant: Tenant, id: number): Promise<TariffRow | undefined> {
  return tenant.load(BY_ID, id);
}

export function tariffOfConnection(reader: Reader, connectionId: number): Promise<TariffRow | undefined> {
  return reader.load(BY_CONNECTION, connectionId);
}

/** A connection that may be quoted, with the tariff it has now. */
interface QuotedConnectionRow {
  readonly id: number;
  readonly carrierCode: string;
  readonly tariffId: number | null;
  readonly revision: string | null;
  /** Changes with what the carrier has, where the tariff can refer to it. */
  readonly referencesRevision: string | null;
}

const CONNECTIONS = companyStatement(
  'quoted-connections',
  `select c.id, c.carrier_code as "carrierCode", t.id as "tariffId", t.revision::text,
      case when t.format = 2 then (select max(r.revision)::text from carrier_reference r
        where r.company_id = $1 and r.carrier_code = c.carrier_code) end as "referencesRevision"
    from carrier_connection c left join tariff t on t.company_id = c.company_id and t.carrier_connection_id = c.id
    where c.company_id = $1 and c.is_active order by c.id`,
);

export function quotedConnections(tenant: Tenant): Promise<QuotedConnectionRow[]> {
  return tenant.rows<QuotedConnectionRow>(CONNECTIONS);
}

/** Of either format. */
type AnyVersion = FirstVersion | TariffVersion;
type AnyZone = FirstZone | Zone;

/** What a zone of the second format has beside columns and rows. */
interface ZoneRules extends Pick<Zone, 'from' | 'beyond' | 'pallets'> {
  readonly to: Pick<Area, 'lists' | 'sameProvince' | 'sameRegion' | 'except'>;
}

/** A zone with its version and its tariff. */
interface StoredZone {
  readonly tariff: string;
  readonly format: 1 | 2;
  readonly revision: string;
  readonly validUntil: string | null;
  readonly label: string;
  readonly validFrom: string;
  /** Given with the first zone of a version. */
  readonly rules: Omit<AnyVersion, 'label' | 'validFrom' | 'validUntil' | 'zones'> | null;
  /** Of the second format alone. */
  readonly zoneRules: ZoneRules | null;
  readonly code: string;
  readonly name: string;
  readonly deliveryDays: number | null;
  readonly notServed: string | null;
  readonly stepGrams: number | null;
  readonly stepCents: number | null;
  readonly places: Readonly<Record<string, string[]>> | null;
  /** Grams, cents, and whatever else the band has in the place of the cents. */
  readonly bands: readonly (readonly [number, number, Omit<Band, 'upToKg'> | null])[] | null;
}

// One statement, so that all of it is of one moment; a row for each zone, so that none of them takes long to read.
const WHOLE = listLoader<[id: number], StoredZone>({
  name: 'whole-tariff',
  key: { id: 'integer' },
  text: `select t.name as tariff, t.format, t.revision::text, t.valid_until::text as "validUntil", v.label, v.valid_from::text as "validFrom",
    case when z.position = 0 then v.rules end as rules, z.code, z.name, z.delivery_days as "deliveryDays",
    z.not_served as "notServed", z.step_grams as "stepGrams", z.step_cents as "stepCents", places.list as places, bands.list as bands,
    z.rules as "zoneRules", z.position
  from tariff t
  join tariff_version v on v.company_id = t.company_id and v.tariff_id = t.id
  join tariff_zone z on (z.company_id, z.tariff_id, z.valid_from) = (v.company_id, v.tariff_id, v.valid_from)
  cross join lateral (
    select json_object_agg(kind, list order by kind) as list from (
      select p.kind, json_agg(p.place order by p.position) as list from tariff_place p
      where (p.company_id, p.tariff_id, p.valid_from, p.zone_code) = (each.company_id, z.tariff_id, z.valid_from, z.code)
      group by p.kind) kinds) places
  cross join lateral (
    select json_agg(json_build_array(b.up_to_grams, b.price_cents, b.rules) order by b.up_to_grams) as list from tariff_band b
    where (b.company_id, b.tariff_id, b.valid_from, b.zone_code) = (each.company_id, z.tariff_id, z.valid_from, z.code)) bands
  where t.company_id = each.company_id and t.id = each.id`,
  order: 'r."validFrom", r.position',
  isSplitByCompany: true,
});

/** A tariff as it may be imported again, and the revision that is. */
export async function wholeTariff(
  reader: Reader,
  id: number,
): Promise<{ tariff: Tariff; revision: string } | undefined> {
  const zones = await reader.load(WHOLE, id);
  const [first] = zones;
  if (!first) return undefined;
  return { tariff: await tariffOf(reader.companyId, first, zones), revision: first.revision };
}

async function tariffOf(owner: string, first: StoredZone, stored: readonly StoredZone[]): Promise<Tariff> {
  const { tariff: name, format, validUntil } = first;
  const versions: (Pick<AnyVersion, 'label' | 'validFrom' | 'validUntil'> & { zones: AnyZone[] })[] = [];
  for await (const row of inTurns(owner, stored)) {
    const { label, validFrom, rules } = row;
    // The first of a version, which ends the one before.
    if (rules) {
      const before = versions.at(-1);
      if (before) before.validUntil = dayBefore(validFrom);
      versions.push({ label, validFrom, ...(validUntil !== null && { validUntil }), ...rules, zones: [] });
    }
    versions.at(-1)?.zones.push(zoneOf(row));
  }
  return { ...(format === 2 && { format }), name, currency: 'EUR', versions } as Tariff;
}

function zoneOf(row: StoredZone): AnyZone {
  const { code, name, deliveryDays, notServed, stepGrams, stepCents, places, bands, zoneRules } = row;
  const { anywhere, ...to } = places ?? {};
  const { to: further, ...rules } = zoneRules ?? { to: {} };
  return {
    code,
    name,
    to: { ...to, ...(anywhere && { anywhere: true }), ...further } as Area,
    ...(deliveryDays !== null && { deliveryDays }),
    ...(notServed !== null && { notServed }),
    bands: (bands ?? []).map(([grams, cents, others]) => ({
      upToKg: decimalNumber(grams, DECIMALS.kg),
      ...(others ?? { price: decimalNumber(cents, DECIMALS.money) }),
    })),
    ...rules,
    ...(stepGrams !== null &&
      stepCents !== null && {
        beyond: { everyKg: decimalNumber(stepGrams, DECIMALS.kg), price: decimalNumber(stepCents, DECIMALS.money) },
      }),
  } as AnyZone;
}

const LOCK_CONNECTION = companyStatement(
  'lock-connection',
  'select id from carrier_connection where company_id = $1 and id = $2 and disconnected_at is null for no key update',
);

/** Holds the connection until the transaction ends, so that imports of one tariff follow each other. */
export async function lockConnection(tx: TenantTransaction, connectionId: number): Promise<boolean> {
  return (await tx.rows(LOCK_CONNECTION, connectionId)).length > 0;
}

const SAVE_TARIFF = companyStatement(
  'save-tariff',
  `insert into tariff (company_id, carrier_connection_id, name, valid_until, format)
    select company_id, id, $3::text, $4::date, $5::smallint from carrier_connection where company_id = $1 and id = $2
    on conflict on constraint tariff_of_connection do update set name = excluded.name, valid_until = excluded.valid_until,
      format = excluded.format, revision = excluded.revision, updated_at = excluded.updated_at
    returning id`,
);
const CLEAR = companyStatement('clear-tariff', 'delete from tariff_version where company_id = $1 and tariff_id = $2');
const SAVE_VERSIONS = companyStatement(
  'save-tariff-versions',
  `insert into tariff_version (company_id, tariff_id, valid_from, label, rules)
    select t.company_id, t.id, v.* from tariff t
    cross join jsonb_to_recordset($3::jsonb) as v("validFrom" date, label text, rules jsonb)
    where t.company_id = $1 and t.id = $2`,
);
const SAVE_ZONES = companyStatement(
  'save-tariff-zones',
  `insert into tariff_zone (company_id, tariff_id, valid_from, code, position, name, delivery_days, not_served, step_grams, step_cents, rules)
    select t.company_id, t.id, z.* from tariff t
    cross join jsonb_to_recordset($3::jsonb) as z("validFrom" date, code text, position integer, name text, "deliveryDays" integer,
      "notServed" text, "stepGrams" integer, "stepCents" integer, rules jsonb)
    where t.company_id = $1 and t.id = $2`,
);
const SAVE_PLACES = companyStatement(
  'save-tariff-places',
  `insert into tariff_place (company_id, tariff_id, valid_from, zone_code, kind, position, place, origins)
    select t.company_id, t.id, p.* from tariff t
    cross join unnest($3::date[], $4::text[], $5::text[], $6::integer[], $7::text[], $8::text[]) as p
    where t.company_id = $1 and t.id = $2`,
);
const SAVE_BANDS = companyStatement(
  'save-tariff-bands',
  `insert into tariff_band (company_id, tariff_id, valid_from, zone_code, up_to_grams, price_cents, rules)
    select t.company_id, t.id, b.* from tariff t
    cross join unnest($3::date[], $4::text[], $5::integer[], $6::integer[], $7::jsonb[]) as b
    where t.company_id = $1 and t.id = $2`,
);

/** Rows that one statement writes. */
const PORTION = 2_000;

/** Writes a tariff in the place of the one its connection has; returns its id. */
export async function saveTariff(tx: TenantTransaction, connectionId: number, tariff: Tariff): Promise<number> {
  const { name, versions } = tariff;
  const until = versions.at(-1)?.validUntil ?? null;
  const [saved] = await tx.rows<{ id: number }>(SAVE_TARIFF, connectionId, name, until, isFirst(tariff) ? 1 : 2);
  const id = saved?.id ?? 0;
  await tx.rows(CLEAR, id);
  for (const version of versions) {
    const { label, validFrom, validUntil: _until, zones, ...rules } = version;
    await tx.rows(SAVE_VERSIONS, id, JSON.stringify([{ label, validFrom, rules }]));
    await tx.rows(SAVE_ZONES, id, JSON.stringify(zones.map(zoneRow(validFrom))));
  }
  for (const places of portions(versions, placeRows)) {
    await tx.rows(SAVE_PLACES, id, ...columns(places, ['validFrom', 'zone', 'kind', 'position', 'place', 'origins']));
  }
  for (const bands of portions(versions, bandRows)) {
    await tx.rows(SAVE_BANDS, id, ...columns(bands, ['validFrom', 'zone', 'grams', 'cents', 'rules']));
  }
  return id;
}

/** Rows of all zones, in portions that are made only when they are written, so that none of them takes long. */
function* portions<Row>(
  versions: readonly AnyVersion[],
  rowsOf: (validFrom: string, zone: AnyZone) => Iterable<Row>,
): Generator<Row[], void> {
  let portion: Row[] = [];
  for (const { validFrom, zones } of versions) {
    for (const zone of zones) {
      for (const row of rowsOf(validFrom, zone)) {
        if (portion.push(row) < PORTION) continue;
        yield portion;
        portion = [];
      }
    }
  }
  if (portion.length > 0) yield portion;
}

const zoneRow =
  (validFrom: string) =>
  (zone: AnyZone, position: number): object => {
    const { code, name, deliveryDays, notServed } = zone;
    const row = { validFrom, code, position, name, deliveryDays, notServed };
    if (isSecondZone(zone)) return { ...row, rules: rulesOf(zone) };
    const { beyond } = zone;
    return {
      ...row,
      stepGrams: beyond && scaled(beyond.everyKg, DECIMALS.kg),
      stepCents: beyond && scaled(beyond.price, DECIMALS.money),
    };
  };

function isSecondZone(zone: AnyZone): zone is Zone {
  return 'pallets' in zone;
}

function rulesOf({ from, beyond, pallets, to: { lists, sameProvince, sameRegion, except } }: Zone): ZoneRules {
  return { from, beyond, pallets, to: { lists, sameProvince, sameRegion, except } };
}

/** What of a zone's places is stored with its rules. */
const NO_ROWS: ReadonlySet<string> = new Set(['lists', 'sameProvince', 'sameRegion', 'except']);

function* placeRows(validFrom: string, { code, to, ...zone }: AnyZone) {
  const origins = 'from' in zone ? (zone.from ?? []).toSorted().join(' ') : '';
  for (const [kind, places] of Object.entries(to)) {
    if (NO_ROWS.has(kind)) continue;
    const stored = new Set<string>();
    for (const place of Array.isArray(places) ? places : ['anywhere']) {
      // Given twice, a place is stored once.
      if (stored.has(place)) continue;
      yield { validFrom, zone: code, kind, position: stored.size, place, origins };
      stored.add(place);
    }
  }
}

function* bandRows(validFrom: string, { code, bands }: AnyZone) {
  for (const { overKg: _, upToKg, price, ...others } of bands) {
    const isPrice = Object.keys(others).length === 0;
    yield {
      validFrom,
      zone: code,
      grams: scaled(upToKg, DECIMALS.kg),
      cents: scaled(price ?? 0, DECIMALS.money),
      rules: isPrice ? null : JSON.stringify({ ...(price !== undefined && { price }), ...others }),
    };
  }
}

function columns<Row extends object>(rows: readonly Row[], names: readonly (keyof Row)[]): unknown[][] {
  return names.map(name => rows.map(row => row[name]));
}
