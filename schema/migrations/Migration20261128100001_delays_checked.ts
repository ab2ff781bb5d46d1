import { Migration } from '@mikro-orm/migrations';

/** Validates what the migration before has changed, without a lock that stops writes. */
export default class Migration20261128100001_delays_checked extends Migration {
  override up(): void {
    this.addSql('alter table tracking_change validate constraint tracking_change_kind_check');
  }
}
