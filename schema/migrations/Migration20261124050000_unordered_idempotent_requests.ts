import { Migration } from '@mikro-orm/migrations';

/**
 * Requests with an `Idempotency-Key` in a form that does not depend on the order of members. Processes of version 0.1 go on
 * comparing `request`, which is still written for them.
 */
export default class Migration20261124050000_unordered_idempotent_requests extends Migration {
  override up(): void {
    this.addSql('alter table idempotent_request add column unordered_request bytea');
  }
}
