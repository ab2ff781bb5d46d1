import { Migration } from '@mikro-orm/migrations';

/** The shipments of events from before the foreign key was made anew exist too. */
export default class Migration20261122090001_webhook_event_shipment extends Migration {
  override up(): void {
    this.addSql('alter table webhook_event validate constraint webhook_event_shipment');
  }
}
