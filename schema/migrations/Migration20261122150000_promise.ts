import { Migration } from '@mikro-orm/migrations';

/**
 * When parcels will arrive, by the company's own deliveries: the table of each company (`promise` says when it was
 * calculated, `promise_cell` holds its rows), what it said of each shipment at its first scan, and how much of that was kept.
 * Durations are minutes of working days.
 */
export default class Migration20261122150000_promise extends Migration {
  override up(): void {
    this.addSql(`
      create table promise (
        company_id uuid not null primary key,
        began_at timestamptz(3) not null,
        computed_at timestamptz(3) not null
      )`);
    this.addSql(`
      create table promise_cell (
        company_id uuid not null,
        carrier_connection_id integer not null,
        level smallint not null check (level between 0 and 3),
        destination text not null,
        kind text not null,
        deliveries integer not null,
        earliest integer not null,
        expected integer not null,
        latest integer not null,
        primary key (company_id, carrier_connection_id, level, destination, kind)
      )`);
    this.addSql(`
      create table shipment_promise (
        company_id uuid not null,
        shipment_id integer not null,
        carrier_connection_id integer not null,
        scanned double precision not null,
        level smallint,
        earliest integer,
        expected integer,
        latest integer,
        took double precision,
        primary key (company_id, shipment_id)
      )`);
    this.addSql('create index shipment_promise_open on shipment_promise (company_id, shipment_id) where took is null');
    this.addSql(`
      create table promise_accuracy (
        company_id uuid not null,
        carrier_connection_id integer not null,
        level smallint not null check (level between 0 and 3),
        share double precision not null,
        promised integer not null,
        kept integer not null,
        primary key (company_id, carrier_connection_id, level, share)
      )`);
    this.addSql('alter table promise add foreign key (company_id) references company (id)');
    this.addSql(
      'alter table promise_cell add foreign key (company_id, carrier_connection_id) references carrier_connection (company_id, id)',
    );
    this.addSql(
      'alter table shipment_promise add foreign key (company_id, shipment_id) references shipment (company_id, id) on delete cascade',
    );
    this.addSql(
      'alter table promise_accuracy add foreign key (company_id, carrier_connection_id) references carrier_connection (company_id, id)',
    );
  }
}
