import { Migration } from '@mikro-orm/migrations';

/** What finds the late shipments. */
export default class Migration20261121100001_shipment_expected extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    // A build that failed leaves an index that is not valid.
    this.addSql('drop index concurrently if exists shipment_expected');
    this.addSql(`
      create index concurrently shipment_expected on shipment (expected_delivery_date)
        where expected_delivery_date is not null and delay_told_at is null and delivered_at is null`);
  }
}
