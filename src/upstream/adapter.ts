import type { AddressFinding, AskedAddress, TrackingFinding } from '../domain/shipping/carriers/carrier.port.ts';

export type Credentials = Readonly<Record<string, string>>;

/** The names in a text. */
export function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}

/** The value of an `Authorization` header. */
export function basicAuthorization(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

export interface CarrierRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** A question to a carrier: an operation of its document, and its reader. */
export interface Asking<Question, Finding> {
  /** The carrier's own address for the question, without a slash at its end; by the account if carriers have several. */
  readonly url: string | ((credentials: Credentials) => string);
  /** Its `operationId`. All that the document describes of the response is read. */
  readonly operation: string;
  /** The credentials of the question by the names that `authorize` and `grant` read, if its own have others. */
  account?(credentials: Credentials): Credentials;
  variables(question: Question): Readonly<Record<string, unknown>>;
  /** Reads the response's data, which have the shape of the document; any part may be null. */
  read(data: object, question: Question): Finding;
}

export interface TokenGrant {
  /** The path below the base address. */
  readonly path: string;
  /** The server of live accounts' tokens, if it is not the one of the questions. */
  readonly origin?: string;
  /** Statuses that say that a token has ended; 401 if left out. */
  readonly endedStatuses?: readonly number[];
  request(url: URL, credentials: Credentials): CarrierRequest;
}

/** A grant by a form, as OAuth2 has it. */
export function formGrant(
  path: string,
  fields: (credentials: Credentials) => Readonly<Record<string, string>>,
  headers: (credentials: Credentials) => Readonly<Record<string, string>> = () => ({}),
): TokenGrant {
  return {
    path,
    request: (url, credentials) => ({
      method: 'POST',
      url,
      headers: { ...headers(credentials), 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(fields(credentials)).toString(),
    }),
  };
}

/** A carrier: its questions, its authentication, and how its bytes become JSON. */
export interface CarrierAdapter {
  /** `schema/carriers/{document}.yaml`. */
  readonly document: string;
  /** Statuses other than 200 that answer the question, which `read` understands; the document lists them. */
  readonly statuses: readonly number[];
  /**
   * Names of the fields, in requests and responses, whose values are kept in the records of calls. No such field has a
   * credential, or data of a recipient other than postal code, province and country.
   */
  readonly kept: readonly string[];
  /** Left out if the carrier checks no addresses. */
  readonly address?: Asking<AskedAddress, AddressFinding>;
  /** A finding for each number; none if the carrier rejected the whole request because of one of several numbers. */
  readonly tracking: Asking<readonly string[], readonly TrackingFinding[]> & {
    readonly numbersPerRequest: number;
    /** The limit on requests a minute for one account. */
    readonly requestsPerMinute: number;
  };
  /** OAuth2 by client credentials, if the carrier uses it. */
  readonly grant?: TokenGrant;
  /**
   * Adds the credentials to the request; `token` is set if there is a grant. Left out if the carrier answers anyone, so
   * that it cannot reject an account.
   */
  authorize?(request: CarrierRequest, credentials: Credentials, token: string | null): CarrierRequest;
  /** The request in the second form that public clients send. The form that the carrier answers is used from then on. */
  otherWay?(request: CarrierRequest): CarrierRequest;
  /** Converts the body to the JSON of the document, for a carrier that sends another format. @throws Error */
  json?(body: Buffer, request: CarrierRequest): unknown;
}

/** A carrier that checks addresses. */
export type CheckingAdapter = CarrierAdapter & Required<Pick<CarrierAdapter, 'address' | 'authorize'>>;
