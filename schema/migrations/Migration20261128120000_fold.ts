import { Migration } from '@mikro-orm/migrations';

/**
 * What the fold of a shipment's events needs: whose label an event names, which deliveries are the carrier's word, which
 * events no longer move the shipment, and up to where the shipment's row has its events. A shipment whose state counts fewer events than it has, which are those of
 * earlier versions, is folded whole with its next event.
 */
export default class Migration20261128120000_fold extends Migration {
  override up(): void {
    this.addSql(`alter table tracking_event
      add column label text, add column is_carrier_delivery boolean, add column is_taken_back boolean`);
    this.addSql(`alter table shipment
      add column folded_events integer, add column folded_to timestamptz(3), add column is_returning boolean not null default false`);
  }
}
