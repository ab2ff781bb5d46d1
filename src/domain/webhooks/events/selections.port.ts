import type { TenantTransaction } from '../../../platform/database/tenancy.ts';
import type { Issue } from '../../../platform/fault.ts';
import { Port } from '../../../platform/port.ts';
import type { Log } from '../../../platform/telemetry/log.ts';
import type { Metrics } from '../../../platform/telemetry/metrics.ts';
import type { ShipmentPromises } from '../../tracking/promised.rules.ts';
import type { EventRow } from '../../tracking/shipment-parts.repository.ts';
import type { StatusCode } from '../../tracking/status.rules.ts';
import type { ShipmentRow } from '../../tracking/tracking.repository.ts';
import type { EventType } from './event.rules.ts';

/** An event as selections of endpoints read it: what happened, and the shipment as it left it. */
export interface SelectedEvent {
  readonly id: string;
  readonly type: EventType;
  readonly at: Date;
  readonly sequence: number;
  readonly change: number | null;
  readonly statusCode: StatusCode;
  readonly previousStatusCode: StatusCode;
  readonly event: EventRow | null;
  readonly shipment: Required<ShipmentRow>;
}

/** What a selection makes of an event, and what could not be read. */
export interface SelectedData {
  readonly data: unknown;
  readonly errors?: readonly {
    readonly code: string;
    readonly message: string;
    readonly path: readonly (string | number)[];
  }[];
}

/** Where selections are read from: the transaction that records the events, and what responses are made with; whose they are, and where failures are noted. */
export interface SelectionSource {
  readonly tx: TenantTransaction;
  readonly publicUrl: string;
  readonly promises: ShipmentPromises;
  readonly endpointId: string;
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'selectionFailed'>;
}

/** What is wrong with a selection; the graph provides it, since it knows the types. The issues have no path. */
export const selectionIssues = new Port<[selection: string], Promise<readonly Omit<Issue, 'path'>[]>>(
  'selection issues',
);

/** What a selection makes of each of some events. It never fails: what could not be read is said in `errors`. */
export const selectedData = new Port<
  [selection: string, events: readonly SelectedEvent[], source: SelectionSource],
  Promise<readonly SelectedData[]>
>('selected data');
