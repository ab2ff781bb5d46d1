import { Migration } from '@mikro-orm/migrations';

interface Invoice {
  readonly companyId: string;
  readonly id: number;
}

const INVOICES = `select distinct company_id as "companyId", invoice_id as id from carrier_invoice_finding
  where code = 'weight_class'`;
const TOTALS = `update carrier_invoice set totals = replace(totals::text, '"weight_class"', '"weight_band"')::jsonb
  where company_id = ?::uuid and id = ?`;
const FINDINGS = `update carrier_invoice_finding set code = 'weight_band'
  where company_id = ?::uuid and invoice_id = ? and code = 'weight_class'`;

/** Renames the code of a wrong weight band in what earlier checks of invoices have found, one invoice after the other. */
export default class Migration20261126100001_weight_band extends Migration {
  override async up(): Promise<void> {
    for (const { companyId, id } of (await this.execute(INVOICES)) as Invoice[]) {
      await this.execute(FINDINGS, [companyId, id]);
      await this.execute(TOTALS, [companyId, id]);
    }
  }
}
