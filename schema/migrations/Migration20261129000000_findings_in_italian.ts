import { Migration } from '@mikro-orm/migrations';

/** The Italian text of a finding, beside the English one. Findings of version 1.0 have none. */
export default class Migration20261129000000_findings_in_italian extends Migration {
  override up(): void {
    this.addSql('alter table carrier_invoice_finding add column explanation_it text');
  }
}
