import { Migration } from '@mikro-orm/migrations';

/** The checks of environments hold for the rows from before them too. */
export default class Migration20261123100001_sandbox_keys_checked extends Migration {
  override up(): void {
    for (const table of ['api_key', 'webhook_endpoint', 'tariff_simulation']) {
      this.addSql(`alter table ${table} validate constraint ${table}_environment_check`);
    }
  }
}
