import { Port } from '../../../../platform/port.ts';
import type { ShipmentPromises } from '../../../shipping/tracking/promised.rules.ts';
import type { ShipmentRow } from '../../../shipping/tracking/tracking.repository.ts';

/** A shipment as `GET /shipments/tracking/…` returns it. */
export interface ShipmentRecord {
  readonly timeline: readonly object[];
  readonly [field: string]: unknown;
}

/**
 * Projects shipments, read with all of their parts, like REST; in their order. The REST face provides it, so that an
 * event and a response share one projection.
 */
export const shipmentRecords = new Port<
  [shipments: readonly Required<ShipmentRow>[], publicUrl: string, promises: ShipmentPromises],
  Promise<readonly ShipmentRecord[]>
>('shipment records');
