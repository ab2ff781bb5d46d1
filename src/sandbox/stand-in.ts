import type { IncomingHttpHeaders } from 'node:http';
import type { Journey } from './scenarios.ts';

export interface SandboxRequest {
  readonly method: string;
  /** Below the carrier's prefix, decoded, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The journey that the carrier knows for a tracking number; every call counts as one question about it. */
  journey(trackingNumber: string): Journey;
}

export interface SandboxAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
  /** Sends nothing until the other side disconnects. */
  readonly hang?: boolean;
}

/** A carrier's stand-in: real paths, formats and errors, and a response that follows from the request alone. */
export interface SandboxCarrier {
  /** The first part of its paths, such as `/gls`. */
  readonly prefix: `/${string}`;
  answer(request: SandboxRequest): SandboxAnswer;
}
