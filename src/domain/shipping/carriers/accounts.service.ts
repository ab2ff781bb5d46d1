import { LRUCache } from 'lru-cache';
import type { CompanyId } from '../../../platform/database/tenancy/company-id.ts';
import type { Tenant } from '../../../platform/database/tenancy/tenancy.ts';
import type { SecretBox } from '../../../platform/secrets/secret-box.ts';
import type { Log } from '../../../platform/telemetry/log.ts';
import {
  type Credentials,
  type CredentialsState,
  credentialsContext,
  hasOwnCredentials,
  questionsOf,
} from './account.rules.ts';
import { accountRow } from './accounts.repository.ts';
import type { CallPurpose } from './calls/call-purposes.rules.ts';
import type { CarrierAccount, CarrierEnvironment, CarrierPort } from './carrier.port.ts';
import { type Carrier, carrierOf, type Question } from './carriers.catalog.ts';

/** The channel that tells processes about companies whose connections or tariffs have changed. */
export const QUOTES_CHANGED = 'quotes_changed';

/** The connections that a process caches; other processes learn of a change on `QUOTES_CHANGED`. */
export interface ConnectionCache {
  invalidate(companyId: CompanyId): void;
}

/** The tools for questions to carriers. */
export interface CarrierAccess {
  readonly port: CarrierPort;
  readonly accounts: Accounts;
  readonly box: SecretBox;
  readonly hasSandbox: boolean;
  /** Invalidated after a change of a connection; undefined in a process without a cache. */
  readonly cache?: ConnectionCache;
}

/** A connection, and its account if the carrier can be asked the question. */
export interface ConnectionAccount {
  readonly carrier: Carrier;
  readonly environment: CarrierEnvironment;
  readonly account: CarrierAccount | null;
  /** Why the carrier cannot be asked: the connection is not active, or has no readable credentials. */
  readonly lacks: 'activity' | 'credentials' | null;
  /** The sealed credentials and their state; null if there are none, or none are needed. */
  readonly sealed: SealedAccount | null;
}

interface SealedAccount {
  readonly carrierConnectionId: number;
  readonly box: Buffer;
  readonly state: CredentialsState | null;
  /** The question that has these credentials for itself; null if they are for all questions. */
  readonly question: Question | null;
}

/** Accounts that are in use. */
const MAX_OPENED = 10_000;

/** Companies' accounts at carriers. Opened credentials are cached, because opening them takes as long as a request. */
export class Accounts {
  readonly #log: Log;
  readonly #opened: LRUCache<string, Credentials, { readonly sealed: Buffer; readonly context: string }>;

  constructor(box: SecretBox, log: Log) {
    this.#log = log;
    this.#opened = new LRUCache({
      max: MAX_OPENED,
      memoMethod: (_name, _stale, { context: { sealed, context } }) => JSON.parse(box.open(sealed, context)),
    });
  }

  /** A connection of the company with its account for a question; undefined if there is none. */
  async of(
    tenant: Tenant,
    carrierConnectionId: number,
    question: Question,
    purpose: CallPurpose,
  ): Promise<ConnectionAccount | undefined> {
    const row = await accountRow(tenant, carrierConnectionId);
    if (!row) return undefined;
    const { environment, baseUrl } = row;
    const carrier = carrierOf(row.carrierCode);
    const about = { carrier, environment, sealed: null };
    if (!row.isActive) return { ...about, account: null, lacks: 'activity' };
    const credentials = row.box ? this.#open(tenant.companyId, carrierConnectionId, row.box) : {};
    const isEnough = credentials && questionsOf(carrier, Object.keys(credentials)).includes(question);
    if (!credentials || !isEnough) return { ...about, account: null, lacks: 'credentials' };
    const key = `${tenant.companyId}/${carrierConnectionId}`;
    const asker = { companyId: tenant.companyId, carrierConnectionId, purpose, requestId: tenant.requestId };
    const account = { key, carrierCode: carrier.code, environment, baseUrl, credentials, asker };
    const isOwn = hasOwnCredentials(carrier, question);
    const state = isOwn ? row.trackingCredentialsState : row.credentialsState;
    // A carrier that asks for no credentials has no verdict on them.
    const sealed = row.box && {
      carrierConnectionId,
      box: row.box,
      state,
      question: isOwn ? question : null,
    };
    return { ...about, account, lacks: null, sealed };
  }

  /** Null if the key is missing: the operator must act, and users see a check that was not possible. */
  #open(companyId: CompanyId, carrierConnectionId: number, sealed: Buffer): Credentials | null {
    const context = credentialsContext(companyId, carrierConnectionId);
    try {
      // The context binds them to this connection, so that they open for no other.
      return this.#opened.memo(`${context} ${sealed.toString('latin1')}`, { context: { sealed, context } });
    } catch (error) {
      const reason = (error as Error).name;
      this.#log.error({ companyId, carrierConnectionId, reason }, "a carrier's credentials can't be opened");
      return null;
    }
  }
}
