import { Migration } from '@mikro-orm/migrations';

/** The index of the migration before takes the place of two. */
export default class Migration20261126110003_shipment_once extends Migration {
  override up(): void {
    this.addSql('alter table shipment drop constraint shipment_once');
    this.addSql('drop index shipment_by_tracking_key');
  }
}
