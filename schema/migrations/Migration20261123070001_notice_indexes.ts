import { Migration } from '@mikro-orm/migrations';

/** What notices are found by: endpoints of the operator, and what ends soon and was not told yet. */
export default class Migration20261123070001_notice_indexes extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql('alter table webhook_endpoint validate constraint webhook_endpoint_topic');
    this.addSql('alter table webhook_endpoint validate constraint webhook_endpoint_failing_told');
    this.addSql('alter table carrier_connection validate constraint carrier_connection_credentials_state');
    const indexes = {
      webhook_endpoint_of_all_companies: 'webhook_endpoint (company_id) where all_companies and is_active',
      api_key_expiry_untold: `api_key (company_id, expires_at)
        where expires_at is not null and revoked_at is null and rotated_at is null and expiry_told_at is null`,
      tariff_end_untold: 'tariff (company_id, valid_until) where valid_until is distinct from end_told',
    };
    for (const [name, of] of Object.entries(indexes)) {
      // A build that failed leaves an index that is not valid.
      this.addSql(`drop index concurrently if exists ${name}`);
      this.addSql(`create index concurrently ${name} on ${of}`);
    }
  }
}
