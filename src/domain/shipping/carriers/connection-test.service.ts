import type { Tenant } from '../../../platform/database/tenancy/tenancy.ts';
import { Fault } from '../../../platform/fault.ts';
import { hasOwnCredentials, isAsked } from './account.rules.ts';
import type { CarrierAccess } from './accounts.service.ts';
import type { AddressFinding, CarrierAccount, CarrierPort, TrackingFinding } from './carrier.port.ts';
import type { CredentialsNotifier } from './carriers.announcements.ts';
import type { Question } from './carriers.catalog.ts';
import { judgeCredentials } from './credentials.service.ts';

export type ConnectionTestOutcome =
  | 'accepted'
  | 'refused'
  | 'rejected'
  | 'unreadable'
  | 'unavailable'
  | 'no_credentials'
  | 'inactive'
  | 'unsupported';

/** The outcomes of the questions that the connection has credentials for; null for the others. */
interface ConnectionTest {
  /** `accepted` if every question was, else the first other outcome. */
  readonly outcome: ConnectionTestOutcome;
  readonly tracking: ConnectionTestOutcome | null;
  readonly addressCheck: ConnectionTestOutcome | null;
}

/** An address that every carrier in Italy knows. */
const KNOWN = { address: 'Piazza del Duomo 1', city: 'Milano', zip: '20121', provincia: 'MI', country: 'IT' };

/** A number that no shipment has: that it is unknown is said to valid credentials alone. */
const UNKNOWN_NUMBER = '000000000000';

/**
 * Asks a connection's carrier, to learn whether it accepts the credentials: about an address and, where tracking has
 * credentials of its own, about a shipment.
 *
 * @throws Fault `carrier_connection_not_found`
 */
export async function testConnection(
  tenant: Tenant,
  access: Pick<CarrierAccess, 'port' | 'accounts'>,
  carrierConnectionId: number,
  notifier: CredentialsNotifier,
): Promise<ConnectionTest> {
  const addressCheck = await testQuestion(tenant, access, carrierConnectionId, 'address_check', notifier);
  const tracking = addressCheck.isForAll
    ? addressCheck
    : await testQuestion(tenant, access, carrierConnectionId, 'tracking', notifier);
  const outcomes = [addressCheck.outcome, tracking.outcome];
  const asked = outcomes.filter(outcome => outcome !== 'no_credentials');
  return {
    outcome: asked.find(outcome => outcome !== 'accepted') ?? asked[0] ?? 'no_credentials',
    tracking: nullWithoutCredentials(tracking.outcome),
    addressCheck: nullWithoutCredentials(addressCheck.outcome),
  };
}

function nullWithoutCredentials(outcome: ConnectionTestOutcome): ConnectionTestOutcome | null {
  return outcome === 'no_credentials' ? null : outcome;
}

async function testQuestion(
  tenant: Tenant,
  { port, accounts }: Pick<CarrierAccess, 'port' | 'accounts'>,
  carrierConnectionId: number,
  question: Question,
  notifier: CredentialsNotifier,
): Promise<{ outcome: ConnectionTestOutcome; isForAll: boolean }> {
  const connection = await accounts.of(tenant, carrierConnectionId, question, 'credentials_test');
  if (!connection) throw new Fault('carrier_connection_not_found');
  const { carrier, account, lacks } = connection;
  const isForAll = !hasOwnCredentials(carrier, 'tracking');
  if (!isAsked(carrier)) return { outcome: 'unsupported', isForAll };
  if (!account) return { outcome: lacks === 'activity' ? 'inactive' : 'no_credentials', isForAll };
  const kind = question === 'tracking' ? await trackingKind(port, account) : await addressKind(port, account);
  await judgeCredentials(tenant, connection, [kind], notifier);
  return { outcome: outcomeOf(kind, question), isForAll };
}

async function trackingKind(port: CarrierPort, account: CarrierAccount): Promise<Kind> {
  const [finding] = await port.track(account, [UNKNOWN_NUMBER]);
  return finding?.kind ?? 'unavailable';
}

async function addressKind(port: CarrierPort, account: CarrierAccount): Promise<Kind> {
  const origin = { country: 'IT', zip: '20121', city: 'Milano' };
  return (await port.checkAddress(account, { ...KNOWN, origin })).kind;
}

type Kind = AddressFinding['kind'] | TrackingFinding['kind'];

function outcomeOf(kind: Kind, question: Question): ConnectionTestOutcome {
  if (kind === 'not_asked') return 'unavailable';
  if (kind === 'refused' || kind === 'rejected' || kind === 'unreadable' || kind === 'unavailable') return kind;
  // A server that does not know the address cannot be the carrier.
  const isUnknown = question === 'address_check' && (kind === 'not_found' || kind === 'invalid');
  return isUnknown ? 'unreadable' : 'accepted';
}
