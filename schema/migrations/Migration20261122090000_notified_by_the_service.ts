import { Migration } from '@mikro-orm/migrations';

/**
 * Drops the triggers that notify, since the service notifies by itself, and a foreign key that sets a part of itself to null,
 * since nothing deletes shipments. A process of the version before sees a change within a second.
 */
export default class Migration20261122090000_notified_by_the_service extends Migration {
  override up(): void {
    this.addSql('drop trigger api_key_changed on api_key');
    this.addSql('drop trigger quotes_changed on carrier_connection');
    this.addSql('drop trigger quotes_changed on tariff');
    this.addSql('drop function notify_api_key_changed()');
    this.addSql('drop function notify_quotes_changed()');
    this.addSql('alter table webhook_event drop constraint webhook_event_company_id_shipment_id_fkey');
    this.addSql(`alter table webhook_event add constraint webhook_event_shipment
      foreign key (company_id, shipment_id) references shipment (company_id, id) not valid`);
  }
}
