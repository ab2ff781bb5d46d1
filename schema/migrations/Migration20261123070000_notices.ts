import { Migration } from '@mikro-orm/migrations';

/**
 * Notices: what the service tells a company, or its operator, about the service itself. They are posted to webhook endpoints
 * of the topic `notices`. What was told stands in the row that it is about, so that it is written with the notice, or not at
 * all: `failing_told` is how far towards being disabled an endpoint was when this was told last, `credentials_state` is null
 * for credentials that the carrier takes, as far as is known, and `end_told` is the last day of a tariff that was told: one
 * that gets another day is told of anew. A rotated key is told of no more: its successor is the one to mind.
 */
export default class Migration20261123070000_notices extends Migration {
  override up(): void {
    this.addSql(`alter table webhook_endpoint add column topic text not null default 'tracking',
      add column all_companies boolean not null default false, add column failing_told smallint`);
    this.addSql('alter table carrier_connection add column credentials_state text');
    this.addSql('alter table api_key add column rotated_at timestamptz(3), add column expiry_told_at timestamptz(3)');
    this.addSql('alter table tariff add column end_told date');
    this.addSql(`alter table webhook_endpoint add constraint webhook_endpoint_topic
      check (topic in ('tracking', 'notices') and (topic = 'notices' or not all_companies)) not valid`);
    this.addSql(`alter table webhook_endpoint add constraint webhook_endpoint_failing_told
      check (failing_told between 0 and 100) not valid`);
    this.addSql(`alter table carrier_connection add constraint carrier_connection_credentials_state
      check (credentials_state in ('refused', 'changed')) not valid`);
  }
}
