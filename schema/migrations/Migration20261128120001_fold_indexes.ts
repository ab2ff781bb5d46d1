import { Migration } from '@mikro-orm/migrations';

/** Indexes by their names, in the place of those of version 1.0 with the same names. */
const INDEXES: Readonly<Record<string, string>> = {
  // The same scan of two labels is two events. An event of version 1.0 has no label, so it is stored once as before.
  tracking_event_once: `create unique index concurrently tracking_event_once_next on tracking_event (company_id, shipment_id,
    occurred_at, coalesce(carrier_status_code, case when is_carrier_delivery then 'delivered' else status_code end),
    coalesce(location, ''), coalesce(label, ''))`,
  // Carriers use numbers again. Shipments are created under the lock of their company, by version 1.0 too.
  shipment_by_number: `create index concurrently shipment_by_number_next on shipment (company_id, tracking_key,
    carrier_connection_id, id)`,
};

/** Lets a shipment have the scan of each of its labels, and a number several shipments. */
export default class Migration20261128120001_fold_indexes extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    for (const [name, index] of Object.entries(INDEXES)) {
      // A build that failed leaves an index that is not valid.
      this.addSql(`drop index concurrently if exists ${name}_next`);
      this.addSql(index);
      this.addSql(`drop index concurrently if exists ${name}`);
      this.addSql(`alter index ${name}_next rename to ${name}`);
    }
  }
}
