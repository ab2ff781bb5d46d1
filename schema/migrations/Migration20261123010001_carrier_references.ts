import { Migration } from '@mikro-orm/migrations';

/** What tariffs refer to and is replaced by itself: lists of places, and indexes by month, of a company's carrier. */
export default class Migration20261123010001_carrier_references extends Migration {
  override up(): void {
    this.addSql(`
      create table carrier_reference (
        company_id uuid not null references company (id),
        carrier_code text not null,
        kind text not null check (kind in ('list', 'index')),
        name text not null check (name ~ '^[a-z][a-z0-9_]{0,39}$'),
        content jsonb not null,
        revision bigint not null default nextval('tariff_revision'),
        updated_at timestamptz(3) not null default now(),
        primary key (company_id, carrier_code, kind, name)
      )`);
  }
}
