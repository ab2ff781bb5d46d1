import { Migration } from '@mikro-orm/migrations';

/**
 * How far the shipments and orders of each company were looked through for what is to go. Each walk goes along the index of the last
 * change, so that what was looked at is never read again, and `shipment`, which is written with every event, needs neither a
 * mark nor another index.
 */
export default class Migration20261123110000_old_shipments extends Migration {
  override up(): void {
    this.addSql(`
      create table old_shipment_walk (
        company_id uuid not null,
        walk text not null check (walk in ('ended', 'silent', 'orders', 'timelines')),
        at timestamptz(3) not null,
        id integer not null,
        primary key (company_id, walk)
      )`);
    this.addSql('alter table old_shipment_walk add foreign key (company_id) references company (id)');
  }
}
