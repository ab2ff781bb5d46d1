import { Migration } from '@mikro-orm/migrations';

/**
 * What came of asking a carrier about a shipment, when the carrier last answered, and when a caller last had it asked. That
 * is kept for a shipment that is no longer polled, too: its row has no time when it is due. And how many answers of
 * carriers lie between a shipment and one that the platform sent.
 */
export default class Migration20261122110000_following extends Migration {
  override up(): void {
    this.addSql('alter table tracking_poll alter column due_at drop not null');
    this.addSql(`alter table tracking_poll add column answered_at timestamptz(3), add column outcome text,
      add column refreshed_at timestamptz(3)`);
    this.addSql('alter table shipment add column hops smallint not null default 0');
  }
}
