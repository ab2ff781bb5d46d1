import type { Principal } from '../domain/access/authenticate.service.ts';
import type { CarrierAccess } from '../domain/carriers/accounts.service.ts';
import type { PromiseBook } from '../domain/promise/promise-book.service.ts';
import type { TariffBook } from '../domain/tariffs/tariff-book.service.ts';
import type { ShipmentPromises } from '../domain/tracking/promised.rules.ts';
import type { WebhookSettings } from '../domain/webhooks/endpoints/endpoints.service.ts';
import type { Tenant } from '../platform/database/tenancy/tenancy.ts';
import type { FaultCode } from '../platform/fault.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import type { Caps } from '../platform/limits/caps.ts';
import type { Rates } from '../platform/limits/rates.ts';
import type { Work } from '../platform/limits/work.ts';
import type { Log } from '../platform/telemetry/log.ts';
import type { Metrics } from '../platform/telemetry/metrics.ts';

export type AuthScheme = 'bearer' | 'x-api-key';

/** The place of a request among those of its company. */
export interface Place {
  /**
   * Waits until the company has room for a request.
   *
   * @param price of its work
   * @throws Fault `rate_limited`
   */
  reserve(price: number): Promise<void> | undefined;
  /** Gives the place to others while the request waits for something outside of the process. */
  outside<Result>(result: () => Promise<Result>): Promise<Result>;
}

/** What the source of a subscription gets of its stream. */
export interface LiveStream {
  /** The id of the last event that the reader has got. */
  readonly lastEventId: string | undefined;
  /** Whose work the present look is. */
  readonly context: RequestContext;
}

/** What resolvers get of a request: who asks, and the door to that company's data. */
export interface RequestContext {
  readonly principal: Principal;
  readonly authScheme: AuthScheme;
  readonly tenant: Tenant;
  /** What the request has done so far, and whether it is still to go on. */
  readonly work: Work;
  readonly place: Place;
  /** Carrier connections and their tariffs, ready for pricing. */
  readonly tariffs: TariffBook;
  /** When parcels will arrive, by the company's own deliveries. */
  readonly promiseBook: PromiseBook;
  /** The same for its shipments. */
  readonly promises: ShipmentPromises;
  readonly carriers: CarrierAccess;
  readonly jobs: Jobs;
  readonly webhooks: WebhookSettings;
  /** Requests a key may make a minute, unless it has rates of its own. */
  readonly serviceRates: Rates;
  /** What a company may have of each kind. */
  readonly caps: Caps;
  readonly requestId: string;
  /** Where callers reach the service, for the links in answers; no slash at its end. */
  readonly publicUrl: string;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Of a subscription. */
  readonly live?: LiveStream;
  /**
   * Codes of the faults that mutations of this request returned as `userErrors`, for the log. Absent for REST, where a
   * fault is thrown and sent as a problem.
   */
  readonly userErrors?: FaultCode[];
  /** When the record that is read was last confirmed or changed, in milliseconds since 1970; REST says so in a header. */
  lastModified?: number | undefined;
}
