import { randomUUID } from 'node:crypto';
import type { InferEntity } from '@mikro-orm/core';
import type { Database } from '../../platform/database.ts';
import { Fault, invalid } from '../../platform/fault.ts';
import { ALL_SCOPES, isScope, type Scope } from '../../platform/scopes.ts';
import { type CompanyId, Tenant } from '../../platform/tenancy.ts';
import { Checks } from '../checks.rules.ts';
import { isUuid } from '../uuid.rules.ts';
import { ApiKeyEntity, type ApiKeyRecord, CompanyEntity } from './access.entity.ts';
import { findKey, isCurrent, type KeyDetails, keyDetails } from './access.repository.ts';
import type { Principal } from './authenticate.service.ts';
import { hashesEqual, hashKey, keyIdOf, makeKey } from './key.rules.ts';

/** Times of the key that asks. */
export async function currentKey(tenant: Tenant, { apiKeyId }: Principal): Promise<KeyDetails> {
  const details = await keyDetails(tenant, apiKeyId);
  if (!details) throw new Fault('invalid_api_key', { headers: { 'www-authenticate': 'Bearer' } });
  return details;
}

export interface Company {
  readonly companyId: CompanyId;
  readonly name: string;
  readonly createdAt: Date;
}

/** A key as an operator sees it; the key itself is never shown again. */
export interface KeySummary {
  readonly apiKeyId: string;
  readonly companyId: CompanyId;
  readonly label: string;
  readonly last4: string;
  readonly scopes: readonly string[];
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly lastUsedAt: Date | null;
}

/**
 * What operators do to companies and their keys, from the command line: the only part of the service that is not
 * inside one company.
 */
export class AccessAdministration {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** @throws Fault `validation_failed` */
  async createCompany(name: string, companyId: string = randomUUID()): Promise<Company> {
    const checks = new Checks();
    const checkedName = checks.text(['name'], name);
    checks.throwIfAny();
    return this.#database.transaction(async em => {
      const company = em.create(CompanyEntity, { id: companyId, name: checkedName });
      await em.flush();
      return summarizeCompany(company);
    });
  }

  async companies(): Promise<Company[]> {
    return this.#database.transaction(async em => {
      const companies = await em.findAll(CompanyEntity, { orderBy: { createdAt: 'asc', id: 'asc' } });
      return companies.map(summarizeCompany);
    });
  }

  async company(companyId: string): Promise<Company | undefined> {
    if (!isUuid(companyId)) return undefined;
    return this.#database.transaction(async em => {
      const company = await em.findOne(CompanyEntity, { id: companyId });
      return company ? summarizeCompany(company) : undefined;
    });
  }

  /** @throws Fault `validation_failed` where no company has this id */
  async requireCompany(companyId: string): Promise<void> {
    if (await this.company(companyId)) return;
    throw invalid([{ path: ['company'], code: 'company_not_found', message: 'must be the id of a company' }]);
  }

  /**
   * Issues a key. The answer has its only copy.
   *
   * @param scopes names of scopes, or `['all']`
   * @throws Fault `validation_failed`
   */
  async createKey(input: {
    companyId: string;
    label: string;
    scopes: readonly string[];
    expiresAt?: string | null;
  }): Promise<{
    apiKeyId: string;
    apiKey: string;
  }> {
    const checks = new Checks();
    const company = await this.company(input.companyId);
    if (!company) checks.add(['companyId'], 'company_not_found', 'must be the id of a company');
    const label = checks.text(['label'], input.label);
    const scopes = checkScopes(checks, input.scopes);
    const expiresAt = checks.dateTime(['expiresAt'], input.expiresAt ?? null);
    if (expiresAt !== null && expiresAt.getTime() <= Date.now())
      checks.add(['expiresAt'], 'out_of_range', 'must lie in the future');
    checks.throwIfAny();

    const id = randomUUID();
    const apiKey = makeKey(id);
    await this.#database.transaction(async em => {
      em.create(ApiKeyEntity, {
        companyId: input.companyId,
        id,
        secretHash: hashKey(apiKey),
        last4: apiKey.slice(-4),
        label,
        scopes: [...scopes],
        expiresAt,
      });
      await em.flush();
    });
    return { apiKeyId: id, apiKey };
  }

  /** Keys of a company, or all; oldest first. @throws Fault `validation_failed` */
  async keys(companyId?: string): Promise<KeySummary[]> {
    if (companyId !== undefined) await this.requireCompany(companyId);
    return this.#database.transaction(async em => {
      const keys = await em.find(ApiKeyEntity, companyId ? { companyId } : {}, {
        orderBy: { createdAt: 'asc', id: 'asc' },
      });
      return keys.map(summarizeKey);
    });
  }

  /** Whether a key would be let in now. */
  async isValidKey(apiKey: string): Promise<boolean> {
    const apiKeyId = keyIdOf(apiKey);
    const stored = apiKeyId === undefined ? undefined : await findKey(this.#database, apiKeyId);
    return stored !== undefined && isCurrent(stored, Date.now()) && hashesEqual(stored.secretHash, hashKey(apiKey));
  }

  /** Revokes a key for good; revoking it again keeps the first time. @throws Fault `validation_failed` */
  async revokeKey(apiKeyId: string): Promise<KeySummary> {
    return this.#database.transaction(async em => {
      const key = isUuid(apiKeyId) ? await em.findOne(ApiKeyEntity, { id: apiKeyId }) : null;
      if (!key) {
        throw new Fault('validation_failed', {
          detail: 'No key has this id.',
          issues: [{ path: ['key'], code: 'api_key_not_found', message: 'must be the id of an API key' }],
        });
      }
      key.revokedAt ??= new Date();
      await em.flush();
      return summarizeKey(key);
    });
  }
}

function summarizeCompany({ id, name, createdAt }: InferEntity<typeof CompanyEntity>): Company {
  return { companyId: id as CompanyId, name, createdAt: createdAt ?? new Date() };
}

function checkScopes(checks: Checks, names: readonly string[]): readonly Scope[] {
  if (names.length === 1 && names[0] === 'all') return ALL_SCOPES;
  if (names.length === 0)
    checks.add(['scopes'], 'required', `must name at least one of ${ALL_SCOPES.join(', ')}, or be all`);
  const unknown = names.filter(name => !isScope(name));
  if (unknown.length > 0) {
    checks.add(
      ['scopes'],
      'not_allowed',
      `has ${unknown.join(', ')}, but must be among ${ALL_SCOPES.join(', ')}, or be all`,
    );
  }
  return ALL_SCOPES.filter(scope => names.includes(scope));
}

function summarizeKey(key: ApiKeyRecord): KeySummary {
  const { id, companyId, label, last4, scopes, createdAt, expiresAt = null, revokedAt = null, lastUsedAt = null } = key;
  return {
    apiKeyId: id,
    companyId: companyId as CompanyId,
    label,
    last4,
    scopes,
    createdAt: createdAt ?? new Date(),
    expiresAt,
    revokedAt,
    lastUsedAt,
  };
}

/** A company by its id. @throws Fault `validation_failed` */
export async function tenantOfCompany(database: Database, companyId: string): Promise<Tenant> {
  await new AccessAdministration(database).requireCompany(companyId);
  return new Tenant(companyId as CompanyId, database);
}
