import { Migration } from '@mikro-orm/migrations';

/**
 * The environment of a key, an endpoint and a simulation is that of its company. No version that was released had the columns.
 * That of `carrier_connection` stays, since version 0.1 reads it.
 */
export default class Migration20261125010003_without_environments extends Migration {
  readonly contracts = ['api_key.environment', 'webhook_endpoint.environment', 'tariff_simulation.environment'];

  override up(): void {
    this.addSql('alter table company validate constraint company_sandbox_of_fkey');
    for (const table of ['api_key', 'webhook_endpoint', 'tariff_simulation']) {
      this.addSql(`alter table ${table} drop column environment`);
    }
  }
}
