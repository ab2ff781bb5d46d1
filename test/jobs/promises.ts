import { vi } from 'vitest';
import { addWorkingDays } from '../../src/domain/common/working-days.rules.ts';
import { computePromises } from '../../src/domain/shipping/promise/compute.service.ts';
import type { CompanyId } from '../../src/platform/database/tenancy/company-id.ts';
import { Tenant } from '../../src/platform/database/tenancy/tenancy.ts';
import { ask, type Item, recordEvents, upsertShipments } from '../support/platform-side.ts';
import { PATIENTLY } from '../support/time.ts';
import { workingDaysBetween } from '../support/working-days.ts';
import type { Caller, World } from '../support/world.ts';

// Deliveries for the table of promises, and what the service makes of them.

export const MILANO = { address: 'Via Roma 1', postalCode: '20121', city: 'Milano', province: 'MI' };

interface Travelled {
  /** Kilograms; not said where left out. */
  readonly weight?: string;
  readonly recipient?: object;
  readonly scannedAt?: Date;
  /** Further events, in minutes of working days after the scan. */
  readonly events?: readonly (readonly [minutes: number, statusCode: string])[];
}

/** So many minutes of working days after a moment. */
export const minutesAfter = (at: Date, minutes: number) => addWorkingDays(at, minutes / 1440);
export const minutesBetween = (from: Date, to: Date | string) => workingDaysBetween(from, new Date(to)) * 1440;

let numbers = 0;

/** Shipments that were delivered so many minutes of working days after their first scan, or not yet; returns their numbers. */
export async function travel(
  caller: Caller,
  carrierConnectionId: number,
  minutes: readonly (number | null)[],
  { weight, recipient = MILANO, scannedAt = addWorkingDays(new Date(), -15), events = [] }: Travelled = {},
): Promise<string[]> {
  const sent = minutes.map(took => ({ trackingNumber: `T${++numbers}`, took }));
  const shipments = sent.map(
    ({ trackingNumber }): Item => ({ carrierConnectionId, trackingNumber, recipient, ...(weight && { weight }) }),
  );
  await upsertShipments(caller, shipments);
  const all = sent.flatMap(({ trackingNumber, took }): Item[] => {
    const own = [[0, 'shipped'] as const, ...events, ...(took === null ? [] : [[took, 'delivered'] as const])];
    return own.map(([after, statusCode]) => ({
      trackingNumber,
      statusCode,
      occurredAt: minutesAfter(scannedAt, after).toISOString(),
    }));
  });
  for (let i = 0; i < all.length; i += 1_000) await recordEvents(caller, all.slice(i, i + 1_000));
  return sent.map(({ trackingNumber }) => trackingNumber);
}

/** Calculates the table of a company, as a job does, and waits until the service has the new table. */
export async function compute({ app }: World, { companyId }: Pick<Caller, 'companyId'>, now = new Date()) {
  const tenant = new Tenant(companyId as CompanyId, app.database);
  const before = await app.promises.table(tenant);
  const computed = await computePromises(tenant, now);
  await vi.waitUntil(async () => (await app.promises.table(tenant)) !== before, PATIENTLY);
  return computed;
}

export interface Estimate {
  readonly expectedAt: string;
  readonly earliestAt: string | null;
  readonly latestAt: string | null;
  readonly confidence: number | null;
  readonly source: 'CARRIER' | 'PLATFORM' | 'SERVICE';
  readonly sampleSize: number | null;
  readonly updatedAt: string | null;
}

export const ESTIMATE = 'deliveryEstimate { expectedAt earliestAt latestAt confidence source sampleSize updatedAt }';

/** The promise for a parcel that would be scanned now. */
export const laneEstimate = (caller: Pick<Caller, 'graphql'>, input: Item) =>
  ask<Estimate | null>(
    caller,
    `query ($input: DeliveryEstimateInput!) { ${ESTIMATE.replace(' {', '(input: $input) {')} }`,
    { input: { destination: { postalCode: MILANO.postalCode }, ...input } },
  );

/** Minutes of working days from now to the moments of an estimate, to the nearest. */
export async function laneMinutes(caller: Pick<Caller, 'graphql'>, input: Item) {
  const now = new Date();
  const estimate = await laneEstimate(caller, input);
  if (estimate === null) return null;
  const { earliestAt: earliest, expectedAt: date, latestAt: latest, sampleSize } = estimate;
  const minutes = (at: string | null) => Math.round(minutesBetween(now, at ?? ''));
  return { earliest: minutes(earliest), date: minutes(date), latest: minutes(latest), sampleSize };
}
