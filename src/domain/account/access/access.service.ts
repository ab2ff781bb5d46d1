import { randomUUID } from 'node:crypto';
import type { InferEntity } from '@mikro-orm/core';
import type { z } from 'zod';
import type { Database } from '../../../platform/database/database.ts';
import { OPERATOR } from '../../../platform/database/tenancy/actor.ts';
import type { CompanyId } from '../../../platform/database/tenancy/company-id.ts';
import { Tenant } from '../../../platform/database/tenancy/tenancy.ts';
import { TenantTransaction } from '../../../platform/database/tenancy/tenant-transaction.ts';
import { Fault, type Issue, invalid } from '../../../platform/fault.ts';
import { readInput } from '../../../platform/input.ts';
import { isUuid } from '../../../platform/uuid.ts';
import { record } from '../audit/audit.service.ts';
import { CompanyEntity } from './access.entity.ts';
import {
  findKey,
  isBeingErased,
  type KeyDetails,
  type KeySummary,
  keyDetails,
  keysOfCompanies,
} from './access.repository.ts';
import type { Principal } from './authenticate.service.ts';
import { companyInput } from './company.input.ts';
import type { Grantor } from './grants.rules.ts';
import { isLetIn, keyIdOf } from './key.rules.ts';
import { type KeyInput, rotation, updateApiKeyInput } from './keys.input.ts';
import { issueKey, OPERATOR as OPERATOR_GRANTS, revokeKey, rotateKey, updateKey } from './keys.service.ts';

export { isBeingErased, notifyOfAllKeys } from './access.repository.ts';

/** The times of the caller's key. */
export async function currentKey(tenant: Tenant, { apiKeyId }: Principal): Promise<KeyDetails> {
  const details = await keyDetails(tenant, apiKeyId);
  if (!details) throw new Fault('invalid_api_key', { headers: { 'www-authenticate': 'Bearer' } });
  return details;
}

export interface Company {
  readonly companyId: CompanyId;
  readonly name: string;
  readonly createdAt: Date;
  readonly suspendedAt: Date | null;
  /** The live company of a sandbox; null for a live company. */
  readonly sandboxOf: CompanyId | null;
}

/** The operators' actions on companies and their keys. Only this part of the service spans companies. */
export class AccessAdministration {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** @throws Fault `validation_failed` */
  async createCompany(name: string, companyId: string = randomUUID()): Promise<Company> {
    const read = readInput(companyInput, { name });
    return this.#database.transaction(async em => {
      const company = em.create(CompanyEntity, { id: companyId, ...read });
      await em.flush();
      const tx = new TenantTransaction(companyId as CompanyId, em, OPERATOR);
      await record(tx, { action: 'company_created', subject: { type: 'Company', key: companyId }, detail: read });
      return summarizeCompany(company);
    });
  }

  /** All companies, oldest first, each followed by its sandbox. */
  async companies(): Promise<Company[]> {
    const companies = await this.#database.transaction(em =>
      em.findAll(CompanyEntity, { orderBy: { createdAt: 'asc', id: 'asc' } }),
    );
    const all = companies.map(summarizeCompany);
    const sandboxes = new Map(all.map(company => [company.sandboxOf, company]));
    return all
      .filter(({ sandboxOf }) => sandboxOf === null)
      .flatMap(company => [company, sandboxes.get(company.companyId) ?? []].flat());
  }

  /** A company with this name; names need not be unique. */
  async companyNamed(name: string): Promise<Company | undefined> {
    return this.#database.transaction(async em => {
      const company = await em.findOne(CompanyEntity, { name: name.trim() });
      return company ? summarizeCompany(company) : undefined;
    });
  }

  async company(companyId: string): Promise<Company | undefined> {
    if (!isUuid(companyId)) return undefined;
    return this.#database.transaction(async em => {
      const company = await em.findOne(CompanyEntity, { id: companyId });
      return company ? summarizeCompany(company) : undefined;
    });
  }

  /** @throws Fault `validation_failed` if no company has this id */
  async requireCompany(companyId: string): Promise<Company> {
    const company = await this.company(companyId);
    if (company) return company;
    throw invalid([{ path: ['company'], code: 'company_not_found', message: 'must be the id of a company' }]);
  }

  /**
   * Issues a key. The result has its only copy.
   *
   * @param scopes names of scopes, or `['all']`
   * @throws Fault `validation_failed`
   */
  async createKey(input: KeyInput & { companyId: string }): Promise<{
    apiKeyId: string;
    apiKey: string;
    companyId: CompanyId;
  }> {
    const { companyId, ...wanted } = input;
    const company = await this.company(companyId);
    const message = 'must be the id of a company';
    const issues: Issue[] = company ? [] : [{ path: ['companyId'], code: 'company_not_found', message }];
    const tenant = operatorsTenant(this.#database, companyId as CompanyId);
    if (company) await requireNoErasure(tenant, 'companyId');
    const grantor: Grantor = { ...OPERATOR_GRANTS, environment: company?.sandboxOf ? 'sandbox' : 'live' };
    const { apiKey, key } = await issueKey(tenant, wanted, grantor, issues);
    return { apiKeyId: key.apiKeyId, apiKey, companyId: key.companyId };
  }

  /** Keys of a company and of its sandbox, or all; oldest first. @throws Fault `validation_failed` */
  async keys(companyId?: string): Promise<KeySummary[]> {
    if (companyId !== undefined) await this.requireCompany(companyId);
    return keysOfCompanies(this.#database, companyId ?? null);
  }

  /** The company that a key would open now. */
  async companyOfKey(apiKey: string): Promise<CompanyId | undefined> {
    const apiKeyId = keyIdOf(apiKey);
    const stored = apiKeyId === undefined ? undefined : await findKey(this.#database, apiKeyId);
    const isOpened = stored && stored.suspendedAtMs === null && isLetIn(stored, apiKey, Date.now());
    return isOpened ? stored.companyId : undefined;
  }

  /**
   * Issues a copy of a key; the old one stays valid for `overlapHours` (24 by default).
   *
   * @throws Fault `validation_failed`
   */
  async rotateKey({ apiKeyId, overlapHours }: { apiKeyId: string; overlapHours?: number }): Promise<{
    apiKeyId: string;
    apiKey: string;
    expiresAt: Date | null;
    oldApiKeyId: string;
    oldExpiresAt: Date | null;
  }> {
    const tenant = await this.tenantOfKey(apiKeyId);
    const hours = readInput(rotation, { overlapHours });
    const { apiKey, key, oldKey } = await rotateKey(tenant, { apiKeyId, ...hours });
    return {
      apiKeyId: key.apiKeyId,
      apiKey,
      expiresAt: key.expiresAt,
      oldApiKeyId: oldKey.apiKeyId,
      oldExpiresAt: oldKey.expiresAt,
    };
  }

  /** Changes the fields that are given; an operator may raise rates. @throws Fault `validation_failed` */
  async updateKey(apiKeyId: string, patch: z.input<typeof updateApiKeyInput>): Promise<KeySummary> {
    const tenant = await this.tenantOfKey(apiKeyId);
    return updateKey(tenant, apiKeyId, readInput(updateApiKeyInput, patch));
  }

  /** Revokes a key permanently; revoking it again keeps the first time. @throws Fault `validation_failed` */
  async revokeKey(apiKeyId: string): Promise<KeySummary> {
    return revokeKey(await this.tenantOfKey(apiKeyId), apiKeyId);
  }

  /** The company of a key. @throws Fault `validation_failed` if no key has this id, or its company is being erased */
  async tenantOfKey(apiKeyId: string): Promise<Tenant> {
    const key = isUuid(apiKeyId) ? await findKey(this.#database, apiKeyId) : undefined;
    if (key) return requireNoErasure(operatorsTenant(this.#database, key.companyId), 'key');
    throw new Fault('validation_failed', {
      detail: 'No key has this id.',
      issues: [{ path: ['key'], code: 'api_key_not_found', message: 'must be the id of an API key' }],
    });
  }
}

function summarizeCompany(company: InferEntity<typeof CompanyEntity>): Company {
  const { id, name, createdAt = new Date(), suspendedAt = null } = company;
  const sandboxOf = (company.sandboxOf ?? null) as CompanyId | null;
  return { companyId: id as CompanyId, name, createdAt, suspendedAt, sandboxOf };
}

/** A company by its id, for all but its erasure. @throws Fault `validation_failed`, also once its erasure has begun */
export async function tenantOfCompany(database: Database, companyId: string): Promise<Tenant> {
  await new AccessAdministration(database).requireCompany(companyId);
  return requireNoErasure(operatorsTenant(database, companyId as CompanyId), 'company');
}

/**
 * A live company by its id, even during its erasure, for actions on it together with its sandbox.
 *
 * @throws Fault `validation_failed`, also for a sandbox
 */
export async function liveCompany(database: Database, companyId: string): Promise<Tenant> {
  const { sandboxOf } = await new AccessAdministration(database).requireCompany(companyId);
  if (sandboxOf === null) return operatorsTenant(database, companyId as CompanyId);
  const message = `must be the id of a company and not of its sandbox: the company is ${sandboxOf}`;
  throw invalid([{ path: ['company'], code: 'not_allowed', message }]);
}

const operatorsTenant = (database: Database, companyId: CompanyId) =>
  new Tenant(companyId, database, { actor: OPERATOR });

/**
 * Returns a tenant whose erasure has not begun: afterwards rows may be missing, and its proof has counted its audit
 * trail.
 *
 * @param named the option that names the company in the command
 * @throws Fault `validation_failed`
 */
export async function requireNoErasure(tenant: Tenant, named: string): Promise<Tenant> {
  if (await tenant.transaction(isBeingErased)) throw erasureBegun(named);
  return tenant;
}

export function erasureBegun(named: string): Fault {
  const message = 'names a company whose erasure has begun: only `company erase` continues it';
  return invalid([{ path: [named], code: 'not_allowed', message }]);
}
