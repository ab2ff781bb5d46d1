import type { CompanyId } from '../../../platform/database/tenancy/company-id.ts';
import type { Environment } from '../../../platform/environment.ts';
import type { CallOutcome, CallPurpose } from './calls/call-purposes.rules.ts';
import type { CarrierCode } from './carriers.catalog.ts';

/** `sandbox` accounts are asked at our stand-ins, `live` ones never. */
export type CarrierEnvironment = Environment;

/** An account at a carrier, with its credentials. */
export interface CarrierAccount {
  /** Identifies the connection among all companies. */
  readonly key: string;
  readonly carrierCode: CarrierCode;
  readonly environment: CarrierEnvironment;
  /** The address that replaces the carrier's own, without a slash at its end. */
  readonly baseUrl: string | null;
  /** Credentials by their names in the catalogue. */
  readonly credentials: Readonly<Record<string, string>>;
  readonly asker: Asker;
}

/** The reason and the company for which a carrier is asked. */
interface Asker {
  readonly companyId: CompanyId;
  readonly carrierConnectionId: number;
  readonly purpose: CallPurpose;
  /** The id of a caller's request; null if the service itself asks. */
  readonly requestId: string | null;
}

/** An address for a carrier's check; it is neither stored nor logged. */
export interface AskedAddress {
  /** Street and house number. */
  readonly address: string;
  readonly city: string;
  /** In the form of the country, if it is a postal code of it; empty where none was given. */
  readonly zip: string;
  /** Abbreviation of the province, always set in Italy. */
  readonly provincia: string | null;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** The origin of shipments, for carriers that return transit times. */
  readonly origin: Origin;
}

export interface Origin {
  readonly country: string;
  readonly zip: string | null;
  readonly city: string | null;
}

/** A carrier's version of an address; null for fields that it leaves out. */
export interface KnownAddress {
  readonly streetLine1: string | null;
  readonly streetLine2: string | null;
  readonly city: string | null;
  readonly zip: string | null;
  readonly province: string | null;
  readonly country: string | null;
  readonly transitTimeHours: number | null;
}

/**
 * Why a carrier gave no usable response: `refused`, it rejects our credentials; `rejected`, it complains about our
 * request, our account or our origin, and says nothing about the address or the number; `unreadable`, its response makes no sense;
 * `unavailable`, there is no response now.
 */
export interface NoAnswer {
  readonly kind: 'refused' | 'rejected' | 'unreadable' | 'unavailable';
  /** The carrier's `Retry-After`. */
  readonly retryAfterMs?: number | undefined;
}

/** The carrier was not asked, because earlier requests had no response. */
export interface NotAsked {
  readonly kind: 'not_asked';
  /** The time until the next request can be made. */
  readonly retryAfterMs: number;
}

/**
 * A carrier's finding, in whatever format: `confirmed`, it accepts the address; `candidates`, addresses to compare with
 * the requested one; `corrected`, addresses that replace it, however different; `not_found`; `invalid`, it cannot be an
 * address.
 */
export type AddressFinding =
  | { readonly kind: 'confirmed'; readonly address: KnownAddress }
  | { readonly kind: 'candidates' | 'corrected'; readonly addresses: readonly KnownAddress[] }
  | { readonly kind: 'not_found' | 'invalid' }
  | NoAnswer
  | NotAsked;

/** An event as a carrier reports it; its meaning is determined when it is recorded. */
export interface CarrierEvent {
  /** ISO 8601 with an offset; the carrier's text if it is not a time. */
  readonly timestamp: string;
  readonly carrierStatusCode: string | null;
  /** The carrier's wider code, such as FedEx' `derivedStatusCode`, for a code without a row. */
  readonly carrierStatusGroup?: string | undefined;
  readonly description: string | null;
  readonly location: string | null;
  readonly note: string | null;
}

/** A shipment that forwards another one, or returns it. */
export interface RelatedNumber {
  readonly trackingNumber: string;
  readonly type: 'forward' | 'return';
}

/** A carrier's finding for a tracking number. */
export type TrackingFinding =
  | {
      readonly kind: 'events';
      /** From oldest to newest. */
      readonly events: readonly CarrierEvent[];
      readonly related: readonly RelatedNumber[];
      /**
       * The carrier's estimated delivery: ISO 8601 with an offset, or the carrier's text if it is not a time. Null
       * without an estimate.
       */
      readonly estimate: string | null;
    }
  | { readonly kind: 'not_found' }
  | NoAnswer
  | NotAsked;

/** The carriers' own interfaces. No method rejects because of a carrier. */
export interface CarrierPort {
  checkAddress(account: CarrierAccount, asked: AskedAddress): Promise<AddressFinding>;
  /** A finding for each number, in order, at the pace of one account. Numbers must be normalized. */
  track(account: CarrierAccount, trackingNumbers: readonly string[]): Promise<readonly TrackingFinding[]>;
  /** The pace of one account in tracking numbers; infinite without a limit. */
  numbersPerMinute(account: CarrierAccount): number;
}

/** A request to a carrier and its outcome, without credentials and personal data. */
export interface CarrierCall extends Asker {
  readonly at: Date;
  /** Whether it requests an access token, which later requests send. */
  readonly isTokenRequest: boolean;
  readonly method: string;
  readonly address: string;
  readonly outcome: CallOutcome;
  readonly status: number | null;
  /** Why there was no response. */
  readonly failure: string | null;
  readonly durationMs: number;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly requestBody: string | null;
  readonly responseHeaders: Readonly<Record<string, string>> | null;
  readonly responseBody: string | null;
}

export interface CallRecorder {
  /**
   * Records calls outside of the calls, and may drop some.
   *
   * @param make makes the records, some time later
   */
  record(make: () => readonly CarrierCall[]): void;
}
