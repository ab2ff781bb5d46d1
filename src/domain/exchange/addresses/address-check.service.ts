import type { Tenant } from '../../../platform/database/tenancy/tenancy.ts';
import { Fault } from '../../../platform/fault.ts';
import type { CarrierAccess } from '../../shipping/carriers/accounts.service.ts';
import type { AddressFinding, AskedAddress, Origin } from '../../shipping/carriers/carrier.port.ts';
import type { CredentialsNotifier } from '../../shipping/carriers/carriers.announcements.ts';
import { type Carrier, type CarrierCode, carrierOf } from '../../shipping/carriers/carriers.catalog.ts';
import { judgeCredentials } from '../../shipping/carriers/credentials.service.ts';
import { shippingOrigin } from '../../shipping/warehouses/warehouses.service.ts';
import { type AddressCheckInput, askedAddress } from './address-check.input.ts';
import { type AddressCheckResult, judge, resultOf, skippedBefore } from './address-verdict.rules.ts';

const ITALY: Origin = { country: 'IT', zip: null, city: null };

/**
 * Asks the carrier of a connection about an address. Nothing of the address is stored.
 *
 * @throws Fault `carrier_connection_not_found`
 */
export async function checkAddress(
  tenant: Tenant,
  { port, accounts }: Pick<CarrierAccess, 'port' | 'accounts'>,
  input: AddressCheckInput,
  notifier: CredentialsNotifier,
): Promise<AddressCheckResult> {
  const address = askedAddress(input);
  const connection = await accounts.of(tenant, input.carrierConnectionId, 'address_check', 'address_check');
  if (!connection) throw new Fault('carrier_connection_not_found');
  const { carrier, account, lacks } = connection;
  const skipped = skippedBefore(carrier, address.country);
  if (skipped) return resultOf(carrier, skipped);
  if (!account) return resultOf(carrier, lacks === 'activity' ? 'CARRIER_UNAVAILABLE' : 'VERIFICATION_ERROR');
  const asked = { ...address, origin: await originFor(carrier, tenant) };
  const finding = await port.checkAddress(account, asked);
  await judgeCredentials(tenant, connection, [finding.kind], notifier);
  return judge(carrier, asked, finding);
}

/** The verdict on an address from one response of a carrier, for operators who look at one. */
export function readAddress(code: CarrierCode, asked: AskedAddress, finding: AddressFinding): AddressCheckResult {
  return judge(carrierOf(code), asked, finding);
}

async function originFor({ verificationType }: Carrier, tenant: Tenant): Promise<Origin> {
  if (verificationType !== 'transit_time') return ITALY;
  return (await shippingOrigin(tenant)) ?? ITALY;
}
