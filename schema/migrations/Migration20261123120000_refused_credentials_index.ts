import { Migration } from '@mikro-orm/migrations';

/** Connections whose credentials the carrier refuses, which the metrics count every few seconds. */
export default class Migration20261123120000_refused_credentials_index extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    // A build that failed leaves an index that is not valid.
    this.addSql('drop index concurrently if exists carrier_connection_refused');
    this.addSql(`create index concurrently carrier_connection_refused on carrier_connection (carrier_code)
      where credentials_state = 'refused'`);
  }
}
