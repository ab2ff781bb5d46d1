import type { TariffIssues } from '../check/check-issues.rules.ts';
import type { Path } from '../format/tariff-document.rules.ts';
import { scaled } from '../units.rules.ts';
import type { Account } from './account-fees.format.rules.ts';

/** Checks what the form of an account can't say: codes that are there twice, and steps that do not ascend. */
export function checkAccount(issues: TariffIssues, path: Path, { fees, minimum, bonus }: Account): void {
  if (fees.length === 0 && minimum === undefined && bonus === undefined)
    issues.add(path, 'required', 'must have at least one of fees, minimum, bonus');
  const codes = new Set<string>();
  const named = [
    ...fees.map(({ code }, i) => ({ code, at: ['fees', i] })),
    ...(minimum ? [{ code: minimum.code, at: ['minimum'] }] : []),
    ...(bonus ? [{ code: bonus.code, at: ['bonus'] }] : []),
  ];
  for (const { code, at } of named) {
    if (codes.has(code)) issues.add([...path, ...at, 'code'], 'duplicate', `is the code of another: ${code}`);
    codes.add(code);
  }
  if (!bonus) return;
  const decimals = bonus.by === 'shipments' ? 0 : 2;
  for (const [i, { from }] of bonus.steps.entries()) {
    const at = [...path, 'bonus', 'steps', i, 'from'];
    const before = bonus.steps[i - 1]?.from;
    if (scaled(from, decimals) === undefined) issues.add(at, 'too_precise', `must have at most ${decimals} decimals`);
    if (before !== undefined && from <= before) issues.add(at, 'overlap', `must be more than that before, ${before}`);
  }
}
