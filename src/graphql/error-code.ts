import { FAULTS, type FaultCode } from '../platform/fault.ts';
import { ISSUE_CODES, type IssueCode } from '../platform/issue-codes.ts';
import { enumType } from './enum-type.ts';

/** The codes of errors in the data of a response, as one enum. Errors of a whole request have codes in `extensions`. */

/** Faults of a mutation that a caller can expect and correct. Nothing was written if one of them is returned. */
export const EXPECTED_FAULTS = [
  'warehouse_not_found',
  'shipment_not_found',
  'order_not_found',
  'carrier_connection_not_found',
  'webhook_not_found',
  'api_key_not_found',
  'tariff_not_found',
  'tariff_revision_not_found',
  'saved_quote_not_found',
  'tariff_simulation_not_found',
  'carrier_invoice_not_found',
  'node_not_found',
  'carrier_not_asked',
  'warehouse_in_use',
  'carrier_reference_in_use',
  'warehouse_limit_reached',
  'carrier_connection_limit_reached',
  'carrier_reference_limit_reached',
  'api_key_limit_reached',
  'webhook_limit_reached',
] as const satisfies readonly FaultCode[];

export type ExpectedFault = (typeof EXPECTED_FAULTS)[number];
export type ErrorCode = IssueCode | ExpectedFault;

const faults = Object.fromEntries(EXPECTED_FAULTS.map(code => [code, FAULTS[code].help]));

export const ErrorCodeEnum = enumType(
  'ErrorCode',
  'The error: in a field of an input, or in the state of the thing that an input names. Codes can be added.',
  { ...(faults as Record<ExpectedFault, string>), ...ISSUE_CODES },
);
