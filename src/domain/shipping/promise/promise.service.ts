import type { Tenant } from '../../../platform/database/tenancy/tenancy.ts';
import { estimatesOf } from '../tracking/estimates/estimates.service.ts';
import type { PromiseBook } from './promise-book.service.ts';
import { promisedFrom } from './promised-dates.rules.ts';

/** The time of the carrier's latest estimate of a shipment. */
export async function carrierEstimateAt(tenant: Tenant, shipmentId: number): Promise<number | null> {
  const [latest] = await estimatesOf(tenant, shipmentId);
  return latest?.toldAt ?? null;
}

/** A parcel that would be scanned now. */
interface Parcel {
  readonly carrierConnectionId: number;
  readonly destination: { readonly country: string; readonly postalCode: string };
  /** Kilograms. */
  readonly weight?: string | null | undefined;
}

/** The promise for a parcel; null if the company has too few deliveries. */
export async function laneEstimate(
  tenant: Tenant,
  book: PromiseBook,
  { carrierConnectionId, destination, weight }: Parcel,
): Promise<ReturnType<typeof promisedFrom>> {
  const { country: countryCode, postalCode } = destination;
  const lading = {
    carrierConnectionId,
    countryCode,
    postalCode,
    weight: weight == null ? null : Number(weight),
  };
  return promisedFrom(await book.table(tenant), lading, Date.now());
}
