import { Migration } from '@mikro-orm/migrations';

/**
 * Tells the change logs before and after a restored backup apart: the numbers that were given after the backup are given
 * again then, to other changes. Writers do not touch the column.
 */
export default class Migration20261123010000_change_epoch extends Migration {
  override up(): void {
    this.addSql('alter table tracking_change_count add column epoch bigint not null default 0');
  }
}
