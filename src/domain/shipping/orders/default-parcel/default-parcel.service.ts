import type { Tenant } from '../../../../platform/database/tenancy/tenancy.ts';
import type { DefaultParcelFields } from './default-parcel.input.ts';
import { saveDefaultParcel } from './default-parcel.repository.ts';
import type { DefaultParcel } from './default-parcel.rules.ts';

export { defaultParcel } from './default-parcel.repository.ts';

/** Replaces the default parcel, or removes it. Quotes use it at once. */
export async function setDefaultParcel(
  tenant: Tenant,
  parcel: DefaultParcelFields | null,
): Promise<DefaultParcel | null> {
  const fields = parcel && { ...parcel, weight: parcel.weight ?? null };
  await tenant.transaction(tx => saveDefaultParcel(tx, fields));
  return fields;
}
