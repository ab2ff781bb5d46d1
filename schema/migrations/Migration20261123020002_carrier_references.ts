import { Migration } from '@mikro-orm/migrations';

/**
 * What tariffs refer to and is replaced by itself: lists of places, and indexes by month, of a company's carrier. A place is
 * claimed once for the same origins, and no longer once in all.
 */
export default class Migration20261123020002_carrier_references extends Migration {
  override up(): void {
    this.addSql(`
      create table carrier_reference (
        company_id uuid not null,
        carrier_code text not null,
        kind text not null check (kind in ('list', 'index')),
        name text not null check (name ~ '^[a-z][a-z0-9_]{0,39}$'),
        content jsonb not null,
        revision bigint not null default nextval('tariff_revision'),
        updated_at timestamptz(3) not null default now(),
        primary key (company_id, carrier_code, kind, name)
      )`);
    this.addSql('alter table carrier_reference add foreign key (company_id) references company (id)');
    this.addSql('alter table tariff validate constraint tariff_format');
    this.addSql('alter table tariff_zone validate constraint tariff_zone_rules');
    this.addSql('alter table tariff_band validate constraint tariff_band_rules');
    this.addSql('alter table tariff_place drop constraint tariff_place_once');
  }
}
