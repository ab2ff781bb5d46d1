import { expect, test } from 'vitest';
import { type ClaimOrCredit, creditedClaims } from '../../src/domain/spend/invoices/credits.rules.ts';

/** Claims as `8.03`, credits as `-8.03`, each on a line of its own. */
function credited(...cents: number[]): number[] {
  const entries = cents.map(
    (amount, i): ClaimOrCredit => ({
      key: 's1',
      invoiceId: 1,
      position: i + 1,
      n: amount < 0 ? null : 0,
      cents: Math.abs(amount),
    }),
  );
  return creditedClaims(entries).map(({ creditedCents }) => creditedCents);
}

test.each([
  ['A claim without a credit is open', [187], [0]],
  ['A credit of the same amount closes a claim', [187, -187], [187]],
  ['A credit of less leaves the rest open', [187, -100], [100]],
  ['A credit of more closes the claim alone', [187, -900], [187]],
  ['A credit answers the claim of its amount, and not an older one', [450, 187, -187], [0, 187]],
  ['A credit of another amount answers the oldest first', [450, 187, -500], [450, 50]],
  ['A credit does not answer a later claim', [-187, 187], [0]],
  ['A second credit answers what the first one left', [450, -187, -263], [450]],
] as const)('%s', (_, cents, expected) => {
  expect(credited(...cents)).toEqual(expected);
});

test('A credit answers claims of its own shipment alone', () => {
  const entry = { invoiceId: 1, cents: 187 };
  const found = creditedClaims([
    { ...entry, key: 'n1', position: 1, n: 0 },
    { ...entry, key: 's1', position: 2, n: 0 },
    { ...entry, key: 's1', position: 3, n: null },
  ]);
  expect(found).toMatchObject([
    { position: 1, creditedCents: 0 },
    { position: 2, creditedCents: 187 },
  ]);
});
