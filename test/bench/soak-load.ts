import { Pool } from 'undici';
import { BASE_PATH } from '../../src/http/rest/endpoints.ts';
import { OPERATIONS } from '../../src/http/rest/operations.ts';
import type { LoadRequest } from './load.ts';
import { pseudoRandom } from './pseudo-random.ts';
import { quoteBodies } from './quote-load.ts';
import type { TrackedCompany } from './seed.ts';
import { graphqlRequest, restRequest, sample } from './tracking-load.ts';

/** Callers of every kind at once, each over a connection of its own and one request after the other. */

const CALLERS = 16;
const QUOTES = 500;
const STATUSES = ['IN_TRANSIT', 'AT_DEPOT', 'OUT_FOR_DELIVERY'];
const PLACE = { address: 'Via Roma 1', postalCode: '20121', city: 'Milano', state: 'MI', country: 'IT' };

const PAGE = `query page { shipments(first: 50) { edges { node {
  trackingNumber statusLabel order { orderNumber } warehouse { name } timeline { nodes { occurredAt statusLabel location } } } } } }`;
const RECORD =
  'mutation ($input: [TrackingEventInput!]!) { recordTrackingEvents(input: { events: $input }) { created rejected } }';

/** Sends a request and returns its answer. @throws Error if it is not a success */
type Ask = (request: LoadRequest | ChangeRequest) => Promise<string>;

interface ChangeRequest extends Omit<LoadRequest, 'method'> {
  readonly method: 'PATCH' | 'DELETE';
}

/** One thing that a caller does, for a company. */
type Deed = (ask: Ask, company: TrackedCompany, random: () => number) => Promise<void>;

/** How often each is done, of a hundred deeds. */
const MIX: readonly (readonly [share: number, deed: Deed])[] = [
  [35, (ask, company, random) => once(ask, restRequest(shipmentOf(company, random)))],
  [25, (ask, company, random) => once(ask, trackByGraphQL(company, random))],
  [5, (ask, company) => once(ask, graphqlRequest(company, PAGE, {}))],
  [15, (ask, company, random) => once(ask, quote(company, random))],
  [5, (ask, company) => once(ask, rest(company, 'GET', '/warehouses'))],
  [3, (ask, company) => once(ask, rest(company, 'GET', '/carriers'))],
  [10, recordEvent],
  [2, changeWarehouses],
];

/** Keeps all callers at it for so long; the number of requests that were answered. */
export async function mixedLoad(url: string, companies: readonly TrackedCompany[], seconds: number): Promise<number> {
  const pool = new Pool(url, { connections: CALLERS, pipelining: 1 });
  const endsAt = performance.now() + seconds * 1000;
  let answered = 0;
  const ask: Ask = async request => {
    const { statusCode, body } = await pool.request(request as LoadRequest);
    const text = await body.text();
    if (statusCode >= 300 || text.startsWith('{"errors"')) {
      throw new Error(`${request.method} ${request.path} was answered with ${statusCode}: ${text}`);
    }
    answered++;
    return text;
  };
  const caller = async (seed: number) => {
    const random = pseudoRandom(seed);
    while (performance.now() < endsAt) {
      const company = companies[Math.floor(random() * companies.length)] as TrackedCompany;
      await chosen(random() * 100)(ask, company, random);
    }
  };
  try {
    await Promise.all(Array.from({ length: CALLERS }, (_, i) => caller(i + 1)));
  } finally {
    await pool.destroy();
  }
  return answered;
}

function chosen(percentage: number): Deed {
  let left = percentage;
  for (const [share, deed] of MIX) {
    left -= share;
    if (left < 0) return deed;
  }
  return recordEvent;
}

async function once(ask: Ask, request: LoadRequest): Promise<void> {
  await ask(request);
}

function rest<Method extends 'GET' | 'POST' | 'PATCH' | 'DELETE'>(
  { apiKey }: TrackedCompany,
  method: Method,
  path: string,
  body?: object,
) {
  const headers = { 'x-api-key': apiKey, ...(body && { 'content-type': 'application/json' }) };
  return { method, path: BASE_PATH + path, headers, ...(body && { body: JSON.stringify(body) }) };
}

/** Each company has as many. */
export const SHIPMENTS = 5_000;

function shipmentOf(company: TrackedCompany, random: () => number) {
  return sample(company, Math.floor(random() * SHIPMENTS) + 1);
}

function trackByGraphQL(company: TrackedCompany, random: () => number): LoadRequest {
  return graphqlRequest(company, OPERATIONS.trackByNumber, { trackingNumber: shipmentOf(company, random).number });
}

const bodies = quoteBodies(QUOTES, 0);

function quote(company: TrackedCompany, random: () => number): LoadRequest {
  const body = { ...bodies[Math.floor(random() * QUOTES)], warehouseId: company.warehouseId };
  return rest(company, 'POST', '/shipments/quote', body);
}

async function recordEvent(ask: Ask, company: TrackedCompany, random: () => number): Promise<void> {
  const trackingNumber = shipmentOf(company, random).number;
  const statusCode = STATUSES[Math.floor(random() * STATUSES.length)];
  const input = [{ trackingNumber, occurredAt: new Date().toISOString(), statusCode, location: 'Bologna' }];
  await ask(graphqlRequest(company, RECORD, { input }));
}

/** Makes one, changes it and deletes it again. */
async function changeWarehouses(ask: Ask, company: TrackedCompany): Promise<void> {
  const created = await ask(rest(company, 'POST', '/warehouses', { name: 'Deposito', typeId: 2, ...PLACE }));
  const path = `/warehouses/${JSON.parse(created).id}`;
  await ask(rest(company, 'PATCH', path, { name: 'Deposito nuovo' }));
  await ask(rest(company, 'DELETE', path));
}
