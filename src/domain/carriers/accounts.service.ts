import { LRUCache } from 'lru-cache';
import type { Tenant } from '../../platform/database/tenancy.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import type { Log } from '../../platform/telemetry/log.ts';
import { type Credentials, credentialsContext } from './account.rules.ts';
import { accountRow } from './accounts.repository.ts';
import type { CarrierAccount, CarrierEnvironment, CarrierPort } from './carrier.port.ts';
import { type Carrier, carrierOf } from './carriers.catalog.ts';

/** What carriers are asked with. */
export interface CarrierAccess {
  readonly port: CarrierPort;
  readonly accounts: Accounts;
  readonly box: SecretBox;
  /** Whether the service has a sandbox. */
  readonly hasSandbox: boolean;
}

/** A connection, and the account it is asked with where it can be. */
export interface ConnectionAccount {
  readonly carrier: Carrier;
  readonly environment: CarrierEnvironment;
  readonly account: CarrierAccount | null;
  /** Why it can't be asked: it is not active, or has no credentials that can be opened. */
  readonly lacks: 'activity' | 'credentials' | null;
}

/** Accounts that are in use. */
const MAX_OPENED = 10_000;

/** Companies' accounts at carriers. Credentials that were opened are remembered: to open them takes as long as to ask. */
export class Accounts {
  readonly #box: SecretBox;
  readonly #log: Log;
  readonly #opened = new LRUCache<string, Credentials>({ max: MAX_OPENED });

  constructor(box: SecretBox, log: Log) {
    this.#box = box;
    this.#log = log;
  }

  /** A connection of the company with its account; undefined where there is none. */
  async of(tenant: Tenant, carrierCompanyId: number): Promise<ConnectionAccount | undefined> {
    const row = await accountRow(tenant, carrierCompanyId);
    if (!row) return undefined;
    const { environment, baseUrl } = row;
    const carrier = carrierOf(row.carrierCode);
    if (!row.isActive) return { carrier, environment, account: null, lacks: 'activity' };
    const credentials = row.box && this.#open(tenant, carrierCompanyId, row.box);
    if (!credentials) return { carrier, environment, account: null, lacks: 'credentials' };
    const key = `${tenant.companyId}/${carrierCompanyId}`;
    const account = { key, carrierCode: carrier.code, environment, baseUrl, credentials };
    return { carrier, environment, account, lacks: null };
  }

  /** Null where the key is missing: an operator's matter, which the carrier's users see as a check that was not possible. */
  #open({ companyId }: Tenant, carrierCompanyId: number, sealed: Buffer): Credentials | null {
    const context = credentialsContext(companyId, carrierCompanyId);
    // Of this connection: what was opened for it must open for no other.
    const name = `${context} ${sealed.toString('latin1')}`;
    const known = this.#opened.get(name);
    if (known) return known;
    try {
      const credentials: Credentials = JSON.parse(this.#box.open(sealed, context));
      this.#opened.set(name, credentials);
      return credentials;
    } catch (error) {
      const reason = (error as Error).name;
      this.#log.error({ companyId, carrierCompanyId, reason }, "a carrier's credentials can't be opened");
      return null;
    }
  }
}
