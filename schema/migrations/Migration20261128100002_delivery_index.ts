import { Migration } from '@mikro-orm/migrations';

/**
 * The index of deliveries gets the columns that the scorecard of carriers compares, so that it reads no row of a shipment.
 * It takes the place of the former one, which is kept until it is built: a shipment is written to as many indexes as before.
 */
export default class Migration20261128100002_delivery_index extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    // A build that failed leaves an index that is not valid.
    this.addSql('drop index concurrently if exists shipment_by_delivery');
    this.addSql(`
      create index concurrently shipment_by_delivery on shipment (company_id, delivered_at, id)
        include (carrier_connection_id, carrier_expected_at, expected_delivery_date) where delivered_at is not null`);
    this.addSql('drop index concurrently if exists shipment_by_delivered');
    this.addSql('alter index shipment_by_delivery rename to shipment_by_delivered');
  }
}
