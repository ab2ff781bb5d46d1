import type { Issue } from '../../../platform/fault.ts';
import { postalCodeIssue, readPostalCode } from '../../common/places/postal-codes.rules.ts';

/** The fixed types of a warehouse, by `typeId`. */
export const WAREHOUSE_TYPES: Readonly<Record<number, string>> = {
  1: 'Principale',
  2: 'Logistica',
  3: 'Drop Shipping',
  4: 'Secondario',
};

const PRINCIPAL_TYPE = 1;

export function isPrincipal(typeId: number): boolean {
  return typeId === PRINCIPAL_TYPE;
}

interface Address {
  readonly country: string;
  readonly postalCode: string;
}

/** The postal code after a change, in the form of its country; or its issue, which names the field that was sent. */
export function postalCodeAfter(
  before: Address,
  sent: Partial<Address>,
): { readonly postalCode?: string; readonly issues: readonly Issue[] } {
  if (sent.country === undefined && sent.postalCode === undefined) return { issues: [] };
  const { country, postalCode: written } = { ...before, ...sent };
  const postalCode = readPostalCode(country, written);
  if (postalCode !== undefined) return { postalCode, issues: [] };
  const { code, message } = postalCodeIssue(country, written);
  if (sent.postalCode !== undefined) return { issues: [{ path: ['postalCode'], code, message }] };
  const now = written === '' ? 'none' : written;
  const together = `must be sent together with \`postalCode\`, which ${message}. The warehouse has ${now}`;
  return { issues: [{ path: ['country'], code, message: together }] };
}
