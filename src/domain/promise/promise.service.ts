import type { Tenant } from '../../platform/database/tenancy/tenancy.ts';
import { estimatesOf } from '../tracking/estimates/estimates.service.ts';
import type { PromiseBook } from './promise-book.service.ts';
import { promisedFrom } from './promised-dates.rules.ts';

/** When the carrier of a shipment has given its latest estimate. */
export async function carrierToldAt(tenant: Tenant, shipmentId: number): Promise<number | null> {
  const [latest] = await estimatesOf(tenant, shipmentId);
  return latest?.toldAt ?? null;
}

/** A parcel that would be scanned now. */
interface Parcel {
  readonly carrierCompanyId: number;
  readonly destination: { readonly country: string; readonly postalCode: string };
  /** Kilograms. */
  readonly weight?: string | null | undefined;
}

/** What is promised of a parcel; null where the company's deliveries are too few. */
export async function laneEstimate(
  tenant: Tenant,
  book: PromiseBook,
  { carrierCompanyId, destination, weight }: Parcel,
): Promise<ReturnType<typeof promisedFrom>> {
  const { country: countryCode, postalCode } = destination;
  const lading = { carrierCompanyId, countryCode, postalCode, weight: weight == null ? null : Number(weight) };
  return promisedFrom(await book.table(tenant), lading, Date.now());
}
