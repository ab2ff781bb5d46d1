import { Migration } from '@mikro-orm/migrations';
import type { LegacyTariff } from '../../src/domain/tariffs/legacy/legacy.format.rules.ts';
import { translated } from '../../src/domain/tariffs/legacy/legacy.rules.ts';

type Document = Record<string, unknown>;

/** A tariff of which no revision has the document: version 0.1 kept none. */
interface UnrecordedTariff {
  readonly companyId: string;
  readonly id: number;
  readonly connectionId: number;
  readonly name: string;
  readonly format: 1 | 2;
  readonly validUntil: string | null;
}

/** A zone with the version that it is of. */
interface StoredZone {
  readonly label: string;
  readonly validFrom: string;
  /** The day before the next version begins; null for the last one. */
  readonly lastDay: string | null;
  readonly rules: Document;
  readonly code: string;
  readonly name: string;
  readonly deliveryDays: number | null;
  readonly notServed: string | null;
  readonly stepGrams: number | null;
  readonly stepCents: number | null;
  readonly places: Document | null;
  /** Grams, cents, and whatever else the band has in the place of the cents. */
  readonly bands: readonly (readonly [number, number, Document | null])[] | null;
  readonly zoneRules: (Document & { readonly to: Document }) | null;
}

const UNRECORDED = `select t.company_id as "companyId", t.id, t.carrier_connection_id as "connectionId", t.name, t.format,
    t.valid_until::text as "validUntil"
  from tariff t where not exists (select from carrier_tariff_revision r
    where r.company_id = t.company_id and r.carrier_connection_id = t.carrier_connection_id and r.content = t.revision)`;

const ZONES = `select v.label, v.valid_from::text as "validFrom", v.rules, z.code, z.name, z.delivery_days as "deliveryDays",
    (select min(n.valid_from) - 1 from tariff_version n where n.company_id = v.company_id and n.tariff_id = v.tariff_id
      and n.valid_from > v.valid_from)::text as "lastDay",
    z.not_served as "notServed", z.step_grams as "stepGrams", z.step_cents as "stepCents", z.rules as "zoneRules",
    (select json_object_agg(kind, list) from (
      select p.kind, json_agg(p.place order by p.position) as list from tariff_place p
        where (p.company_id, p.tariff_id, p.valid_from, p.zone_code) = (z.company_id, z.tariff_id, z.valid_from, z.code)
        group by p.kind) kinds) as places,
    (select json_agg(json_build_array(b.up_to_grams, b.price_cents, b.rules) order by b.up_to_grams) from tariff_band b
      where (b.company_id, b.tariff_id, b.valid_from, b.zone_code) = (z.company_id, z.tariff_id, z.valid_from, z.code)) as bands
  from tariff_version v
  join tariff_zone z on (z.company_id, z.tariff_id, z.valid_from) = (v.company_id, v.tariff_id, v.valid_from)
  where v.company_id = ?::uuid and v.tariff_id = ? order by v.valid_from, z.position`;

const RECORD = `insert into carrier_tariff_revision
    (company_id, carrier_connection_id, number, content, name, document, author, created_at, published_at)
  select t.company_id, t.carrier_connection_id,
      (select coalesce(max(r.number), 0) + 1 from carrier_tariff_revision r
        where r.company_id = t.company_id and r.carrier_connection_id = t.carrier_connection_id),
      t.revision, t.name, ?::jsonb, 'unknown', t.updated_at, t.updated_at
    from tariff t where t.company_id = ?::uuid and t.id = ?`;

const PUT_IN_FORCE = `update tariff t set revision_id = r.id,
    versions = (select jsonb_agg(jsonb_build_object('label', v -> 'label', 'validFrom', v -> 'validFrom'))
      from jsonb_array_elements(r.document -> 'versions') v)
  from carrier_tariff_revision r
  where r.company_id = t.company_id and r.carrier_connection_id = t.carrier_connection_id and r.content = t.revision`;

const IN_FORMAT_1 = `select company_id as "companyId", id from carrier_tariff_revision where document -> 'format' is null`;
const DOCUMENT = 'select document from carrier_tariff_revision where company_id = ?::uuid and id = ?';
const REPLACE = 'update carrier_tariff_revision set document = ?::jsonb where company_id = ?::uuid and id = ?';

function zoneOf({ code, name, places, bands, zoneRules, ...zone }: StoredZone): Document {
  const { anywhere, ...to } = places ?? {};
  const { to: further, ...rules } = zoneRules ?? { to: {} };
  return {
    ...{ code, name, to: { ...to, ...(anywhere !== undefined && { anywhere: true }), ...further } },
    ...(zone.deliveryDays !== null && { deliveryDays: zone.deliveryDays }),
    ...(zone.notServed !== null && { notServed: zone.notServed }),
    bands: (bands ?? []).map(([grams, cents, others]) => ({
      upToKg: grams / 1_000,
      ...(others ?? { price: cents / 100 }),
    })),
    ...rules,
    ...(zone.stepGrams !== null &&
      zone.stepCents !== null && { beyond: { everyKg: zone.stepGrams / 1_000, price: zone.stepCents / 100 } }),
  };
}

function documentOf({ format, name, validUntil }: UnrecordedTariff, zones: readonly StoredZone[]): Document {
  const versions: (Document & { readonly validFrom: string; readonly zones: Document[] })[] = [];
  for (const zone of zones) {
    const { label, validFrom, lastDay, rules } = zone;
    const until = lastDay ?? validUntil;
    if (versions.at(-1)?.validFrom !== validFrom)
      versions.push({ label, validFrom, ...(until !== null && { validUntil: until }), ...rules, zones: [] });
    versions.at(-1)?.zones.push(zoneOf(zone));
  }
  return { ...(format === 2 && { format }), name, currency: 'EUR', versions };
}

/**
 * Makes the document of a revision the only place where a tariff is, in one format. A tariff without a revision is recorded as
 * one, and revisions in the format of version 0.1 are translated, which prices the same. Then `tariff` names the revision that is
 * in force, and the tables of versions, zones, places and bands go. The processes of 0.1 and 0.2 read them, and must have stopped.
 */
export default class Migration20261126000003_one_tariff_store extends Migration {
  readonly contracts = [
    ...['tariff_version', 'tariff_zone', 'tariff_place', 'tariff_band'],
    ...['tariff.revision', 'tariff.format', 'carrier_tariff_revision.content'],
  ];

  override async up(): Promise<void> {
    for (const tariff of (await this.execute(UNRECORDED)) as UnrecordedTariff[]) {
      const { companyId, id } = tariff;
      const zones = (await this.execute(ZONES, [companyId, id])) as StoredZone[];
      await this.execute(RECORD, [JSON.stringify(documentOf(tariff, zones)), companyId, id]);
    }
    for (const { companyId, id } of (await this.execute(IN_FORMAT_1)) as Pick<UnrecordedTariff, 'companyId' | 'id'>[]) {
      const [stored] = (await this.execute(DOCUMENT, [companyId, id])) as [{ document: LegacyTariff }];
      await this.execute(REPLACE, [JSON.stringify(translated(stored.document)), companyId, id]);
    }
    await this.execute(PUT_IN_FORCE);
    this.addSql('alter table tariff drop column revision, drop column format');
    this.addSql('alter table tariff add constraint tariff_is_revision check (revision_id is not null) not valid');
    this.addSql('alter table carrier_tariff_revision drop column content');
    this.addSql(`alter table carrier_tariff_revision add constraint carrier_tariff_revision_published
      check ((number is null) = (published_at is null)) not valid`);
    for (const table of ['tariff_band', 'tariff_place', 'tariff_zone', 'tariff_version'])
      this.addSql(`drop table ${table}`);
  }
}
