import { Migration } from '@mikro-orm/migrations';

/** What the platform keeps with orders and shipments for its own purposes: texts by keys of its choice. */
export default class Migration20261123000000_metadata extends Migration {
  override up(): void {
    this.addSql(`alter table customer_order add column metadata jsonb not null default '{}'`);
    this.addSql(`alter table shipment add column metadata jsonb not null default '{}'`);
  }
}
