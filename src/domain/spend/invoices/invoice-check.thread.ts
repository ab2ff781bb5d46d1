import { asTask } from '../../../platform/threads/task.ts';
import type { CompiledTariff } from '../../pricing/tariffs/compile/compiled-tariff.rules.ts';
import { checkedLines, type LineResult, type LinesToCheck } from './check/check-lines.rules.ts';

/** Checks the lines of long invoices in a thread, which keeps the tariffs of the last two. */

const MOST_KEPT = 2;
const kept = new Map<string, CompiledTariff | undefined>();

function check(
  key: string,
  tariff: { readonly compiled: CompiledTariff | undefined } | undefined,
  lines: LinesToCheck,
): LineResult[] | undefined {
  if (tariff) keep(key, tariff.compiled);
  else if (!kept.has(key)) return undefined;
  return [...checkedLines(lines, kept.get(key))];
}

function keep(key: string, tariff: CompiledTariff | undefined): void {
  kept.set(key, tariff);
  const [oldest] = kept.keys();
  if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
}

/** The results of lines; undefined if the thread lacks the tariff, which must then be sent. */
export const checkLines = asTask(check);
