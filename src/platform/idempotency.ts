import { randomUUID } from 'node:crypto';
import { companyStatement, serviceStatement, statementForEach } from './database/statements/statements.ts';
import type { CompanyId } from './database/tenancy/company-id.ts';
import { Tenant } from './database/tenancy/tenancy.ts';
import type { TenantTransaction } from './database/tenancy/tenant-transaction.ts';
import { Fault } from './fault.ts';
import { deletedByAge, type RetentionRule } from './retention-rule.ts';
import type { SealedRows, SecretKind } from './secrets/reseal.ts';
import { type SecretBox, UnknownKey } from './secrets/secret-box.ts';
import type { Log } from './telemetry/log.ts';
import type { Metrics } from './telemetry/metrics.ts';

/** A request that may be sent again under a key of its caller. */
interface IdempotentRequest {
  readonly apiKeyId: string;
  readonly route: string;
  readonly idempotencyKey: string;
  /** Equal for requests with equal JSON, in any order of members; stored sealed. */
  readonly fingerprint: string;
}

/** A response as it was sent. */
interface KeptAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** The right to carry out a request. Exactly one call of `keep` or `release` ends it. */
interface Execution {
  /** The tenant for the work: a committed transaction is never repeated, even if the process dies afterwards. */
  readonly tenant: Tenant;
  keep(answer: KeptAnswer): Promise<void>;
  /** Lets the request be carried out again, unless it took effect; returns whether it may. */
  release(): Promise<boolean>;
}

/**
 * A row belongs to its caller. A claim without a response is void once its request can no longer be in progress; every
 * row is void after 24 hours.
 */
const OF_REQUEST = 'company_id = $1 and api_key_id = $2 and route = $3 and idempotency_key = $4';
const CLAIM = companyStatement(
  'idempotency-claim',
  `insert into idempotent_request as kept (company_id, api_key_id, route, idempotency_key, claim, request)
    values ($1, $2, $3, $4, $5, $6)
    on conflict (company_id, api_key_id, route, idempotency_key) do update
      set claim = excluded.claim, request = excluded.request, claimed_at = excluded.claimed_at, took_effect = false, answer = null
      where kept.company_id = $1 and (excluded.claimed_at - kept.claimed_at > interval '24 hours'
        or kept.answer is null and not kept.took_effect and excluded.claimed_at - kept.claimed_at > make_interval(secs => $7))
    returning claim`,
);
const KEPT = companyStatement(
  'idempotency-kept',
  `select claim, request, answer, took_effect as "tookEffect",
      extract(epoch from now() - claimed_at)::double precision as "ageSeconds"
    from idempotent_request where ${OF_REQUEST}`,
);
const TAKE_EFFECT = statementForEach(
  'idempotency-effect',
  { api_key_id: 'uuid', route: 'text', idempotency_key: 'text', claim: 'uuid' },
  input => `update idempotent_request kept set took_effect = true from ${input}
    where kept.company_id = each.company_id and kept.api_key_id = each.api_key_id and kept.route = each.route
      and kept.idempotency_key = each.idempotency_key and kept.claim = each.claim
    returning kept.company_id as "companyId"`,
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
  `select array[company_id::text, api_key_id::text, route, idempotency_key] as id, claim, request, answer
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
  answer: companyStatement(
    'idempotency-reseal-answer',
    `update idempotent_request set answer = $6 where ${OF_REQUEST} and answer = $5 returning claim`,
  ),
};

interface KeptRow {
  readonly claim: string;
  readonly request: Buffer;
  readonly answer: Buffer | null;
  readonly tookEffect: boolean;
  readonly ageSeconds: number;
}

/** Longer than any request whose parts each stay within the statement timeout. */
const MIN_CLAIM_SECONDS = 20;
/** The time of a request beside the execution of its document. */
const CLAIM_RESERVE_SECONDS = 10;
/** A request that has just arrived is likely to be answered within a second. */
const FRESH_SECONDS = 2;

/** The fault for a repeated request, by the state of the earlier one. */
const REJECTIONS = {
  reused: () => new Fault('idempotency_key_reused'),
  in_progress: (afterSeconds = 1) =>
    new Fault('idempotency_in_progress', { headers: { 'retry-after': String(afterSeconds) } }),
  lost: () => new Fault('idempotency_answer_lost'),
};

/**
 * Carries out requests once by the keys that their callers gave them, however often they are sent. The response is kept
 * for 24 hours, sealed, because it may hold a secret.
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
    const { apiKeyId, route, idempotencyKey, fingerprint } = request;
    // A claim is ended even if the caller has disconnected.
    const lasting = tenant.lasting();
    const of = [apiKeyId, route, idempotencyKey];
    const context = (what: Sealed, claim: string) => contextOf(what, [tenant.companyId, ...of], claim);
    const claim = randomUUID();
    const sealed = this.#box.seal(fingerprint, context('request', claim));
    for (;;) {
      const [claimed] = await lasting.rows(CLAIM, ...of, claim, sealed, this.#claimSeconds);
      if (claimed) return this.#execution(tenant, of, claim, context('answer', claim));
      const [kept] = await lasting.rows<KeptRow>(KEPT, ...of);
      // The claim was released or expired just now, so the key is free.
      if (!kept) continue;
      return this.#replay(kept, request, context);
    }
  }

  #replay(
    kept: KeptRow,
    { fingerprint }: IdempotentRequest,
    context: (what: Sealed, claim: string) => string,
  ): KeptAnswer {
    const open = (box: Buffer, what: Sealed) => this.#box.open(box, context(what, kept.claim));
    try {
      if (open(kept.request, 'request') !== fingerprint) throw this.#rejection('reused');
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

/** A claim of a request: API key, route, `Idempotency-Key` and claim. */
type Claim = readonly string[];

/** @throws Fault `idempotency_in_progress` if a process slept so long that another one took over the request */
async function takeEffect(tx: TenantTransaction, claims: readonly Claim[]): Promise<void> {
  const column = (part: number) => claims.map(claim => claim[part]);
  const held = await tx.rowsForEach(TAKE_EFFECT, column(0), column(1), column(2), column(3));
  if (held.length < new Set(column(3)).size) throw REJECTIONS.in_progress();
}

type Sealed = 'request' | 'answer';

/** Company, API key, route and `Idempotency-Key`. */
type RequestId = readonly [companyId: CompanyId, ...string[]];

function contextOf(what: Sealed, id: RequestId, claim: string): string {
  return ['idempotency', what, ...id, claim].join('\n');
}

interface SealedRequest extends Pick<KeptRow, 'claim' | 'request' | 'answer'> {
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

export const KEPT_REQUESTS: SecretKind = {
  what: 'requests and responses kept for an Idempotency-Key',
  sealed: (database): SealedRows<SealedPart> => ({
    after: async (id, max) => {
      const rows = await database.rows<SealedRequest>(SEALED, [...(id || BEFORE_ALL), max]);
      return rows.flatMap(({ id, claim, request, answer }): SealedPart[] => [
        { id, claim, what: 'request', box: request },
        ...(answer ? [{ id, claim, what: 'answer' as const, box: answer }] : []),
      ]);
    },
    areShortLived: true,
    contextOf: ({ what, id, claim }) => contextOf(what, id, claim),
    replace: async ({ what, id: [companyId, ...of], box }, sealed) =>
      (await new Tenant(companyId, database).rows(RESEAL[what], ...of, box, sealed)).length > 0,
  }),
};

/** Deletes requests after 24 hours. */
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
