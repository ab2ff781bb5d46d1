import { Migration } from '@mikro-orm/migrations';

/**
 * What lists of shipments and orders are walked along, in their order: each index ends with the id, so that a page goes on
 * where the one before ended. `shipment_by_expected` and `shipment_silent` take the places of `shipment_late` and
 * `shipment_stalled`, and have the shipments too whose delay was announced: half of the index is for the jobs that look for
 * those that were not, and both are for lists. A shipment is written to every index whenever it moves, so they are few.
 */
export default class Migration20261123010000_lists extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    const indexes = {
      shipment_by_connection: 'shipment (company_id, carrier_connection_id, id)',
      shipment_by_created: 'shipment (company_id, created_at, id)',
      shipment_by_updated: 'shipment (company_id, updated_at, id)',
      shipment_by_delivered: 'shipment (company_id, delivered_at, id) where delivered_at is not null',
      shipment_by_expected: `shipment (company_id, (delay_told_at is null), (coalesce(carrier_expected_at, expected_delivery_date)), id)
        where delivered_at is null`,
      shipment_silent: `shipment (company_id, (stall_told_at is null), status_code, (greatest(status_at, created_at)), id)
        where delivered_at is null`,
      customer_order_by_created: 'customer_order (company_id, created_at, id)',
      customer_order_by_updated: 'customer_order (company_id, updated_at, id)',
      customer_order_of_marketplace: 'customer_order (company_id, marketplace, id) where marketplace is not null',
    };
    for (const [name, of] of Object.entries(indexes)) {
      // A build that failed leaves an index that is not valid.
      this.addSql(`drop index concurrently if exists ${name}`);
      this.addSql(`create index concurrently ${name} on ${of}`);
    }
    for (const former of ['shipment_late', 'shipment_stalled', 'customer_order_by_marketplace']) {
      this.addSql(`drop index concurrently if exists ${former}`);
    }
  }
}
