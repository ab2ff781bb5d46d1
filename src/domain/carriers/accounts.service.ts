import type { Log } from '../../platform/log.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import type { Tenant } from '../../platform/tenancy.ts';
import { credentialsContext } from './account.rules.ts';
import { accountRow } from './accounts.repository.ts';
import type { CarrierAccount, CarrierEnvironment, CarrierPort } from './carrier.port.ts';
import { type Carrier, carrierOf } from './carriers.catalog.ts';

/** What carriers are asked with. */
export interface CarrierAccess {
  readonly port: CarrierPort;
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

/** A connection of the company with its account; undefined where there is none. */
export async function carrierAccount(
  tenant: Tenant,
  carrierCompanyId: number,
  box: SecretBox,
  log: Log,
): Promise<ConnectionAccount | undefined> {
  const row = await accountRow(tenant, carrierCompanyId);
  if (!row) return undefined;
  const { environment, baseUrl } = row;
  const carrier = carrierOf(row.carrierCode);
  if (!row.isActive) return { carrier, environment, account: null, lacks: 'activity' };
  const credentials = row.box && openCredentials(tenant, carrierCompanyId, row.box, box, log);
  if (!credentials) return { carrier, environment, account: null, lacks: 'credentials' };
  const key = `${tenant.companyId}/${carrierCompanyId}`;
  const account = { key, carrierCode: carrier.code, environment, baseUrl, credentials };
  return { carrier, environment, account, lacks: null };
}

/** Null where the key is missing: an operator's matter, which the carrier's users see as a check that was not possible. */
function openCredentials(
  { companyId }: Tenant,
  carrierCompanyId: number,
  sealed: Buffer,
  box: SecretBox,
  log: Log,
): Readonly<Record<string, string>> | null {
  try {
    return JSON.parse(box.open(sealed, credentialsContext(companyId, carrierCompanyId)));
  } catch (error) {
    log.error(
      { companyId, carrierCompanyId, reason: (error as Error).name },
      "a carrier's credentials can't be opened",
    );
    return null;
  }
}
