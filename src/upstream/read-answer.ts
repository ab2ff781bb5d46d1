import type {
  AddressFinding,
  AskedAddress,
  CarrierAccount,
  TrackingFinding,
} from '../domain/shipping/carriers/carrier.port.ts';
import { type CarrierCode, carrierOf } from '../domain/shipping/carriers/carriers.catalog.ts';
import type { CompanyId } from '../platform/database/tenancy/company-id.ts';
import { decodedAnswer } from '../platform/outbound/decoded-answer.ts';
import type { OutboundRequest, OutboundResult } from '../platform/outbound/outbound.ts';
import type { Answer } from '../platform/outbound/outbound-exchange.ts';
import { createMetrics } from '../platform/telemetry/metrics.ts';
import { ADAPTERS } from './adapters.ts';
import { type Call, CarrierFetch, withDeadline } from './carrier-fetch.ts';
import { answer } from './carriers.ts';
import { CarrierSchema } from './mesh.ts';

/**
 * Reads a response of a carrier that somebody has, the way in which the service would read it, without asking anyone:
 * the adapter sends its request to a server that is not there, which responds with the bytes of the response.
 */

/** A carrier's response: its body is decoded as `Content-Encoding` says. */
interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
}

/** The question whose response is read: about one tracking number, or about an address. */
export type Asked = { readonly trackingNumber: string } | { readonly address: AskedAddress };

const TOKEN = Buffer.from(JSON.stringify({ access_token: 'token', expires_in: 3600 }));

/** Larger bodies are cut as the largest response of a carrier would be. */
const MAX_BYTES = 2 * 1024 * 1024;

/** Undefined for a carrier that cannot be asked the question. `sent` receives the requests, tokens excepted. */
export async function readAnswer(
  carrierCode: CarrierCode,
  asked: Asked,
  reply: Reply,
  sent: (url: URL, request: OutboundRequest) => void = () => undefined,
): Promise<TrackingFinding | AddressFinding | undefined> {
  const adapter = ADAPTERS[carrierCode];
  if (!adapter || ('address' in asked && !adapter.address)) return undefined;
  const isTracking = 'trackingNumber' in asked;
  const schema = await schemaOf(adapter.document);
  return withDeadline(async deadline => {
    const outbound = {
      async send(url: string, request: OutboundRequest): Promise<OutboundResult> {
        const isToken = adapter.grant !== undefined && new URL(url).pathname.endsWith(adapter.grant.path);
        if (isToken) return { ...answered({ status: 200, headers: {}, bytes: TOKEN }), durationMs: 0 };
        sent(new URL(url), request);
        const max = request.maxResponseBytes ?? MAX_BYTES;
        return { ...(await decodedAnswer(answered(reply, max), max)), durationMs: 0 };
      },
    };
    const account = accountOf(carrierCode);
    const call: Call = {
      purpose: isTracking ? 'tracking' : 'address',
      account,
      credentials: account.credentials,
      adapter,
      isMany: false,
      baseUrl: 'https://carrier.invalid',
      outbound,
      deadline,
      failure: null,
      exchanged: [],
    };
    if (!isTracking) return adapter.address && answer(schema, call, adapter.address, asked.address);
    const findings = await answer(schema, call, adapter.tracking, [asked.trackingNumber]);
    return Array.isArray(findings) ? findings[0] : findings;
  });
}

const { fetch } = new CarrierFetch(createMetrics(), undefined);
const schemas = new Map<string, Promise<CarrierSchema<Call>>>();

function schemaOf(document: string): Promise<CarrierSchema<Call>> {
  const known = schemas.get(document) ?? CarrierSchema.load(document, fetch);
  schemas.set(document, known);
  return known;
}

function answered({ status, headers, bytes }: Reply, max = MAX_BYTES): Answer {
  const retryAfter = headers['retry-after'] ?? null;
  return {
    outcome: 'answered',
    status,
    headers,
    retryAfter,
    bytes: bytes.subarray(0, max),
    isWhole: bytes.length <= max,
  };
}

/** Credentials have any value, since nobody looks at them; some are numbers. Settings are left out. */
function accountOf(carrierCode: CarrierCode): CarrierAccount {
  const { settings = {} } = carrierOf(carrierCode);
  const credentials = new Proxy({}, { get: (_, name) => (Object.hasOwn(settings, name) ? undefined : '1') });
  const companyId = '00000000-0000-0000-0000-000000000000' as CompanyId;
  const asker = { companyId, carrierConnectionId: 0, purpose: 'credentials_test', requestId: null } as const;
  return { key: 'nobody', carrierCode, environment: 'live', baseUrl: null, credentials, asker };
}
