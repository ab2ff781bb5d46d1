import { Migration } from '@mikro-orm/migrations';

/** Drops an index that no statement uses: changes are read by their numbers, and each event wrote an entry. */
export default class Migration20261126110000_changes_by_number extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql('drop index concurrently if exists tracking_change_of_shipment');
  }
}
