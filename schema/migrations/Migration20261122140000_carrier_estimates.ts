import { Migration } from '@mikro-orm/migrations';

/**
 * What carriers say about when a shipment will be delivered, apart from the platform's date: each estimate with when it was
 * told, and the latest with the shipment, so that a record is still one read. Beside it, when it was announced that a
 * shipment is stalled; that it is late has its mark already.
 */
export default class Migration20261122140000_carrier_estimates extends Migration {
  override up(): void {
    this.addSql(`alter table shipment add column carrier_expected_at timestamptz(3),
      add column carrier_estimate_told_at timestamptz(3), add column stall_told_at timestamptz(3)`);
    this.addSql(`
      create table shipment_estimate (
        company_id uuid not null,
        shipment_id integer not null,
        told_at timestamptz(3) not null,
        expected_at timestamptz(3) not null,
        primary key (company_id, shipment_id, told_at)
      )`);
    this.addSql(`alter table shipment_estimate add constraint shipment_estimate_shipment
      foreign key (company_id, shipment_id) references shipment (company_id, id) on delete cascade`);
  }
}
