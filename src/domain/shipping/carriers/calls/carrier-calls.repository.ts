import type { Database } from '../../../../platform/database/database.ts';
import { rowLoader } from '../../../../platform/database/gather/loader.ts';
import type {
  Direction,
  Parameters,
  ScanCount,
  ScannedIndex,
  ScannedRow,
} from '../../../../platform/database/lists/index-scan.ts';
import { optionalConditions, textsOf } from '../../../../platform/database/lists/optional-conditions.ts';
import { type ScanRequest, ScanStatements } from '../../../../platform/database/lists/scanned-lists.ts';
import { ms } from '../../../../platform/database/statements/sql.ts';
import { companyStatement, serviceStatement } from '../../../../platform/database/statements/statements.ts';
import type { CompanyId } from '../../../../platform/database/tenancy/company-id.ts';
import { Tenant } from '../../../../platform/database/tenancy/tenancy.ts';
import type { CarrierCall } from '../carrier.port.ts';
import type { CallOutcome } from './call-purposes.rules.ts';

/** A recorded call. Its time is milliseconds since 1970. */
export interface CarrierCallRow extends Omit<CarrierCall, 'at' | 'companyId'> {
  readonly id: number;
  readonly at: number;
}

const INSERT = companyStatement(
  'insert-carrier-calls',
  `with stored as (
      insert into carrier_call (company_id, carrier_connection_id, at, purpose, is_token_request, request_id, method, address,
          outcome, status, failure, duration_ms, request_headers, request_body, response_headers, response_body)
        select $1, "carrierConnectionId", at, purpose, "isTokenRequest", "requestId", method, address, outcome, status, failure,
            "durationMs", "requestHeaders", "requestBody", "responseHeaders", "responseBody"
          from json_to_recordset($2::json) as call("carrierConnectionId" integer, at timestamptz, purpose text,
            "isTokenRequest" boolean, "requestId" text, method text, address text, outcome text, status smallint, failure text,
            "durationMs" integer, "requestHeaders" json, "requestBody" text, "responseHeaders" json, "responseBody" text)
        returning company_id
    ) select count(*)::integer as count from stored where company_id = $1`,
);

export async function insertCalls(tenant: Tenant, calls: readonly CarrierCall[]): Promise<void> {
  await tenant.rows(INSERT, JSON.stringify(calls));
}

const columns = (call: string) => `${call}.id::float8 as id, ${call}.carrier_connection_id as "carrierConnectionId",
    ${ms(`${call}.at`)} as at, ${call}.purpose, ${call}.is_token_request as "isTokenRequest",
    ${call}.request_id as "requestId", ${call}.method, ${call}.address, ${call}.outcome, ${call}.status, ${call}.failure,
    ${call}.duration_ms as "durationMs", ${call}.request_headers as "requestHeaders", ${call}.request_body as "requestBody",
    ${call}.response_headers as "responseHeaders", ${call}.response_body as "responseBody"`;

export const CALL_SCANS = ['request', 'connection', 'outcome', 'time'] as const;
export type CallScan = (typeof CALL_SCANS)[number];

type Value = Parameters['of'];

const SCANS: Readonly<Record<CallScan, ScannedIndex>> = {
  // Callers choose the ids of requests, and may give all of them one id.
  request: {
    ids: (value, bounded) =>
      `select id from carrier_call where company_id = $1 and request_id is not null
        and ${bounded('id', ['request_id', value('requestId', 'text')])}`,
  },
  connection: {
    prefix: ['r.carrier_connection_id'],
    ranges: value => `(select ${value('carrierConnectionId', 'integer')} as p1, 1 as n) as each`,
    key: 'r.at',
  },
  outcome: {
    prefix: ['r.outcome'],
    ranges: value => `unnest(${textsOf(value, 'outcomes')}) with ordinality as each(p1, n)`,
    key: 'r.at',
  },
  time: { key: 'r.at' },
};

/** Values of the parameters of all statements, by name; null if the filter lacks the condition. */
export interface CallConditions {
  readonly requestId: string | null;
  readonly carrierConnectionId: number | null;
  readonly outcomes: readonly string[] | null;
  readonly from: string | null;
  readonly to: string | null;
}

function condition(value: Value): string {
  const { unless, equal, among, from, to } = optionalConditions<keyof CallConditions>(value);
  return [
    equal('requestId', 'c.request_id'),
    unless('carrierConnectionId', 'integer', id => `c.carrier_connection_id = ${id}`),
    among('outcomes', 'c.outcome'),
    from('from', 'c.at'),
    to('to', 'c.at'),
  ].join(' and ');
}

const STATEMENTS = new ScanStatements<CallScan, CallConditions>('carrier-calls', CALL_SCANS, scan => ({
  table: 'carrier_call',
  as: 'c',
  index: SCANS[scan],
  joins: '',
  condition,
  select: () => columns('c'),
  counted: () => ({ joins: '', group: 'null::text' }),
}));

type CallsScan = ScanRequest<CallScan, CallConditions>;

/** A page of calls in the order of a scan, with the position up to which it looked. */
export function scannedCalls(
  tenant: Tenant,
  asked: CallsScan,
  direction: Direction,
  limit: number,
): Promise<(ScannedRow & CarrierCallRow)[]> {
  return STATEMENTS.page(tenant, asked, direction, limit);
}

export function countScannedCalls(tenant: Tenant, asked: CallsScan): Promise<ScanCount[]> {
  return STATEMENTS.count(tenant, asked);
}

const BY_ID = rowLoader<[id: number], CarrierCallRow>({
  name: 'carrier-call',
  key: { id: 'bigint' },
  text: `select ${columns('c')} from carrier_call c where c.company_id = each.company_id and c.id = each.id`,
});

export function callById(tenant: Tenant, id: number): Promise<CarrierCallRow | undefined> {
  return tenant.load(BY_ID, id);
}

/** A connection that can be asked, with its latest stored call. */
export interface LatestCall {
  readonly carrierCode: string;
  readonly outcome: CallOutcome | null;
  /** Milliseconds since 1970. */
  readonly at: number | null;
}

const CONNECTIONS = serviceStatement(
  'connections-with-credentials',
  `select company_id as "companyId", id, carrier_code as "carrierCode" from carrier_connection
    where is_active and disconnected_at is null and credentials is not null order by id desc limit $1`,
);

// One look into the index for each connection.
const LATEST = rowLoader<[carrierConnectionId: number], Pick<LatestCall, 'outcome' | 'at'>>({
  name: 'latest-carrier-call',
  key: { id: 'integer' },
  text: `select c.outcome, ${ms('c.at')} as at from carrier_call c
    where c.company_id = each.company_id and c.carrier_connection_id = each.id order by c.at desc, c.id desc limit 1`,
});

/** The latest calls of the newest connections over all companies. */
export async function latestCalls(database: Database, max: number): Promise<LatestCall[]> {
  const connections = await database.rows<{ companyId: CompanyId; id: number; carrierCode: string }>(CONNECTIONS, [
    max,
  ]);
  return Promise.all(
    connections.map(async ({ companyId, id, carrierCode }) => {
      const { outcome, at } = (await new Tenant(companyId, database).load(LATEST, id)) ?? { outcome: null, at: null };
      return { carrierCode, outcome, at };
    }),
  );
}
