import type { AddressFinding, AskedAddress, TrackingFinding } from '../domain/carriers/carrier.port.ts';

export type Credentials = Readonly<Record<string, string>>;

/** The value of an `Authorization` header. */
export function basicAuthorization(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

/** A request on its way to a carrier. */
export interface CarrierRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** Asks one thing of a carrier: an operation on the schema that Mesh makes of its document, and what its answer means. */
export interface Asking<Question, Finding> {
  /** The carrier's own address for it, without a slash at its end. */
  readonly url: string;
  readonly operation: string;
  variables(question: Question): Readonly<Record<string, unknown>>;
  /** The answer's data: its shape is the document's, but any of it may be null. */
  read(data: object, question: Question): Finding;
}

export interface TokenGrant {
  /** Path below the base address. */
  readonly path: string;
  request(url: URL, credentials: Credentials): CarrierRequest;
}

/** A carrier: its questions, how its requests prove who asks, and how its bytes become JSON. */
export interface CarrierAdapter {
  /** `schema/carriers/{document}.yaml`. */
  readonly document: string;
  /** Error statuses that are answers to the question, which `read` understands; the document lists them. */
  readonly statuses: readonly number[];
  /**
   * Names of the fields, in requests and answers, whose values are kept in the records of calls. None of them has a
   * credential, or anything of a recipient but postal code, province and country.
   */
  readonly kept: readonly string[];
  readonly address: Asking<AskedAddress, AddressFinding>;
  /** A finding for each number; none at all where the carrier rejected the whole request for one of several. */
  readonly tracking: Asking<readonly string[], readonly TrackingFinding[]> & {
    readonly numbersPerRequest: number;
    /** Requests a minute that one account may make. */
    readonly requestsPerMinute: number;
  };
  /** OAuth2 by client credentials, where the carrier has it. */
  readonly grant?: TokenGrant;
  /** The request with its credentials in it; `token` where there is a grant. */
  authorize(request: CarrierRequest, credentials: Credentials, token: string | null): CarrierRequest;
  /** The body's JSON, as the document describes it, where the carrier sends anything else. @throws Error */
  json?(body: Buffer, request: CarrierRequest): unknown;
}
