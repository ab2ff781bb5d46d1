import { Migration } from '@mikro-orm/migrations';

/** InPost is asked without an account from now on: workers poll the open shipments of its connections. */
export default class Migration20261128160000_followed_without_account extends Migration {
  override up(): void {
    this.addSql(`
      update carrier_connection set follow_after = 0
        where carrier_code = 'INPOST' and is_active and disconnected_at is null and follow_after is null`);
  }
}
