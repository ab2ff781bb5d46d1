import type { CallOutcome } from '../domain/shipping/carriers/calls/call-purposes.rules.ts';
import type { CarrierAccount, CarrierCall, NoAnswer } from '../domain/shipping/carriers/carrier.port.ts';
import { carrierOf } from '../domain/shipping/carriers/carriers.catalog.ts';
import type { OutboundResult } from '../platform/outbound/outbound.ts';
import type { CarrierAdapter, CarrierRequest } from './adapter.ts';
import { UnkeptTexts } from './unkept-texts.ts';

/**
 * The record of a request to a carrier, without credentials, tokens, names or streets. Headers, queries and bodies keep
 * only the values of listed names, because nobody knows everything that a carrier may send. A listed value is left out
 * too if it contains a credential, or a value that was left out of the request, since errors quote the request. A
 * sentence is left out if it contains a value that was left out of the response.
 */

/** Replaces a value that is not kept. */
const LEFT_OUT = '…';

const MAX_ADDRESS = 1_000;
const MAX_BODY = 4_000;
const MAX_VALUE = 200;
const MAX_ITEMS = 10;
const MAX_FIELDS = 50;
const MAX_DEPTH = 20;
/** Larger bodies would block the event loop. */
const MAX_READ_BYTES = 256 * 1024;

const REQUEST_HEADERS: ReadonlySet<string> = new Set(['accept', 'content-type', 'transid', 'transactionsrc']);
/** Type, size, time to come back, and the names that carriers give a request. */
const RESPONSE_HEADERS: readonly string[] = [
  'content-type',
  'content-encoding',
  'content-length',
  'date',
  'retry-after',
  'transid',
  'message-reference',
  'x-customer-transaction-id',
  'x-request-id',
];

/** A request that was sent, and its response. */
export interface Exchanged {
  readonly at: Date;
  readonly request: CarrierRequest;
  readonly result: OutboundResult;
}

/** The account whose requests are recorded. */
interface Recorded {
  readonly account: CarrierAccount;
  readonly adapter: CarrierAdapter;
  readonly purpose: 'address' | 'tracking' | 'token';
}

/** @param finding the finding of the question that the request was sent for */
export function callRecord(
  { at, request, result }: Exchanged,
  { account, adapter, purpose }: Recorded,
  finding: NoAnswer['kind'] | 'answered',
): CarrierCall {
  const isTokenRequest = purpose === 'token';
  const sent = bodyOf(request);
  const kept = new Set(adapter.kept);
  const answer = result.outcome === 'answered' ? answerOf(result.bytes, request, adapter, purpose) : undefined;
  const leftOut = [...textsIn(answer, '', kept)];
  const secrets = [...unkeptOf(request, sent, account, kept), ...(isTokenRequest ? leftOut : [])];
  const keeping = { kept, unkept: new UnkeptTexts(secrets), leftOut: partsOfSentences(leftOut) };
  const call = {
    ...account.asker,
    at,
    isTokenRequest,
    method: request.method,
    address: addressOf(request.url, keeping),
    durationMs: result.durationMs,
    outcome: outcomeOf(result, finding, adapter.authorize !== undefined),
    requestHeaders: Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [
        name,
        REQUEST_HEADERS.has(name.toLowerCase()) ? keptValue(value, keeping) : LEFT_OUT,
      ]),
    ),
    requestBody: request.body === null ? null : bodyText(sent, keeping, `${request.body.length} characters`),
  };
  if (result.outcome !== 'answered') {
    return { ...call, status: null, failure: result.outcome, responseHeaders: null, responseBody: null };
  }
  const type = /^[\w.+-]+\/[\w.+-]+/.exec(String(result.headers['content-type'] ?? ''))?.[0];
  const size = `${result.bytes.length} bytes${type === undefined ? '' : ` of ${type}`}`;
  return {
    ...call,
    status: result.status,
    failure: null,
    responseHeaders: keptHeaders(result.headers, keeping),
    responseBody: result.bytes.length === 0 ? null : bodyText(answer, keeping, size),
  };
}

/** The outcome of the request itself, or else the outcome of its question, because a retry may have had a response. */
function outcomeOf(result: OutboundResult, finding: NoAnswer['kind'] | 'answered', hasAccount: boolean): CallOutcome {
  if (result.outcome !== 'answered' || result.status === 429 || result.status >= 500) return 'unavailable';
  return hasAccount && (result.status === 401 || result.status === 403) ? 'refused' : finding;
}

interface Keeping {
  readonly kept: ReadonlySet<string>;
  readonly unkept: UnkeptTexts;
  /** The values that are left out of the response, in lower case. */
  readonly leftOut: readonly string[];
}

/** The fields of the body; undefined if it cannot be read. */
function bodyOf({ headers, body }: CarrierRequest): unknown {
  if (body === null) return undefined;
  if (headers['content-type'] === 'application/x-www-form-urlencoded') {
    return Object.fromEntries(new URLSearchParams(body));
  }
  return parsed(body);
}

function answerOf(bytes: Buffer, request: CarrierRequest, adapter: CarrierAdapter, purpose: Recorded['purpose']) {
  if (bytes.length > MAX_READ_BYTES) return undefined;
  if (purpose === 'token' || !adapter.json) return parsed(bytes.toString('utf8'));
  try {
    return adapter.json(bytes, request);
  } catch {
    return undefined;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Credentials, tokens, and the recipient's data in the request. */
function* unkeptOf(
  { url, headers }: CarrierRequest,
  body: unknown,
  { credentials, carrierCode }: CarrierAccount,
  kept: ReadonlySet<string>,
): Generator<string> {
  // Settings, such as a country, are not secret, and occur within most texts.
  const { settings = {} } = carrierOf(carrierCode);
  for (const [name, value] of Object.entries(credentials)) if (!Object.hasOwn(settings, name)) yield value;
  for (const [name, value] of Object.entries(headers)) {
    if (!REQUEST_HEADERS.has(name.toLowerCase())) yield* value.split(' ').filter(isLongEnough);
  }
  for (const [name, value] of url.searchParams) if (!kept.has(name)) yield* [value].filter(isLongEnough);
  yield* textsIn(body, '', kept);
}

function* textsIn(value: unknown, name: string, kept: ReadonlySet<string>): Generator<string> {
  if (typeof value === 'string') {
    if (!kept.has(name)) yield* [value].filter(isLongEnough);
  } else if (Array.isArray(value)) {
    for (const item of value) yield* textsIn(item, name, kept);
  } else if (typeof value === 'object' && value !== null) {
    for (const [inner, one] of Object.entries(value)) yield* textsIn(one, inner, kept);
  }
}

/** A shorter text, such as a number of parcels, would be found in most texts. */
function isLongEnough(text: string): boolean {
  return text.length >= 3;
}

/** The number and the length of texts that are searched for in sentences: a name is longer than most codes. */
const MAX_PARTS = 2_000;
const MIN_PART = 4;

function partsOfSentences(texts: readonly string[]): string[] {
  const parts = new Set(texts.filter(text => text.length >= MIN_PART).map(text => text.toLowerCase()));
  return [...parts].slice(0, MAX_PARTS);
}

function addressOf({ origin, pathname, searchParams }: URL, keeping: Keeping): string {
  const path = [pathname, decoded(pathname)].some(text => keeping.unkept.areIn(text)) ? `/${LEFT_OUT}` : pathname;
  const query = Array.from(searchParams, ([name, value]) => {
    const shown = keeping.kept.has(name) ? keptValue(value, keeping) : LEFT_OUT;
    return `${encodeURIComponent(name)}=${shown === LEFT_OUT ? LEFT_OUT : encodeURIComponent(shown)}`;
  });
  return shortened(`${origin}${path}${query.length === 0 ? '' : `?${query.join('&')}`}`, MAX_ADDRESS);
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function keptHeaders(headers: Readonly<Record<string, unknown>>, keeping: Keeping): Record<string, string> {
  return Object.fromEntries(
    RESPONSE_HEADERS.flatMap(name => {
      const value = headers[name];
      return typeof value === 'string' ? [[name, keptValue(value, keeping)]] : [];
    }),
  );
}

function bodyText(body: unknown, keeping: Keeping, size: string): string {
  return body === undefined ? `[${size}]` : shortened(JSON.stringify(withoutUnkept(body, '', keeping, 0)), MAX_BODY);
}

/** Copies a value without the strings and numbers that have no listed name. */
function withoutUnkept(value: unknown, name: string, keeping: Keeping, depth: number): unknown {
  if (value === null || value === undefined || typeof value === 'boolean') return value;
  if (typeof value !== 'object') {
    if (!keeping.kept.has(name)) return LEFT_OUT;
    return keptValue(String(value), keeping) === LEFT_OUT ? LEFT_OUT : value;
  }
  if (depth === MAX_DEPTH) return LEFT_OUT;
  if (Array.isArray(value)) {
    const items = value.slice(0, MAX_ITEMS).map(item => withoutUnkept(item, name, keeping, depth + 1));
    return value.length > MAX_ITEMS ? [...items, `${LEFT_OUT} ${value.length - MAX_ITEMS} more`] : items;
  }
  const fields = Object.entries(value)
    .slice(0, MAX_FIELDS)
    .map(([inner, one]) => [nameOf(inner, keeping), withoutUnkept(one, inner, keeping, depth + 1)]);
  return Object.fromEntries(fields);
}

function nameOf(name: string, keeping: Keeping): string {
  return /^[A-Za-z_]\w{0,59}$/.test(name) ? keptValue(name, keeping) : LEFT_OUT;
}

function keptValue(text: string, { unkept, leftOut }: Keeping): string {
  // PostgreSQL stores no U+0000.
  if (text.length > MAX_VALUE || text.includes('\0') || unkept.areIn(text)) return LEFT_OUT;
  const sentence = text.includes(' ') ? text.toLowerCase() : '';
  return leftOut.some(part => sentence.includes(part)) ? LEFT_OUT : text;
}

function shortened(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max).toWellFormed()}${LEFT_OUT}` : text.toWellFormed();
}
