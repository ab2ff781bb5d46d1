import { connectCarrier } from '../../src/domain/carriers/carriers.service.ts';
import { newSecretsKey, SecretBox } from '../../src/platform/secret-box.ts';
import type { Tenant } from '../../src/platform/tenancy.ts';

/** A connection without an account, for what is measured without its carrier. */
export function connectWithoutAccount(tenant: Tenant, carrierCode: string) {
  const access = { box: SecretBox.of(newSecretsKey()), hasSandbox: false };
  return connectCarrier(tenant, access, { carrierCode, label: carrierCode });
}
