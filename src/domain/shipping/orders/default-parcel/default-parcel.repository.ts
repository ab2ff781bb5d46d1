import { rowLoader } from '../../../../platform/database/gather/loader.ts';
import { companyStatement } from '../../../../platform/database/statements/statements.ts';
import type { Tenant } from '../../../../platform/database/tenancy/tenancy.ts';
import type { TenantTransaction } from '../../../../platform/database/tenancy/tenant-transaction.ts';
import type { DefaultParcel } from './default-parcel.rules.ts';

/** A company has one, so the key is a constant. */
const OF_COMPANY = rowLoader<[one: number], DefaultParcel>({
  name: 'default-parcel',
  key: { one: 'integer' },
  text: `select weight::text, length::text, width::text, height::text from default_parcel
    where company_id = each.company_id and each.one = 1`,
});
const SAVE = companyStatement(
  'save-default-parcel',
  `insert into default_parcel (company_id, weight, length, width, height) values ($1, $2, $3, $4, $5)
    on conflict (company_id) do update
      set weight = excluded.weight, length = excluded.length, width = excluded.width, height = excluded.height
      where default_parcel.company_id = $1`,
);
const DELETE = companyStatement('delete-default-parcel', 'delete from default_parcel where company_id = $1');

/** The default parcel of a company, if it has one. */
export async function defaultParcel(tenant: Tenant): Promise<DefaultParcel | undefined> {
  const found = await tenant.load(OF_COMPANY, 1);
  if (found === undefined) return undefined;
  // The row has the position of its key too, which no parcel has.
  const { weight, length, width, height } = found;
  return { weight, length, width, height };
}

export async function saveDefaultParcel(tx: TenantTransaction, parcel: DefaultParcel | null): Promise<void> {
  if (parcel === null) await tx.rows(DELETE);
  else await tx.rows(SAVE, parcel.weight, parcel.length, parcel.width, parcel.height);
}
