import { Migration } from '@mikro-orm/migrations';

/** The number of a shipment's events, so that recording does not count them. Null where they were not counted yet. */
export default class Migration20261126110001_event_count extends Migration {
  override up(): void {
    this.addSql('alter table shipment add column event_count integer');
  }
}
