import { Migration } from '@mikro-orm/migrations';

/** How much of a finding the carrier has credited. */
export default class Migration20261126100002_credited_claims extends Migration {
  override up(): void {
    this.addSql('alter table carrier_invoice_finding add column credited_cents bigint not null default 0');
  }
}
