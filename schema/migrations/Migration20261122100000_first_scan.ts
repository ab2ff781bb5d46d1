import { Migration } from '@mikro-orm/migrations';

/**
 * When a shipment was first scanned by its carrier, and when it was shipped by what the carrier says. Events set both; for
 * the shipments that there are, the next migration does.
 */
export default class Migration20261122100000_first_scan extends Migration {
  override up(): void {
    this.addSql('alter table shipment add column first_scan_at timestamptz(3), add column shipped_at timestamptz(3)');
  }
}
