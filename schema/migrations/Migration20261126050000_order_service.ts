import { Migration } from '@mikro-orm/migrations';

/** The service by which an order is to be shipped, such as express. */
export default class Migration20261126050000_order_service extends Migration {
  override up(): void {
    this.addSql('alter table customer_order add column service text');
  }
}
