import { Migration } from '@mikro-orm/migrations';

/** The new tables and columns of version 1.0. The migrations after this one fill them, and drop what nothing reads any more. */
export default class Migration20261126000000_version_1 extends Migration {
  override up(): void {
    // The ids of the keys with which something may be encrypted. A process without one of them does not start.
    this.addSql(
      'create table secrets_key (id bytea primary key check (octet_length(id) = 4), registered_at timestamptz not null default now())',
    );
    // The versions of the service that migrated the database, so that a process of an older one can stop.
    this.addSql(`
      create table migrated_version (
        version text primary key,
        oldest_beside text not null,
        migrated_at timestamptz not null default now()
      )`);
    // The parcel of a company that quotes take where sides or a volume are missing.
    this.addSql(`
      create table default_parcel (
        company_id uuid not null,
        weight numeric check (weight > 0),
        length numeric not null check (length > 0),
        width numeric not null check (width > 0),
        height numeric not null check (height > 0),
        primary key (company_id)
      )`);
    this.addSql('alter table default_parcel add foreign key (company_id) references company (id)');

    // `sealed_for` is the company that the secrets of a sandbox are sealed for, if it was a part of that company before.
    this.addSql('alter table company add column sandbox_of uuid, add column sealed_for uuid');
    this.addSql(
      'alter table company add constraint company_sandbox_of_fkey foreign key (sandbox_of) references company (id) not valid',
    );
    // The revision that is the tariff of a connection, and the versions of it that lists show.
    this.addSql("alter table tariff add column revision_id integer, add column versions jsonb not null default '[]'");
    this.addSql(`
      alter table tariff add foreign key (company_id, revision_id)
        references carrier_tariff_revision (company_id, id) not valid`);
    // Without a foreign key: entries of the timeline leave in time, and the event of a webhook stays.
    this.addSql('alter table webhook_event add column tracking_event_id bigint');
    // Null where the events were not counted yet.
    this.addSql('alter table shipment add column event_count integer');
    this.addSql('alter table customer_order add column service text, add column goods_value numeric');
    this.addSql('alter table carrier_invoice add column terms jsonb');
    this.addSql('alter table carrier_invoice_finding add column credited_cents bigint not null default 0');
    // PostgreSQL kept the bounds as casts of two words, which MikroORM misreads.
    this.addSql(`
      alter table tariff_simulation drop constraint tariff_simulation_progress_check,
        add constraint tariff_simulation_progress_check check (progress >= '0' and progress <= '1') not valid`);
  }
}
