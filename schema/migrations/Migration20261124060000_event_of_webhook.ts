import { Migration } from '@mikro-orm/migrations';

/**
 * The entry of the timeline that an event is about, which a selection may show when the event is first sent. It has no foreign key:
 * entries leave in time, and the event stays.
 */
export default class Migration20261124060000_event_of_webhook extends Migration {
  override up(): void {
    this.addSql('alter table webhook_event add column tracking_event_id bigint');
  }
}
