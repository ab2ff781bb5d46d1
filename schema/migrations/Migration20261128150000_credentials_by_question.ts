import { Migration } from '@mikro-orm/migrations';

/** What a carrier can be asked with a connection's credentials, and its verdict on those that are for tracking alone. */
export default class Migration20261128150000_credentials_by_question extends Migration {
  override up(): void {
    this.addSql(
      'alter table carrier_connection add column questions text[], add column tracking_credentials_state text',
    );
    this.addSql(`alter table carrier_connection add constraint carrier_connection_tracking_credentials_state
      check (tracking_credentials_state in ('refused', 'changed')) not valid`);
  }
}
