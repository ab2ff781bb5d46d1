import { type Metadata, metadataTogether } from '../../../common/metadata.rules.ts';
import type { StatusCode } from '../../../shipping/tracking/status.rules.ts';
import { EVERY_EVENT, type EventType } from '../events/event.rules.ts';

/** The events that an endpoint receives. All given conditions must match; each matches any of its values. */
export interface EndpointFilter {
  readonly carriers?: readonly string[];
  readonly warehouses?: readonly number[];
  readonly marketplaces?: readonly string[];
  readonly statuses?: readonly StatusCode[];
  readonly metadata?: readonly { readonly key: string; readonly values: readonly string[] }[];
}

export interface Subscription {
  readonly endpointId: string;
  readonly events: readonly string[];
  readonly filter: EndpointFilter | null;
}

/** The fields of an event that filters use. */
export interface FilteredEvent {
  readonly type: EventType;
  readonly statusCode: StatusCode;
  readonly shipment: {
    readonly carrierCode: string;
    readonly warehouseId: number | null;
    readonly metadata: Metadata;
    readonly ofOrder: {
      readonly metadata: Metadata;
      readonly marketplace: string | null;
      readonly warehouseId: number | null;
    } | null;
  };
}

export function wants({ events, filter }: Subscription, event: FilteredEvent): boolean {
  const isSubscribed = events.includes(event.type) || events.includes(EVERY_EVENT);
  return isSubscribed && (filter === null || passes(filter, event));
}

function passes(
  { carriers, warehouses, marketplaces, statuses, metadata }: EndpointFilter,
  { statusCode, shipment }: FilteredEvent,
): boolean {
  const { carrierCode, ofOrder } = shipment;
  if (carriers && !carriers.includes(carrierCode)) return false;
  if (statuses && !statuses.includes(statusCode)) return false;
  if (marketplaces && !(ofOrder?.marketplace != null && marketplaces.includes(ofOrder.marketplace))) return false;
  // A shipment without a warehouse leaves from the warehouse of its order.
  const warehouseId = shipment.warehouseId ?? ofOrder?.warehouseId ?? null;
  if (warehouses && !(warehouseId !== null && warehouses.includes(warehouseId))) return false;
  if (!metadata) return true;
  const known: Metadata = metadataTogether(ofOrder?.metadata ?? {}, shipment.metadata);
  return metadata.every(({ key, values }) => Object.hasOwn(known, key) && values.includes(known[key] as string));
}
