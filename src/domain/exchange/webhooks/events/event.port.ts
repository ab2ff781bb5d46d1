import type { CompanyId } from '../../../../platform/database/tenancy/company-id.ts';
import type { Tenant } from '../../../../platform/database/tenancy/tenancy.ts';
import type { Issue } from '../../../../platform/fault.ts';
import type { Work } from '../../../../platform/limits/work.ts';
import { Port } from '../../../../platform/port.ts';
import type { Log } from '../../../../platform/telemetry/log.ts';
import type { Metrics } from '../../../../platform/telemetry/metrics.ts';
import type { ShipmentPromises } from '../../../shipping/tracking/promised.rules.ts';
import type { EventRow } from '../../../shipping/tracking/shipment-parts.repository.ts';
import type { StatusCode } from '../../../shipping/tracking/status.rules.ts';
import type { ShipmentRow } from '../../../shipping/tracking/tracking.repository.ts';
import type { EventType } from './event.rules.ts';

/** An event for the selections of endpoints: its own fields, and the current shipment. */
export interface SelectedEvent {
  readonly id: string;
  readonly type: EventType;
  readonly at: Date;
  readonly sequence: number;
  readonly change: number | null;
  readonly statusCode: StatusCode;
  readonly previousStatusCode: StatusCode;
  readonly event: EventRow | null;
  readonly shipment: ShipmentRow;
}

/** The result of a selection, and its errors. */
export interface SelectedData {
  readonly data: unknown;
  readonly errors?: readonly {
    readonly code: string;
    readonly message: string;
    readonly path: readonly (string | number)[];
  }[];
}

/** The tools of a selection, its endpoint, and the report of failures. */
export interface SelectionSource {
  readonly companyId: CompanyId;
  readonly tenantFor: (work: Work) => Tenant;
  readonly promisesOf: (tenant: Tenant) => ShipmentPromises;
  readonly publicUrl: string;
  readonly endpointId: string;
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'selectionFailed'>;
}

/** Checks a selection; the graph provides it, because it knows the types. The issues have no path. */
export const selectionIssues = new Port<
  [selection: string, options: { readonly isStored: boolean }],
  Promise<readonly Omit<Issue, 'path'>[]>
>('selection issues');

/**
 * Renders the selection for an event, within its own allowance. Errors are in `errors`.
 *
 * @throws Fault `unavailable` while the database is down
 */
export const selectedData = new Port<
  [selection: string, event: SelectedEvent, source: SelectionSource],
  Promise<SelectedData>
>('selected data');

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
