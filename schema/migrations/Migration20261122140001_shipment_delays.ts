import { Migration } from '@mikro-orm/migrations';

/**
 * What finds late and stalled shipments, by company: those of companies that nobody is to notify are never looked at. What
 * was announced leaves the index. `shipment_expected` found late ones by the platform's date alone.
 */
export default class Migration20261122140001_shipment_delays extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    // A build that failed leaves an index that is not valid.
    this.addSql('drop index concurrently if exists shipment_late');
    this.addSql(`
      create index concurrently shipment_late on shipment (company_id, (coalesce(carrier_expected_at, expected_delivery_date)))
        where delay_told_at is null and delivered_at is null`);
    this.addSql('drop index concurrently if exists shipment_stalled');
    this.addSql(`
      create index concurrently shipment_stalled on shipment (company_id, status_code, (greatest(status_at, created_at)))
        where stall_told_at is null and delivered_at is null`);
    this.addSql('drop index concurrently if exists shipment_expected');
  }
}
