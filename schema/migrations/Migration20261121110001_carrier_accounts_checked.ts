import { Migration } from '@mikro-orm/migrations';

/** The checks of carriers' accounts hold for the rows from before them too. */
export default class Migration20261121110001_carrier_accounts_checked extends Migration {
  override up(): void {
    for (const what of ['environment_check', 'base_url_check', 'check']) {
      this.addSql(`alter table carrier_connection validate constraint carrier_connection_${what}`);
    }
  }
}
