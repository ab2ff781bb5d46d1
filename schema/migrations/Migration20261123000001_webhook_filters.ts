import { Migration } from '@mikro-orm/migrations';

/**
 * Which events an endpoint receives, and what of them: a filter, and a GraphQL selection in place of the record. A delivery
 * that a selection made has a body of its own; one that a filter let pass has a number, so that its receiver sees gaps.
 * The numbers are counted in a table beside the endpoints, whose rows attempts change all the time.
 */
export default class Migration20261123000001_webhook_filters extends Migration {
  override up(): void {
    this.addSql('alter table webhook_endpoint add column filter jsonb, add column selection text');
    this.addSql('alter table webhook_delivery add column body text, add column number bigint');
    this.addSql(`
      create table webhook_endpoint_count (
        company_id uuid not null,
        endpoint_id uuid not null,
        last bigint not null,
        primary key (company_id, endpoint_id)
      ) with (fillfactor = 50)`);
    this.addSql(`alter table webhook_endpoint_count add constraint webhook_endpoint_count_endpoint
      foreign key (company_id, endpoint_id) references webhook_endpoint (company_id, id) on delete cascade`);
  }
}
