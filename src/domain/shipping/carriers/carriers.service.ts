import { Tenant } from '../../../platform/database/tenancy/tenancy.ts';
import type { TenantTransaction } from '../../../platform/database/tenancy/tenant-transaction.ts';
import type { Environment } from '../../../platform/environment.ts';
import { Fault, type Issue, requireNone } from '../../../platform/fault.ts';
import { checkInput } from '../../../platform/input.ts';
import { type Caps, MAX_WAITING_CHANGES, requireRoom } from '../../../platform/limits/caps.ts';
import type { SealedRows, SecretKind } from '../../../platform/secrets/reseal.ts';
import type { SecretBox } from '../../../platform/secrets/secret-box.ts';
import { environmentOf } from '../../account/access/sandbox.service.ts';
import type { AuditAction } from '../../account/audit/audit.rules.ts';
import { record } from '../../account/audit/audit.service.ts';
import {
  type CredentialsInput,
  type CredentialsState,
  credentialIssues,
  credentialsContext,
  credentialsOf,
  openQuestions,
  questionsOf,
} from './account.rules.ts';
import { replaceCredentials, type SealedCredentials, sealedCredentials } from './accounts.repository.ts';
import { type CarrierAccess, type ConnectionCache, QUOTES_CHANGED } from './accounts.service.ts';
import { connectionChanged } from './carriers.announcements.ts';
import { carrierOf, QUESTIONS, type Question } from './carriers.catalog.ts';
import { CarrierConnectionEntity, type CarrierConnectionRecord } from './carriers.entity.ts';
import {
  type ConnectionRow,
  connectionById,
  countConnections,
  existingConnectionIds,
  lockConnection,
} from './carriers.repository.ts';
import {
  addresseeIssues,
  type ConnectCarrierInput,
  type ConnectionPatch,
  connectCarrierInput,
  type NewConnection,
  updateCarrierConnectionInput,
} from './connection.input.ts';

export { listConnections } from './carriers.repository.ts';

/** A connection, even if disconnected, because shipments refer to it. @throws Fault `carrier_connection_not_found` */
export async function carrierConnection(tenant: Tenant, carrierConnectionId: number): Promise<ConnectionRow> {
  const found = await connectionById(tenant, carrierConnectionId);
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
  const environment = await tenant.lasting().transaction(environmentOf);
  const { data, issues } = checkInput(connectCarrierInput, input);
  const others = [
    ...environmentIssues(input.environment, environment, hasSandbox),
    ...addresseeIssues(environment, input.baseUrl != null),
  ];
  requireNone([...issues, ...others]);
  const { environment: _, baseUrl = null, credentials, ...given } = data as NewConnection;
  const connect = async (tx: TenantTransaction) => {
    const count = await countConnections(tx);
    requireRoom('carrier_connection_limit_reached', count, caps.carrierConnections, 'carrier connections');
    const fields = { ...given, environment, baseUrl };
    const questions = questionsWith(given.carrierCode, credentials);
    const created = tx.em.create(CarrierConnectionEntity, { companyId: tx.companyId, ...fields, questions });
    await tx.em.flush();
    // Not in the unit of work, which would count it as a change: a new connection was last changed when created.
    const stored = credentials ? { credentials: sealed(tx, created.id, credentials, box) } : {};
    if (credentials) await tx.em.nativeUpdate(CarrierConnectionEntity, { id: created.id }, stored);
    await tx.notify(QUOTES_CHANGED, tx.companyId);
    await recordConnection(tx, 'carrier_connected', created.id, { ...fields, hasCredentials: Boolean(credentials) });
    return rowOf({ ...created, ...stored });
  };
  const connected = await tenant.exclusively('carriers', connect, MAX_WAITING_CHANGES);
  cache?.invalidate(tenant.companyId);
  return connected;
}

/** Why a connection must have the environment of its company. */
const OTHERS: Readonly<Record<Environment, string>> = {
  live: 'must be live: carriers of the sandbox are connected with a sandbox key, or by the command with --environment sandbox',
  sandbox: 'must be sandbox: a sandbox has no live connections',
};

function environmentIssues(
  named: Environment | null | undefined,
  own: Environment,
  hasSandbox: boolean,
): readonly Issue[] {
  const message =
    own === 'sandbox' && !hasSandbox
      ? 'must be live: this service has no stand-ins for carriers, since CARRIER_SANDBOX_URL is not set'
      : named != null && named !== own && OTHERS[own];
  return message ? [{ path: ['environment'], code: 'not_allowed', message }] : [];
}

/** Changes the fields that are sent. @throws Fault `validation_failed`, `carrier_connection_not_found` */
export async function updateConnection(
  tenant: Tenant,
  { box, cache }: Pick<CarrierAccess, 'box' | 'cache'>,
  carrierConnectionId: number,
  patch: ConnectionPatch,
): Promise<ConnectionRow> {
  const { data, issues } = checkInput(updateCarrierConnectionInput, patch);
  const check = (connection: CarrierConnectionRecord | null) => {
    if (!connection) return requireNone(issues);
    const { environment, carrierCode } = connection;
    const credentials = patch.credentials ? credentialIssues(carrierOf(carrierCode), patch.credentials) : [];
    requireNone([...issues, ...addresseeIssues(environment, patch.baseUrl != null), ...credentials]);
  };
  const work = async (tx: TenantTransaction, connection: CarrierConnectionRecord) => {
    const { credentials, ...fields } = data ?? {};
    tx.em.assign(connection, { ...fields, ...(credentials === null && { credentials }) });
    if (credentials !== undefined) {
      // New credentials after rejected ones wait for the carrier's verdict.
      const isOpen = (state: CredentialsState | null | undefined) => credentials !== null && state != null;
      tx.em.assign(connection, {
        credentialsState: isOpen(connection.credentialsState) ? 'changed' : null,
        trackingCredentialsState: isOpen(connection.trackingCredentialsState) ? 'changed' : null,
        questions: questionsWith(connection.carrierCode, credentials),
      });
    }
    if (credentials) connection.credentials = sealed(tx, connection.id, credentials, box);
    if (Object.keys(fields).length > 0) await recordConnection(tx, 'carrier_updated', connection.id, fields);
    if (credentials !== undefined) {
      const detail = { hasCredentials: credentials !== null };
      await recordConnection(tx, 'carrier_credentials_changed', connection.id, detail);
    }
  };
  return change({ tenant, cache }, carrierConnectionId, work, check);
}

/**
 * Removes an account permanently: its credentials are deleted, and it is no longer asked, quoted or listed.
 *
 * @throws Fault `carrier_connection_not_found`
 */
export function disconnectCarrier(
  tenant: Tenant,
  carrierConnectionId: number,
  { cache }: Pick<CarrierAccess, 'cache'> = {},
): Promise<ConnectionRow> {
  return change({ tenant, cache }, carrierConnectionId, async (tx, connection) => {
    const states = { credentialsState: null, trackingCredentialsState: null, questions: null };
    const gone = { isActive: false, credentials: null, baseUrl: null, ...states };
    tx.em.assign(connection, { ...gone, disconnectedAt: new Date() });
    await recordConnection(tx, 'carrier_disconnected', connection.id, { label: connection.label });
  });
}

/** The ids that are connections of the company, which stay until the transaction ends. */
export async function existingConnections(tx: TenantTransaction, ids: readonly number[]): Promise<Set<number>> {
  return ids.length === 0 ? new Set() : existingConnectionIds(tx, ids);
}

export const CREDENTIALS: SecretKind = {
  what: 'credentials of carriers',
  sealed: (database): SealedRows<SealedCredentials> => ({
    after: (id, max) => sealedCredentials(database, id, max),
    contextOf: ({ companyId, id }) => credentialsContext(companyId, id),
    replace: (row, sealed) => replaceCredentials(new Tenant(row.companyId, database), row, sealed),
  }),
};

function recordConnection(tx: TenantTransaction, action: AuditAction, key: number, detail: object): Promise<void> {
  return record(tx, { action, subject: { type: 'CarrierConnection', key }, detail: { ...detail } });
}

/** Changes a connection, and announces in the same transaction whether its carrier can be asked. */
async function change(
  { tenant, cache }: { readonly tenant: Tenant; readonly cache: ConnectionCache | undefined },
  carrierConnectionId: number,
  work: (tx: TenantTransaction, connection: CarrierConnectionRecord) => Promise<void>,
  check: (connection: CarrierConnectionRecord | null) => void = () => undefined,
): Promise<ConnectionRow> {
  const changed = await tenant.transaction(async tx => {
    const connection = await lockConnection(tx, carrierConnectionId);
    check(connection);
    if (!connection) throw new Fault('carrier_connection_not_found');
    const before = { ...connection };
    await work(tx, connection);
    await tx.em.flush();
    // Includes changed settings, because its shipments may have been postponed.
    const isAskedAnew = (['isActive', 'credentials', 'baseUrl'] as const).some(
      field => connection[field] !== before[field],
    );
    const canBeAsked = canAsk(connection);
    if (!canBeAsked || isAskedAnew) await connectionChanged.announce(tx, { carrierConnectionId, canBeAsked });
    await tx.notify(QUOTES_CHANGED, tx.companyId);
    return rowOf(connection);
  });
  cache?.invalidate(tenant.companyId);
  return changed;
}

/** The questions that the carrier answers with the given credentials, or to anyone; null if it answers none. */
function questionsWith(carrierCode: string, credentials: CredentialsInput | null | undefined): Question[] | null {
  const questions = questionsOf(carrierOf(carrierCode), Object.keys(credentialsOf(credentials ?? {})));
  return questions.length > 0 ? questions : null;
}

function canAsk({ isActive, credentials, carrierCode }: CarrierConnectionRecord): boolean {
  return isActive && (credentials != null || openQuestions(carrierOf(carrierCode)).length > 0);
}

/** Credentials sealed for the connection with this id. */
function sealed({ companyId }: TenantTransaction, id: number, credentials: CredentialsInput, box: SecretBox): Buffer {
  return box.seal(JSON.stringify(credentialsOf(credentials)), credentialsContext(companyId, id));
}

function rowOf(connection: CarrierConnectionRecord): ConnectionRow {
  const { id, carrierCode, label, isActive, environment, baseUrl = null, createdAt, updatedAt } = connection;
  const hasCredentials = connection.credentials != null;
  const questions = hasCredentials ? (connection.questions ?? QUESTIONS) : [];
  return { id, carrierCode, label, isActive, environment, baseUrl, hasCredentials, questions, createdAt, updatedAt };
}
