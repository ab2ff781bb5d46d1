import type { Issue } from '../../platform/fault.ts';
import { postalCodeIssues } from '../places/recipient.rules.ts';

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

/** Issues of the address after a change; each names the field that was sent. */
export function addressIssues(after: Address, sent: Partial<Address>): readonly Issue[] {
  const issues = postalCodeIssues(['postalCode'], after.country, after.postalCode);
  if (sent.postalCode !== undefined) return issues;
  return issues.map(({ code, message }) => ({
    path: ['country'],
    code,
    message: `must be sent together with \`postalCode\`, which ${message}. The warehouse has ${after.postalCode}`,
  }));
}
