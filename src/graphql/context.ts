import type { Principal } from '../domain/account/access/authenticate.service.ts';
import type { WebhookSettings } from '../domain/exchange/webhooks/endpoints/endpoints.service.ts';
import type { TariffBook } from '../domain/pricing/tariffs/tariff-book.service.ts';
import type { CarrierAccess } from '../domain/shipping/carriers/accounts.service.ts';
import type { PromiseBook } from '../domain/shipping/promise/promise-book.service.ts';
import type { ShipmentPromises } from '../domain/shipping/tracking/promised.rules.ts';
import type { Tenant } from '../platform/database/tenancy/tenancy.ts';
import type { Fault, FaultCode } from '../platform/fault.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import type { Caps } from '../platform/limits/caps.ts';
import type { Rates } from '../platform/limits/rates.ts';
import type { Work } from '../platform/limits/work.ts';
import type { Log } from '../platform/telemetry/log.ts';
import type { Metrics } from '../platform/telemetry/metrics.ts';

export type AuthScheme = 'bearer' | 'x-api-key';

/** The place of a request among the requests of its company. */
export interface Place {
  /**
   * Waits until the company has room for a request.
   *
   * @param price the price of its work
   * @throws Fault `rate_limited`
   */
  reserve(price: number): Promise<void> | undefined;
  /** Gives the place to others while the request waits for another server. */
  outside<Result>(result: () => Promise<Result>): Promise<Result>;
}

/** The stream, as the source of a subscription sees it. */
export interface LiveStream {
  /** The id of the last event that the reader received. */
  readonly lastEventId: string | undefined;
  /** The context of the current look. */
  readonly context: RequestContext;
}

/** The request, as resolvers see it: its caller, and the only access to that company's data. */
export interface RequestContext {
  readonly principal: Principal;
  readonly authScheme: AuthScheme;
  readonly tenant: Tenant;
  /** The work of the request so far, and whether it must stop. */
  readonly work: Work;
  readonly place: Place;
  /** Carrier connections and their tariffs, ready for pricing. */
  readonly tariffs: TariffBook;
  /** Estimated arrivals, from the company's own deliveries. */
  readonly promiseBook: PromiseBook;
  /** Estimated arrivals of the company's shipments. */
  readonly promises: ShipmentPromises;
  readonly carriers: CarrierAccess;
  readonly jobs: Jobs;
  readonly webhooks: WebhookSettings;
  /** Requests a key may make a minute, unless it has rates of its own. */
  readonly serviceRates: Rates;
  /** The limits on the things that a company may have. */
  readonly caps: Caps;
  readonly requestId: string;
  /** The address of the service for links in responses, without a slash at its end. */
  readonly publicUrl: string;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly live?: LiveStream;
  /**
   * Codes of the faults that mutations of this request returned as `userErrors`, for the log. Absent for REST, which
   * sends a thrown fault as a problem.
   */
  readonly userErrors?: FaultCode[];
  /** Why a look-up returned null; REST sends it as a problem. */
  missing?: Fault | undefined;
  /** When the record was last confirmed or changed, in milliseconds since 1970; REST sends it as a header. */
  lastModified?: number | undefined;
}
