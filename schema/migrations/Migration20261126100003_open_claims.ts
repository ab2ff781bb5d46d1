import { Migration } from '@mikro-orm/migrations';

/** What finds the claims that are open, and the credits that answer them. */
export default class Migration20261126100003_open_claims extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    // A build that failed leaves an index that is not valid.
    this.addSql('drop index concurrently if exists carrier_invoice_finding_open');
    this.addSql(`
      create index concurrently carrier_invoice_finding_open on carrier_invoice_finding (company_id, invoice_id, position, n)
        where amount_cents > credited_cents and code <> 'vat'`);
    this.addSql('drop index concurrently if exists carrier_invoice_line_credit');
    this.addSql(`
      create index concurrently carrier_invoice_line_credit on carrier_invoice_line (company_id, shipment_id)
        where state = 'credit'`);
    this.addSql('drop index concurrently if exists carrier_invoice_line_number');
    this.addSql(`
      create index concurrently carrier_invoice_line_number on carrier_invoice_line (company_id, left(number, 100))
        where shipment_id is null and state in ('unknown', 'credit')`);
  }
}
