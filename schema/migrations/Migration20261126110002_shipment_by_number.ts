import { Migration } from '@mikro-orm/migrations';

/** One index for two: it finds shipments by their number, and keeps the number unique in its connection. */
export default class Migration20261126110002_shipment_by_number extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql('drop index concurrently if exists shipment_by_number');
    this.addSql(
      'create unique index concurrently shipment_by_number on shipment (company_id, tracking_key, carrier_connection_id)',
    );
  }
}
