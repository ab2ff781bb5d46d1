import type { Tenant } from '../../platform/database/tenancy/tenancy.ts';
import { Fault } from '../../platform/fault.ts';
import type { CarrierAccess } from './accounts.service.ts';
import type { CredentialsNotifier } from './carriers.announcements.ts';
import { judgeCredentials } from './credentials-verdict.service.ts';

export type ConnectionTestOutcome =
  | 'accepted'
  | 'refused'
  | 'rejected'
  | 'unreadable'
  | 'unavailable'
  | 'no_credentials'
  | 'inactive'
  | 'unsupported';

/** An address that every carrier in Italy knows. */
const KNOWN = { address: 'Piazza del Duomo 1', city: 'Milano', zip: '20121', provincia: 'MI', country: 'IT' };

/**
 * Asks a connection's carrier one question, to learn whether it accepts the credentials.
 *
 * @throws Fault `carrier_connection_not_found`
 */
export async function testConnection(
  tenant: Tenant,
  { port, accounts }: Pick<CarrierAccess, 'port' | 'accounts'>,
  carrierCompanyId: number,
  notifier: CredentialsNotifier,
): Promise<ConnectionTestOutcome> {
  const connection = await accounts.of(tenant, carrierCompanyId, 'credentials_test');
  if (!connection) throw new Fault('carrier_connection_not_found');
  const { carrier, account, lacks } = connection;
  if (carrier.credentials.length === 0) return 'unsupported';
  if (!account) return lacks === 'activity' ? 'inactive' : 'no_credentials';
  const { kind } = await port.checkAddress(account, {
    ...KNOWN,
    origin: { country: 'IT', zip: '20121', city: 'Milano' },
  });
  await judgeCredentials(tenant, connection, [kind], notifier);
  if (kind === 'not_asked') return 'unavailable';
  if (kind === 'refused' || kind === 'rejected' || kind === 'unreadable' || kind === 'unavailable') return kind;
  // A server that does not know this place cannot be the carrier.
  return kind === 'not_found' || kind === 'invalid' ? 'unreadable' : 'accepted';
}
