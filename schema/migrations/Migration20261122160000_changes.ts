import { Migration } from '@mikro-orm/migrations';

/**
 * The change log of each company: what happened to its shipments, numbered from 1 without a gap, in the order in which it
 * was committed. `tracking_change_count` holds the number of the last change, and that of the last one that was deleted
 * because of its age. A change refers to no other table: it stays when its shipment is gone, so that no number is missing, and
 * PostgreSQL has nothing to look up for each row.
 */
export default class Migration20261122160000_changes extends Migration {
  override up(): void {
    this.addSql(`
      create table tracking_change_count (
        company_id uuid not null primary key,
        last bigint not null,
        forgotten bigint not null default 0
      ) with (fillfactor = 50)`);
    this.addSql(`
      create table tracking_change (
        company_id uuid not null,
        number bigint not null,
        kind text not null check (kind in ('created', 'updated', 'status', 'event', 'estimate', 'related')),
        shipment_id integer not null,
        at timestamptz(3) not null default now(),
        event_id bigint,
        status_code text,
        previous_status_code text,
        detail jsonb,
        primary key (company_id, number)
      )`);
    this.addSql('create index tracking_change_of_shipment on tracking_change (company_id, shipment_id, number)');
    this.addSql('alter table tracking_change_count add foreign key (company_id) references company (id)');
  }
}
