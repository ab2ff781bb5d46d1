import { type AddressCheckCode, OUTCOMES as VERDICTS } from '../../domain/exchange/addresses/address-verdict.rules.ts';
import { WAREHOUSE_TYPES } from '../../domain/shipping/warehouses/warehouses.rules.ts';
import { type AddressOutcome, FAILURES, OUTCOMES, WALK } from '../../sandbox/scenarios.ts';
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
  const rows = Object.entries(VERDICTS).map(([name, { status }]) => [
    code(name),
    code(status),
    ADVICE[name as AddressCheckCode],
  ]);
  return table(['`code`', '`status`', 'Meaning'], rows);
}

export function warehouseTypes(): string {
  const rows = Object.entries(WAREHOUSE_TYPES).map(([id, name]) => [code(id), name]);
  return table(['`typeId`', '`warehouseType.name`'], rows);
}

const ADDRESSES: Readonly<Record<Exclude<AddressOutcome, 'valid'>, readonly [happens: string, code: string]>> = {
  corrected: ['The carrier corrects the address: the postal code ends in `00`.', '`ADDRESS_NORMALIZED`'],
  several: ['The carrier knows several addresses that fit.', '`ADDRESS_NORMALIZED`'],
  not_found: ['The carrier does not find the address.', '`ADDRESS_NOT_FOUND`'],
  invalid: ['The carrier rejects the address as invalid.', '`ADDRESS_INVALID`; with GLS `ADDRESS_NOT_FOUND`'],
  offline: ['The carrier returns 503.', '`CARRIER_UNAVAILABLE`'],
  slow: ['The carrier does not respond. The check takes 8 seconds.', '`CARRIER_UNAVAILABLE`'],
  rate_limited: ['The carrier returns 429.', '`CARRIER_UNAVAILABLE`'],
  bad_credentials: ['The carrier rejected the credentials.', '`VERIFICATION_ERROR`'],
  malformed: ['The carrier returns a response that cannot be read.', '`VERIFICATION_ERROR`'],
};

/** The outcomes by the last two digits of a postal code. */
export function sandboxAddresses(): string {
  const rows = Object.entries(OUTCOMES).map(([digits, outcome]) => {
    const [happens, result] = ADDRESSES[outcome as keyof typeof ADDRESSES];
    return [code(digits), happens, result];
  });
  return table(
    ['Ends in', 'What happens', '`code`'],
    [...rows, ['anything else', 'The address is valid.', '`ADDRESS_VALID`']],
  );
}

const FAULTS: Readonly<Record<(typeof FAILURES)[keyof typeof FAILURES], string>> = {
  not_found: 'The carrier does not know the number.',
  offline: 'The carrier returns 503.',
  rate_limited: 'The carrier returns 429.',
  html: 'The carrier returns a page that cannot be read.',
};

/** The scenarios by words in a tracking number. */
export function sandboxNumbers(): string {
  const failures = Object.entries(FAILURES).map(([word, kind]) => [`contains ${code(word)}`, FAULTS[kind]]);
  return table(
    ['The number', 'What the carrier returns'],
    [
      [`begins with ${code(WALK)}`, 'One event more each time it is asked, from `created` to `delivered`.'],
      ['contains a status in capitals, such as `TEST-OUT_FOR_DELIVERY`', 'All events on the way to that status.'],
      [
        'contains a status and `RELATED` (GLS only)',
        'Like the row above, and the shipment was forwarded and returned under other numbers: with `FORWARD` and `RETURN` in place of `RELATED`.',
      ],
      ...failures,
      ['anything else', 'The carrier does not know the number.'],
    ],
  );
}
