/** Decides which claims the credits of a carrier answer. */

/** A claim or a credit for a shipment, in the order in which they were billed. */
export interface ClaimOrCredit {
  /** The shipment, or the number that finds none. */
  readonly key: string;
  readonly invoiceId: number;
  readonly position: number;
  /** Index of the finding in its line; null for a credit. */
  readonly n: number | null;
  /** Above zero for both. */
  readonly cents: number;
}

interface CreditedClaim {
  readonly invoiceId: number;
  readonly position: number;
  readonly n: number;
  readonly creditedCents: number;
}

interface Claim {
  readonly invoiceId: number;
  readonly position: number;
  readonly n: number;
  openCents: number;
  creditedCents: number;
}

/** A credit answers a claim before it of the same amount, or else the oldest claims. The excess answers nothing. */
export function creditedClaims(entries: readonly ClaimOrCredit[]): CreditedClaim[] {
  const claims = new Map<string, Claim[]>();
  for (const { key, invoiceId, position, n, cents } of entries) {
    const known = claims.get(key) ?? [];
    claims.set(key, known);
    if (n === null) credit(known, cents);
    else known.push({ invoiceId, position, n, openCents: cents, creditedCents: 0 });
  }
  return [...claims.values()].flat().map(({ openCents: _, ...claim }) => claim);
}

function credit(claims: readonly Claim[], cents: number): void {
  const same = claims.find(({ openCents }) => openCents === cents);
  let left = cents;
  for (const claim of same ? [same] : claims) {
    const part = Math.min(left, claim.openCents);
    claim.openCents -= part;
    claim.creditedCents += part;
    left -= part;
  }
}
