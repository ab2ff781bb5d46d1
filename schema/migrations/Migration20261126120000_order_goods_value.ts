import { Migration } from '@mikro-orm/migrations';

/** The value of the goods of an order, on which customs depend. */
export default class Migration20261126120000_order_goods_value extends Migration {
  override up(): void {
    this.addSql('alter table customer_order add column goods_value numeric');
  }
}
