import { Migration } from '@mikro-orm/migrations';

/** The terms of all shipments of an invoice, such as how cash on delivery was paid. */
export default class Migration20261126100000_invoice_terms extends Migration {
  override up(): void {
    this.addSql('alter table carrier_invoice add column terms jsonb');
  }
}
