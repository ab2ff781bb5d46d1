import { Migration } from '@mikro-orm/migrations';

/** The index by which metrics count rejected credentials for tracking, and the check of their state. */
export default class Migration20261128150001_credentials_by_question_checked extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql('alter table carrier_connection validate constraint carrier_connection_tracking_credentials_state');
    this.addSql('drop index concurrently if exists carrier_connection_tracking_refused');
    this.addSql(`create index concurrently carrier_connection_tracking_refused on carrier_connection (carrier_code)
      where tracking_credentials_state = 'refused'`);
  }
}
