import type { AddressCheckCode } from '../../domain/addresses/address-verdict.rules.ts';
import { OUTCOMES } from '../../domain/addresses/address-verdict.rules.ts';
import { code, table } from './markdown.ts';

/** The advice to callers for each outcome of an address check. */
const ADVICE: Readonly<Record<AddressCheckCode, string>> = {
  ADDRESS_VALID: 'The carrier knows the address as you sent it. Ship to it.',
  ADDRESS_NORMALIZED: 'The carrier knows the address in another form, or knows several that fit. Show `suggestions`.',
  ADDRESS_NOT_FOUND: 'The carrier does not know the address. Ask the customer to check it.',
  ADDRESS_INVALID: 'The carrier says that this cannot be an address. Ask the customer to correct it.',
  VERIFICATION_SKIPPED_FOREIGN: 'The carrier checks Italian addresses only. Nothing was checked.',
  VERIFICATION_SKIPPED_UNSUPPORTED: 'The carrier has no address check. Use another connection.',
  VERIFICATION_ERROR:
    'The connection has no credentials, the carrier rejects them or the request itself, or its response is unreadable. Tell your operator.',
  CARRIER_UNAVAILABLE: 'The carrier does not respond now, or the connection is not active. Try later, or do not block.',
};

export function addressOutcomes(): string {
  const rows = Object.entries(OUTCOMES).map(([name, { status }]) => [
    code(name),
    code(status),
    ADVICE[name as AddressCheckCode],
  ]);
  return table(['`code`', '`status`', 'Meaning'], rows);
}
