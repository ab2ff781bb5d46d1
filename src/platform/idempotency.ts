import { randomUUID } from 'node:crypto';
import type { Database } from './database/database.ts';
import { companyStatement, serviceStatement } from './database/statements/statements.ts';
import type { CompanyId } from './database/tenancy/company-id.ts';
import { Tenant } from './database/tenancy/tenancy.ts';
import type { TenantTransaction } from './database/tenancy/tenant-transaction.ts';
import { Fault } from './fault.ts';
import { deletedByAge, type RetentionRule } from './retention-rule.ts';
import { countUnreadable, type Resealed, reseal, type SealedRows } from './secrets/reseal.ts';
import { type SecretBox, UnknownKey } from './secrets/secret-box.ts';
import type { Log } from './telemetry/log.ts';
import type { Metrics } from './telemetry/metrics.ts';

/** A request that may be sent again under a key of its caller's. */
export interface IdempotentRequest {
  readonly apiKeyId: string;
  readonly route: string;
  readonly idempotencyKey: string;
  /** Equal for requests whose JSON is equal, in whatever order their members stand; kept sealed. */
  readonly fingerprint: string;
  /** Equal only if the members stand in the same order. Processes of version 0.1 compare it and know no other. */
  readonly orderedFingerprint: string;
}

/** An answer as it was sent. */
export interface KeptAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** The right to carry out a request. Exactly one of `keep` and `release` ends it. */
export interface Execution {
  /** For the work: a transaction of it that is committed is never done again, even where the process dies after it. */
  readonly tenant: Tenant;
  keep(answer: KeptAnswer): Promise<void>;
  /** Lets the same request be carried out anew, unless it took effect; returns whether it may. */
  release(): Promise<boolean>;
}

/**
 * A row is its caller's. A claim without an answer is void once its request can no longer be under way, everything after
 * 24 hours.
 */
const OF_REQUEST = 'company_id = $1 and api_key_id = $2 and route = $3 and idempotency_key = $4';
const CLAIM = companyStatement(
  'idempotency-claim',
  `insert into idempotent_request as kept (company_id, api_key_id, route, idempotency_key, claim, request, unordered_request)
    values ($1, $2, $3, $4, $5, $6, $7)
    on conflict (company_id, api_key_id, route, idempotency_key) do update
      set claim = excluded.claim, request = excluded.request, unordered_request = excluded.unordered_request,
        claimed_at = excluded.claimed_at, took_effect = false, answer = null
      where kept.company_id = $1 and (excluded.claimed_at - kept.claimed_at > interval '24 hours'
        or kept.answer is null and not kept.took_effect and excluded.claimed_at - kept.claimed_at > make_interval(secs => $8))
    returning claim`,
);
const KEPT = companyStatement(
  'idempotency-kept',
  `select claim, request, unordered_request as "unorderedRequest", answer, took_effect as "tookEffect",
      extract(epoch from now() - claimed_at)::double precision as "ageSeconds"
    from idempotent_request where ${OF_REQUEST}`,
);
const TAKE_EFFECT = companyStatement(
  'idempotency-effect',
  `update idempotent_request kept set took_effect = true
    from unnest($2::uuid[], $3::text[], $4::text[], $5::uuid[]) as done(api_key_id, route, idempotency_key, claim)
    where kept.company_id = $1 and kept.api_key_id = done.api_key_id and kept.route = done.route
      and kept.idempotency_key = done.idempotency_key and kept.claim = done.claim
    returning kept.claim`,
);
const KEEP = companyStatement(
  'idempotency-keep',
  `update idempotent_request set answer = $6 where ${OF_REQUEST} and claim = $5`,
);
const RELEASE = companyStatement(
  'idempotency-release',
  `delete from idempotent_request where ${OF_REQUEST} and claim = $5 and not took_effect returning claim`,
);
const SEALED = serviceStatement(
  'idempotency-sealed',
  `select array[company_id::text, api_key_id::text, route, idempotency_key] as id, claim, request,
      unordered_request as "unorderedRequest", answer
    from idempotent_request
    where (company_id, api_key_id, route, idempotency_key) > ($1, $2, $3, $4)
      and claimed_at >= now() - interval '24 hours'
    order by company_id, api_key_id, route, idempotency_key limit $5`,
);
const RESEAL = {
  request: companyStatement(
    'idempotency-reseal-request',
    `update idempotent_request set request = $6 where ${OF_REQUEST} and request = $5 returning claim`,
  ),
  unordered: companyStatement(
    'idempotency-reseal-unordered',
    `update idempotent_request set unordered_request = $6 where ${OF_REQUEST} and unordered_request = $5 returning claim`,
  ),
  answer: companyStatement(
    'idempotency-reseal-answer',
    `update idempotent_request set answer = $6 where ${OF_REQUEST} and answer = $5 returning claim`,
  ),
};

interface KeptRow {
  readonly claim: string;
  readonly request: Buffer;
  /** Null where a process of version 0.1 has written the row. */
  readonly unorderedRequest: Buffer | null;
  readonly answer: Buffer | null;
  readonly tookEffect: boolean;
  readonly ageSeconds: number;
}

/** Longer than any request runs of which no part may take longer than a statement. */
const MIN_CLAIM_SECONDS = 20;
/** What a request may take beside running its document. */
const CLAIM_RESERVE_SECONDS = 10;
/** A request that has just come is likely to be answered within a second. */
const FRESH_SECONDS = 2;

/** The fault a request is rejected with, by what became of the earlier one. */
const REJECTIONS = {
  reused: () => new Fault('idempotency_key_reused'),
  in_progress: (afterSeconds = 1) =>
    new Fault('idempotency_in_progress', { headers: { 'retry-after': String(afterSeconds) } }),
  lost: () => new Fault('idempotency_answer_lost'),
};

/**
 * Requests by the keys their callers gave them, so that each is carried out once however often it is sent: its answer is
 * kept for 24 hours, sealed, since it may hold a secret.
 */
export class IdempotentRequests {
  readonly #box: SecretBox;
  readonly #metrics: Metrics;
  readonly #log: Log;
  readonly #claimSeconds: number;

  /** @param timeoutMs how long a GraphQL document may run */
  constructor(box: SecretBox, metrics: Metrics, log: Log, timeoutMs: number) {
    this.#claimSeconds = Math.max(MIN_CLAIM_SECONDS, timeoutMs / 1000 + CLAIM_RESERVE_SECONDS);
    this.#box = box;
    this.#metrics = metrics;
    this.#log = log;
  }

  /** @throws Fault `idempotency_key_reused`, `idempotency_in_progress`, `idempotency_answer_lost` */
  async begin(tenant: Tenant, request: IdempotentRequest): Promise<KeptAnswer | Execution> {
    const { apiKeyId, route, idempotencyKey, fingerprint, orderedFingerprint } = request;
    // A claim is ended also where the caller is gone.
    const lasting = tenant.lasting();
    const of = [apiKeyId, route, idempotencyKey];
    const context = (what: Sealed, claim: string) => contextOf(what, [tenant.companyId, ...of], claim);
    const claim = randomUUID();
    const ordered = this.#box.seal(orderedFingerprint, context('request', claim));
    const unordered = this.#box.seal(unorderedRequest(fingerprint, claim), context('unordered', claim));
    for (;;) {
      const [claimed] = await lasting.rows(CLAIM, ...of, claim, ordered, unordered, this.#claimSeconds);
      if (claimed) return this.#execution(tenant, of, claim, context('answer', claim));
      const [kept] = await lasting.rows<KeptRow>(KEPT, ...of);
      // Released or forgotten just now: it can be claimed.
      if (!kept) continue;
      return this.#replay(kept, request, context);
    }
  }

  #replay(
    kept: KeptRow,
    { fingerprint, orderedFingerprint }: IdempotentRequest,
    context: (what: Sealed, claim: string) => string,
  ): KeptAnswer {
    const open = (box: Buffer, what: Sealed) => this.#box.open(box, context(what, kept.claim));
    const isSame = () =>
      (kept.unorderedRequest &&
        open(kept.unorderedRequest, 'unordered') === unorderedRequest(fingerprint, kept.claim)) ||
      open(kept.request, 'request') === orderedFingerprint;
    try {
      if (!isSame()) throw this.#rejection('reused');
      if (kept.answer) {
        const answer = JSON.parse(open(kept.answer, 'answer')) as KeptAnswer;
        this.#metrics.idempotent('replayed');
        return answer;
      }
    } catch (error) {
      if (!(error instanceof UnknownKey)) throw error;
      if (kept.answer || kept.tookEffect) throw this.#rejection('lost');
    }
    const leftSeconds = Math.ceil(this.#claimSeconds - kept.ageSeconds);
    if (kept.tookEffect && leftSeconds <= 0) throw this.#rejection('lost');
    throw this.#rejection('in_progress', kept.ageSeconds < FRESH_SECONDS ? 1 : Math.max(1, leftSeconds));
  }

  #rejection(outcome: keyof typeof REJECTIONS, afterSeconds?: number): Fault {
    this.#metrics.idempotent(outcome);
    return REJECTIONS[outcome](afterSeconds);
  }

  #execution(tenant: Tenant, of: readonly string[], claim: string, context: string): Execution {
    const note = (error: Error) =>
      this.#log.warn({ reason: error.message }, 'answer to an idempotent request not kept');
    return {
      tenant: tenant.ending({ subject: [...of, claim], end: takeEffect }),
      keep: async answer => {
        this.#metrics.idempotent('executed');
        const sealed = this.#box.seal(JSON.stringify(answer), context);
        await tenant
          .lasting()
          .rows(KEEP, ...of, claim, sealed)
          .catch(note);
      },
      release: async () => {
        const released = await tenant
          .lasting()
          .rows(RELEASE, ...of, claim)
          .catch(note);
        const isReleased = released !== undefined && released.length > 0;
        if (isReleased) this.#metrics.idempotent('failed');
        return isReleased;
      },
    };
  }
}

/** Of a request: API key, route, `Idempotency-Key` and claim. */
type Claim = readonly string[];

/** @throws Fault `idempotency_in_progress` where a process slept for so long that another has taken over from it */
async function takeEffect(tx: TenantTransaction, claims: readonly Claim[]): Promise<void> {
  const column = (part: number) => claims.map(claim => claim[part]);
  const held = await tx.rows(TAKE_EFFECT, column(0), column(1), column(2), column(3));
  if (held.length < new Set(column(3)).size) throw REJECTIONS.in_progress();
}

/** What is kept sealed of a request. */
type Sealed = 'request' | 'unordered' | 'answer';

/**
 * With the claim that it was written for: a process of version 0.1 that takes a request over writes only `request`, and
 * leaves what was here before.
 */
function unorderedRequest(fingerprint: string, claim: string): string {
  return `${claim} ${fingerprint}`;
}

/** Company, API key, route and `Idempotency-Key`. */
type RequestId = readonly [companyId: CompanyId, ...string[]];

function contextOf(what: Sealed, id: RequestId, claim: string): string {
  return ['idempotency', what, ...id, ...(what === 'unordered' ? [] : [claim])].join('\n');
}

/** How many requests and answers are kept, and how many no key of `SECRETS_KEY` opens. */
export function unreadableRequests(database: Database, box: SecretBox) {
  return countUnreadable(box, sealedRequestsOf(database));
}

/** Seals what is kept with the first key of `SECRETS_KEY`. */
export function resealRequests(database: Database, box: SecretBox, leavesUnreadable: boolean): Promise<Resealed> {
  return reseal(box, sealedRequestsOf(database), leavesUnreadable);
}

interface SealedRequest extends Pick<KeptRow, 'claim' | 'request' | 'unorderedRequest' | 'answer'> {
  readonly id: RequestId;
}

interface SealedPart {
  readonly id: RequestId;
  readonly claim: string;
  readonly what: Sealed;
  readonly box: Buffer;
}

const NO_UUID = '00000000-0000-0000-0000-000000000000';
const BEFORE_ALL = [NO_UUID, NO_UUID, '', ''];

function sealedRequestsOf(database: Database): SealedRows<SealedPart> {
  return {
    after: async (id, max) => {
      const rows = await database.rows<SealedRequest>(SEALED, [...(id || BEFORE_ALL), max]);
      return rows.flatMap(({ id, claim, request, unorderedRequest, answer }): SealedPart[] => [
        { id, claim, what: 'request', box: request },
        ...(unorderedRequest ? [{ id, claim, what: 'unordered' as const, box: unorderedRequest }] : []),
        ...(answer ? [{ id, claim, what: 'answer' as const, box: answer }] : []),
      ]);
    },
    areShortLived: true,
    contextOf: ({ what, id, claim }) => contextOf(what, id, claim),
    replace: async ({ what, id: [companyId, ...of], box }, sealed) =>
      (await new Tenant(companyId, database).rows(RESEAL[what], ...of, box, sealed)).length > 0,
  };
}

/** Forgets requests past their 24 hours. */
export const IDEMPOTENCY_RETENTION: RetentionRule = {
  ...deletedByAge({
    table: 'idempotent_request',
    key: 'company_id, api_key_id, route, idempotency_key',
    at: 'claimed_at',
  }),
  what: 'responses kept for an `Idempotency-Key`',
  how: 'deleted',
  kept: 1,
};
