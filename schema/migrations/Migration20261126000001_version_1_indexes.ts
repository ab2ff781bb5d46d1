import { Migration } from '@mikro-orm/migrations';

const INDEXES = [
  // A company has one sandbox.
  'create unique index concurrently company_sandbox_of on company (sandbox_of)',
  // Open claims, and the credits that answer them.
  `create index concurrently carrier_invoice_finding_open on carrier_invoice_finding (company_id, invoice_id, position, n)
    where amount_cents > credited_cents and code <> 'vat'`,
  `create index concurrently carrier_invoice_line_credit on carrier_invoice_line (company_id, shipment_id)
    where state = 'credit'`,
  `create index concurrently carrier_invoice_line_number on carrier_invoice_line (company_id, left(number, 100))
    where shipment_id is null and state in ('unknown', 'credit')`,
  // Finds shipments by their number, and keeps the number unique in its connection. It takes the place of two.
  'create unique index concurrently shipment_by_number on shipment (company_id, tracking_key, carrier_connection_id)',
];

/** The new indexes of version 1.0. */
export default class Migration20261126000001_version_1_indexes extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    for (const index of INDEXES) {
      // A build that failed leaves an index that is not valid.
      this.addSql(`drop index concurrently if exists ${/ (\w+) on /.exec(index)?.[1]}`);
      this.addSql(index);
    }
    // No statement uses it: changes are read by their numbers, and each event wrote an entry.
    this.addSql('drop index concurrently if exists tracking_change_of_shipment');
  }
}
