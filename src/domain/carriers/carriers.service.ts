import type { Database } from '../../platform/database/database.ts';
import { Tenant, type TenantTransaction } from '../../platform/database/tenancy.ts';
import { Fault } from '../../platform/fault.ts';
import { type Caps, MAX_WAITING_CHANGES, requireRoom } from '../../platform/limits/caps.ts';
import { type UrlIssue, urlIssue } from '../../platform/outbound/outbound-url.ts';
import { countUnreadable, reseal, type SealedRows } from '../../platform/secrets/reseal.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import { Checks } from '../checks.rules.ts';
import {
  type CheckedCredentials,
  type CredentialsInput,
  checkCredentials,
  credentialsContext,
} from './account.rules.ts';
import { replaceCredentials, type SealedCredentials, sealedCredentials } from './accounts.repository.ts';
import type { CarrierAccess, ConnectionCache } from './accounts.service.ts';
import type { CarrierEnvironment } from './carrier.port.ts';
import { connectionChanged } from './carriers.announcements.ts';
import { CARRIER_CODES, carrierByCode, carrierOf } from './carriers.catalog.ts';
import { CarrierConnectionEntity, type CarrierConnectionRecord } from './carriers.entity.ts';
import {
  type ConnectionRow,
  connectionById,
  countConnections,
  existingConnectionIds,
  listConnections,
  lockConnection,
  storeCredentials,
} from './carriers.repository.ts';

export interface ConnectCarrierInput {
  carrierCode: string;
  label: string;
  isActive?: boolean | null;
  environment?: CarrierEnvironment | null;
  baseUrl?: string | null;
  credentials?: CredentialsInput | null;
}

/** What is left out stays as it is. The environment is the demo's to change alone. */
export type CarrierConnectionPatch = {
  [Field in Exclude<keyof ConnectCarrierInput, 'carrierCode'>]?: ConnectCarrierInput[Field] | undefined;
};

/** The company's carrier connections, by ascending id. */
export const carrierConnections = listConnections;

/** A connection, also one that was disconnected: shipments refer to it. @throws Fault `carrier_connection_not_found` */
export async function carrierConnection(tenant: Tenant, carrierCompanyId: number): Promise<ConnectionRow> {
  const found = await connectionById(tenant, carrierCompanyId);
  if (!found) throw new Fault('carrier_connection_not_found');
  return found;
}

/**
 * Connects an account at a carrier; a company may have several at one.
 *
 * @throws Fault `validation_failed`, `carrier_connection_limit_reached`
 */
export async function connectCarrier(
  tenant: Tenant,
  { box, hasSandbox, cache }: Pick<CarrierAccess, 'box' | 'hasSandbox' | 'cache'>,
  caps: Pick<Caps, 'carrierConnections'>,
  input: ConnectCarrierInput,
): Promise<ConnectionRow> {
  const checks = new Checks();
  const carrier = carrierByCode(input.carrierCode);
  if (!carrier) checks.add(['carrierCode'], 'not_allowed', `must be one of ${CARRIER_CODES.join(', ')}`);
  const environment = input.environment ?? 'live';
  if (environment === 'sandbox' && !hasSandbox) {
    checks.add(['environment'], 'not_allowed', 'must be live: this service has no sandbox');
  }
  const label = checks.text(['label'], input.label);
  const baseUrl = input.baseUrl == null ? null : checkBaseUrl(checks, input.baseUrl);
  checkAddressee(checks, environment, baseUrl);
  const credentials = carrier && input.credentials ? checkCredentials(checks, carrier, input.credentials) : null;
  checks.throwIfAny();
  const connect = async (tx: TenantTransaction) => {
    const count = await countConnections(tx);
    requireRoom('carrier_connection_limit_reached', count, caps.carrierConnections, 'carrier connections');
    const isActive = input.isActive ?? true;
    const fields = { carrierCode: carrier?.code ?? '', label, isActive, environment, baseUrl };
    const created = tx.em.create(CarrierConnectionEntity, { companyId: tx.companyId, ...fields });
    await tx.em.flush();
    if (credentials) await seal(tx, created, credentials, box);
    return rowOf(created);
  };
  const connected = await tenant.exclusively('carriers', connect, MAX_WAITING_CHANGES);
  cache?.invalidate(tenant.companyId);
  return connected;
}

/** Changes the fields that are sent. @throws Fault `validation_failed`, `carrier_connection_not_found` */
export async function updateConnection(
  tenant: Tenant,
  { box, cache }: Pick<CarrierAccess, 'box' | 'cache'>,
  carrierCompanyId: number,
  patch: CarrierConnectionPatch,
): Promise<ConnectionRow> {
  const checks = new Checks();
  const { label, isActive, environment, baseUrl, credentials } = patch;
  if (Object.values(patch).every(value => value === undefined)) checks.add([], 'empty', 'must have at least one field');
  if (isActive === null) checks.add(['isActive'], 'required', 'must not be null');
  const fields = {
    ...(label !== undefined && { label: checks.text(['label'], label) }),
    ...(isActive != null && { isActive }),
    ...(environment && { environment }),
    ...(baseUrl !== undefined && { baseUrl: baseUrl === null ? null : checkBaseUrl(checks, baseUrl) }),
    ...(credentials === null && { credentials }),
  };
  return change({ tenant, cache }, carrierCompanyId, checks, async (tx, connection) => {
    checkAddressee(checks, connection.environment, fields.baseUrl);
    const checked = credentials && checkCredentials(checks, carrierOf(connection.carrierCode), credentials);
    checks.throwIfAny();
    tx.em.assign(connection, fields);
    if (checked) await seal(tx, connection, checked, box);
  });
}

/**
 * Forgets an account for good: its credentials are gone, it is asked, quoted and listed no more. What was shipped with it
 * stays. @throws Fault `carrier_connection_not_found`
 */
export function disconnectCarrier(
  tenant: Tenant,
  carrierCompanyId: number,
  { cache }: Pick<CarrierAccess, 'cache'> = {},
): Promise<ConnectionRow> {
  return change({ tenant, cache }, carrierCompanyId, new Checks(), async (tx, connection) => {
    tx.em.assign(connection, { isActive: false, credentials: null, baseUrl: null, disconnectedAt: new Date() });
  });
}

/** Which of the ids are connections of the company; they stay until the transaction ends. */
export async function existingConnections(tx: TenantTransaction, ids: readonly number[]): Promise<Set<number>> {
  return ids.length === 0 ? new Set() : existingConnectionIds(tx, ids);
}

/** How many credentials there are, and how many no key of `SECRETS_KEY` opens. */
export function unreadableCredentials(database: Database, box: SecretBox) {
  return countUnreadable(box, sealedCredentialsOf(database));
}

/** Seals all credentials with the first key of `SECRETS_KEY`; answers how many there are and how many were sealed anew. */
export function resealCredentials(database: Database, box: SecretBox): Promise<{ secrets: number; resealed: number }> {
  return reseal(box, sealedCredentialsOf(database));
}

function sealedCredentialsOf(database: Database): SealedRows<SealedCredentials> {
  return {
    after: (id, max) => sealedCredentials(database, id, max),
    contextOf: ({ companyId, id }) => credentialsContext(companyId, id),
    replace: (row, sealed) => replaceCredentials(new Tenant(row.companyId, database), row, sealed),
  };
}

/**
 * Changes a connection, and announces in the same transaction that it can be asked from now on, or not any more.
 *
 * @param checks what is wrong so far; said before the connection is looked for, or with what only it can tell
 */
async function change(
  { tenant, cache }: { readonly tenant: Tenant; readonly cache: ConnectionCache | undefined },
  carrierCompanyId: number,
  checks: Checks,
  work: (tx: TenantTransaction, connection: CarrierConnectionRecord) => Promise<void>,
): Promise<ConnectionRow> {
  const changed = await tenant.transaction(async tx => {
    const connection = await lockConnection(tx, carrierCompanyId);
    if (!connection) {
      checks.throwIfAny();
      throw new Fault('carrier_connection_not_found');
    }
    const before = { ...connection };
    await work(tx, connection);
    await tx.em.flush();
    // Also where it is asked otherwise than before, since its shipments may have been put off.
    const isAskedAnew = (['isActive', 'credentials', 'baseUrl'] as const).some(
      field => connection[field] !== before[field],
    );
    const canBeAsked = isAsked(connection);
    if (!canBeAsked || isAskedAnew) await connectionChanged.announce(tx, { carrierCompanyId, canBeAsked });
    return rowOf(connection);
  });
  cache?.invalidate(tenant.companyId);
  return changed;
}

function isAsked({ isActive, credentials }: CarrierConnectionRecord): boolean {
  return isActive && credentials != null;
}

/** Seals credentials for the row that they are of, which must be there. */
async function seal(
  tx: TenantTransaction,
  connection: CarrierConnectionRecord,
  credentials: CheckedCredentials,
  box: SecretBox,
): Promise<void> {
  const sealed = box.seal(JSON.stringify(credentials), credentialsContext(tx.companyId, connection.id));
  await storeCredentials(tx, connection.id, sealed);
  connection.credentials = sealed;
}

/** Where a carrier is reached in place of its own address, without a slash at its end; every connection vets it again. */
function checkBaseUrl(checks: Checks, input: string): string {
  const text = input.trim();
  const issue = urlIssue(text, { allowPrivate: [], allowHttp: false }) ?? queryIssue(text);
  // As it is used: a parser reads some letters as others.
  if (!issue) return new URL(text).href.replace(/\/+$/, '');
  checks.add(['baseUrl'], issue.code, issue.message);
  return '';
}

function queryIssue(text: string): UrlIssue | undefined {
  return /[?{}]/.test(text) ? { code: 'invalid_url', message: 'must not have a query, nor braces' } : undefined;
}

function checkAddressee(checks: Checks, environment: CarrierEnvironment, baseUrl: string | null | undefined): void {
  if (environment === 'live' || baseUrl == null) return;
  checks.add(['baseUrl'], 'not_allowed', 'must be left out: accounts of the sandbox are asked there');
}

function rowOf(connection: CarrierConnectionRecord): ConnectionRow {
  const { id, carrierCode, label, isActive, environment, baseUrl = null, createdAt, updatedAt } = connection;
  const hasCredentials = connection.credentials != null;
  return { id, carrierCode, label, isActive, environment, baseUrl, hasCredentials, createdAt, updatedAt };
}
