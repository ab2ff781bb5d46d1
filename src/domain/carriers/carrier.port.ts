import type { CompanyId } from '../../platform/database/tenancy/company-id.ts';
import type { Environment } from '../../platform/environment.ts';
import type { CallOutcome, CallPurpose } from './calls/call-purposes.rules.ts';
import type { CarrierCode } from './carriers.catalog.ts';

/** `sandbox` accounts are asked at our stand-ins, `live` ones never. */
export type CarrierEnvironment = Environment;

/** An account at a carrier, with what it is asked with. */
export interface CarrierAccount {
  /** Tells the connection from all others, those of other companies too. */
  readonly key: string;
  readonly carrierCode: CarrierCode;
  readonly environment: CarrierEnvironment;
  /** Where the carrier is reached in place of its own address; no slash at its end. */
  readonly baseUrl: string | null;
  /** By the names of the catalogue. */
  readonly credentials: Readonly<Record<string, string>>;
  readonly asker: Asker;
}

/** For whom a carrier is asked, and why. */
export interface Asker {
  readonly companyId: CompanyId;
  readonly carrierCompanyId: number;
  readonly purpose: CallPurpose;
  /** Of the request that a caller sent; null where the service asks by itself. */
  readonly requestId: string | null;
}

/** An address that a carrier is asked about; nothing of it is stored or logged. */
export interface AskedAddress {
  /** Street and house number. */
  readonly address: string;
  readonly city: string;
  readonly zip: string;
  /** Abbreviation of the province, in Italy always. */
  readonly provincia: string | null;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** Where shipments leave from, for carriers that are asked for transit times. */
  readonly origin: Origin;
}

export interface Origin {
  readonly country: string;
  readonly zip: string | null;
  readonly city: string | null;
}

/** An address as a carrier knows it; null where it says nothing. */
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
 * Why a carrier said nothing of use: `refused`, it does not take our credentials; `unreadable`, its answer makes no
 * sense; `unavailable`, there is no answer for now.
 */
export interface NoAnswer {
  readonly kind: 'refused' | 'unreadable' | 'unavailable';
  /** What the carrier asked for in `Retry-After`. */
  readonly retryAfterMs?: number | undefined;
}

/** The carrier was not asked, because it did not answer the requests before. */
export interface NotAsked {
  readonly kind: 'not_asked';
  /** In what time the next request can be made. */
  readonly retryAfterMs: number;
}

/**
 * What a carrier found, whatever its format: `confirmed`, it takes the address as it is; `candidates`, addresses it knows,
 * to be compared with the one asked about; `corrected`, those it has in place of it, whatever they look like; `not_found`;
 * `invalid`, it can't be an address.
 */
export type AddressFinding =
  | { readonly kind: 'confirmed'; readonly address: KnownAddress }
  | { readonly kind: 'candidates' | 'corrected'; readonly addresses: readonly KnownAddress[] }
  | { readonly kind: 'not_found' | 'invalid' }
  | NoAnswer
  | NotAsked;

/** An event as a carrier reports it; what it means is found out where events are recorded. */
export interface CarrierEvent {
  /** ISO 8601 with an offset; what the carrier said where that is no time. */
  readonly timestamp: string;
  readonly carrierStatusCode: string | null;
  readonly description: string | null;
  readonly location: string | null;
  readonly note: string | null;
}

/** A shipment that carries another on, or back. */
export interface RelatedNumber {
  readonly trackingNumber: string;
  readonly type: 'forward' | 'return';
}

/** What a carrier knows of a tracking number. */
export type TrackingFinding =
  | {
      readonly kind: 'events';
      /** From oldest to newest. */
      readonly events: readonly CarrierEvent[];
      readonly related: readonly RelatedNumber[];
      /**
       * By when the carrier expects to deliver it: ISO 8601 with an offset; what the carrier said where that is no time.
       * Null where it says nothing.
       */
      readonly estimate: string | null;
    }
  | { readonly kind: 'not_found' }
  | NoAnswer
  | NotAsked;

/** The carriers' own interfaces. Nothing here rejects for what a carrier does. */
export interface CarrierPort {
  checkAddress(account: CarrierAccount, asked: AskedAddress): Promise<AddressFinding>;
  /** A finding for each number, in order; as fast as the carrier lets one account ask. Numbers come normalized. */
  track(account: CarrierAccount, trackingNumbers: readonly string[]): Promise<readonly TrackingFinding[]>;
  /** How many tracking numbers the carrier lets one account ask about; infinite where it sets no pace. */
  numbersPerMinute(account: CarrierAccount): number;
}

/** A request to a carrier and what came of it, without credentials and personal data. */
export interface CarrierCall extends Asker {
  readonly at: Date;
  /** Whether it asks for an access token, which later requests send. */
  readonly isTokenRequest: boolean;
  readonly method: string;
  readonly address: string;
  readonly outcome: CallOutcome;
  /** Null where there was no response. */
  readonly status: number | null;
  /** Why there was no response. */
  readonly failure: string | null;
  readonly durationMs: number;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly requestBody: string | null;
  readonly responseHeaders: Readonly<Record<string, string>> | null;
  readonly responseBody: string | null;
}

/** Where calls are recorded. */
export interface CallRecorder {
  /**
   * Records calls beside what the service does, and may leave some out. It takes no time of the call.
   *
   * @param make makes the records, some time later
   */
  record(make: () => readonly CarrierCall[]): void;
}
