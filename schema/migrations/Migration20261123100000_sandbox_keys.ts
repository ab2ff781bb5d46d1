import { Migration } from '@mikro-orm/migrations';

/** Keys of the sandbox, and what was made with them that belongs to no connection. What there is was made with live keys. */
export default class Migration20261123100000_sandbox_keys extends Migration {
  override up(): void {
    for (const table of ['api_key', 'webhook_endpoint', 'tariff_simulation']) {
      this.addSql(`alter table ${table} add column environment text not null default 'live'`);
      this.addSql(`alter table ${table} add constraint ${table}_environment_check
        check (environment in ('live', 'sandbox')) not valid`);
    }
  }
}
