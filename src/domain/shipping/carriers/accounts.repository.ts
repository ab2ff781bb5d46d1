import type { Database } from '../../../platform/database/database.ts';
import { rowLoader } from '../../../platform/database/gather/loader.ts';
import { companyStatement, serviceStatement } from '../../../platform/database/statements/statements.ts';
import type { CompanyId } from '../../../platform/database/tenancy/company-id.ts';
import { isNotSuspended } from '../../../platform/database/tenancy/suspended-companies.ts';
import type { Tenant } from '../../../platform/database/tenancy/tenancy.ts';
import type { TenantTransaction } from '../../../platform/database/tenancy/tenant-transaction.ts';
import type { CredentialsState } from './account.rules.ts';
import type { CarrierEnvironment } from './carrier.port.ts';

/** A connection for questions to its carrier; `box` has its sealed credentials. */
interface AccountRow {
  readonly id: number;
  readonly carrierCode: string;
  readonly isActive: boolean;
  readonly environment: CarrierEnvironment;
  readonly baseUrl: string | null;
  readonly box: Buffer | null;
  readonly credentialsState: CredentialsState | null;
  readonly trackingCredentialsState: CredentialsState | null;
}

const ACCOUNT = rowLoader<[id: number], AccountRow>({
  name: 'carrier-account',
  key: { id: 'integer' },
  text: `select id, carrier_code as "carrierCode", is_active as "isActive", environment, base_url as "baseUrl", credentials as box,
      credentials_state as "credentialsState", tracking_credentials_state as "trackingCredentialsState"
    from carrier_connection where company_id = each.company_id and id = each.id and disconnected_at is null`,
});

export function accountRow(tenant: Tenant, id: number): Promise<AccountRow | undefined> {
  return tenant.load(ACCOUNT, id);
}

export interface SealedCredentials {
  readonly companyId: CompanyId;
  readonly id: number;
  readonly box: Buffer;
}

const SEALED = serviceStatement(
  'sealed-credentials',
  `select company_id as "companyId", id, credentials as box from carrier_connection
    where id > $1 and credentials is not null order by id limit $2`,
);

/** Sealed credentials of all companies, in the order of their ids. */
export function sealedCredentials(database: Database, afterId: number, max: number): Promise<SealedCredentials[]> {
  return database.rows<SealedCredentials>(SEALED, [afterId, max]);
}

const RESEAL = companyStatement(
  'reseal-credentials',
  'update carrier_connection set credentials = $4 where company_id = $1 and id = $2 and credentials = $3 returning id',
);

/** Replaces a box; returns whether the former one was still stored. */
export async function replaceCredentials(
  tenant: Tenant,
  { id, box }: SealedCredentials,
  sealed: Buffer,
): Promise<boolean> {
  return (await tenant.rows(RESEAL, id, box, sealed)).length > 0;
}

interface NamedConnection {
  readonly id: number;
  readonly carrierCode: string;
  readonly label: string;
}

// Only if the carrier was asked with the stored credentials, because they may have been replaced meanwhile.
const NOTE_CREDENTIALS = companyStatement(
  'note-credentials',
  `update carrier_connection set credentials_state = $4
    where company_id = $1 and id = $2 and credentials = $3 and credentials_state is distinct from $4
    returning id, carrier_code as "carrierCode", label`,
);
const NOTE_TRACKING_CREDENTIALS = companyStatement(
  'note-tracking-credentials',
  `update carrier_connection set tracking_credentials_state = $4
    where company_id = $1 and id = $2 and credentials = $3 and tracking_credentials_state is distinct from $4
    returning id, carrier_code as "carrierCode", label`,
);

/**
 * Records whether a carrier rejects credentials; returns the connection if that has changed.
 *
 * @param areForTracking whether they are for tracking alone
 */
export async function noteCredentials(
  tx: TenantTransaction,
  id: number,
  box: Buffer,
  state: 'refused' | null,
  areForTracking: boolean,
): Promise<NamedConnection | undefined> {
  const statement = areForTracking ? NOTE_TRACKING_CREDENTIALS : NOTE_CREDENTIALS;
  const [changed] = await tx.rows<NamedConnection>(statement, id, box, state);
  return changed;
}

// Reads two indexes that have only rejected credentials.
const REJECTED = serviceStatement(
  'refused-credentials',
  `select carrier_code as carrier, count(*)::integer as count from carrier_connection r
    where (credentials_state = 'refused' or tracking_credentials_state = 'refused') and is_active and ${isNotSuspended('r.company_id')} group by carrier_code`,
);

/** By carrier, the active connections whose credentials the carrier rejects, without suspended companies. */
export function refusedCredentials(database: Database): Promise<{ carrier: string; count: number }[]> {
  return database.rows<{ carrier: string; count: number }>(REJECTED, []);
}
