import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { correctedPostalCode, type Journey, romeTime, SANDBOX_ACCOUNT } from './scenarios.ts';

// The parts that the stand-ins of carriers share: requests, answers and OAuth2 tokens.

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

/** The response of a proxy or a broken load balancer in place of the carrier's. */
const HTML_PAGE = '<!DOCTYPE html><html><head><title>Maintenance</title></head><body><h1>Back soon</h1></body></html>';

/** Faults that look alike at every carrier. */
export const OFFLINE: SandboxAnswer = {
  status: 503,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: HTML_PAGE,
};
export const RATE_LIMITED: SandboxAnswer = {
  status: 429,
  headers: { 'content-type': 'text/plain; charset=utf-8', 'retry-after': '30' },
  body: 'Too many requests',
};
export const SILENCE: SandboxAnswer = { status: 200, body: '', hang: true };
/** A page in place of data, with a status of success. */
export const PAGE: SandboxAnswer = { ...OFFLINE, status: 200 };

/** The faults of tracking numbers and of postal codes, where a carrier has no form of its own for them. */
export const FAULTS = { offline: OFFLINE, rate_limited: RATE_LIMITED, slow: SILENCE, html: PAGE, malformed: PAGE };

export function isFault(outcome: string): outcome is keyof typeof FAULTS {
  return outcome in FAULTS;
}

export const RETRY_LATER = { 'retry-after': '30' } as const;

export function json(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): SandboxAnswer {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(value) };
}

export function hasBasicAuth({ headers }: SandboxRequest): boolean {
  const expected = Buffer.from(`${SANDBOX_ACCOUNT}:${SANDBOX_ACCOUNT}`).toString('base64');
  const [scheme = '', token] = (headers.authorization ?? '').split(' ');
  return scheme.toLowerCase() === 'basic' && token === expected;
}

/** Two postal codes for an ambiguous one; each of them is valid. */
export function likelyPostalCodes(postalCode: string): readonly string[] {
  const corrected = correctedPostalCode(postalCode);
  return [1, 2].map(digit => corrected.replace(/0(\D*)$/, `${digit}$1`));
}

/** Italy's offset at an instant: `+01:00` or `+02:00`. */
export function romeOffset(time: Date): string {
  const { year, month, day, hour, minute } = romeTime(time);
  const localMs = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute));
  return `+0${Math.round((localMs - time.getTime()) / 3_600_000)}:00`;
}

/** Italy's local day and time, to the minute: `2026-11-25` and `10:30:00`. */
export function romeDateAndTime(instant: Date): { readonly date: string; readonly time: string } {
  const { year, month, day, hour, minute } = romeTime(instant);
  return { date: `${year}-${month}-${day}`, time: `${hour}:${minute}:00` };
}

/** A JSON object, or undefined for anything else. */
export function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function textOf(object: Readonly<Record<string, unknown>>, name: string): string {
  const value = object[name];
  return typeof value === 'string' ? value.trim() : '';
}

/** OAuth2 bearer tokens without a store: each is its expiry, sealed with a key of this process. */
export class TokenIssuer {
  readonly lifetimeSeconds: number;
  #key = randomBytes(32);

  constructor(lifetimeSeconds: number) {
    this.lifetimeSeconds = lifetimeSeconds;
  }

  issue(): string {
    const end = `${Date.now() + this.lifetimeSeconds * 1000}`;
    return `${end}.${this.#seal(end)}`;
  }

  /** Whether a request has such a token in the usual header. */
  accepts({ headers }: SandboxRequest): boolean {
    const [, token = ''] = /^bearer (.*)$/i.exec(headers.authorization ?? '') ?? [];
    return this.acceptsToken(token);
  }

  acceptsToken(token: string): boolean {
    const [, end = '', seal = ''] = /^(\d+)\.([\w-]+)$/.exec(token) ?? [];
    const expected = Buffer.from(this.#seal(end));
    const given = Buffer.from(seal);
    return given.length === expected.length && timingSafeEqual(given, expected) && Number(end) > Date.now();
  }

  /** Rejects every token issued so far, like a carrier that revokes tokens early. */
  revokeAll(): void {
    this.#key = randomBytes(32);
  }

  #seal(end: string): string {
    return createHmac('sha256', this.#key).update(end).digest('base64url');
  }
}
