import { Migration } from '@mikro-orm/migrations';

/**
 * When the carrier is asked next about a shipment; a row is there exactly while the shipment is followed. A table of its
 * own, since every poll writes it twice and `shipment` has many indexes. No connection has credentials yet, so nothing
 * is followed yet.
 */
export default class Migration20261121120000_polling extends Migration {
  override up(): void {
    this.addSql(`
      create table tracking_poll (
        company_id uuid not null,
        shipment_id integer not null,
        carrier_connection_id integer not null,
        due_at timestamptz(3) not null,
        polled_at timestamptz(3),
        misses smallint not null default 0 check (misses >= 0),
        answer bytea,
        primary key (company_id, shipment_id),
        foreign key (company_id, shipment_id) references shipment (company_id, id) on delete cascade,
        foreign key (company_id, carrier_connection_id) references carrier_connection (company_id, id)
      ) with (fillfactor = 70)`);
    // No other: each would be written twice a poll. A connection's are found among its company's.
    this.addSql('create index tracking_poll_due on tracking_poll (due_at)');
    // Where the shipments of a connection are not all followed yet: the last that is.
    this.addSql('alter table carrier_connection add column follow_after integer');
  }
}
