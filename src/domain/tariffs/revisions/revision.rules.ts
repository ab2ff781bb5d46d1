import type { Steps } from '../../../platform/limits/slices.ts';
import type { Tariff } from '../tariff.format.rules.ts';

/** Who has imported or published a tariff: a key of the company, or an operator by a command. */
export type RevisionAuthor = 'api_key' | 'operator' | 'unknown';

/** A tariff as JSON, zone by zone: a large one as a whole would take too long. */
export function* documentTextSteps({ versions, ...head }: Tariff): Steps<string> {
  const texts: string[] = [];
  for (const { zones, ...rules } of versions) {
    const zoneTexts: string[] = [];
    for (const zone of zones) {
      zoneTexts.push(JSON.stringify(zone));
      yield;
    }
    texts.push(withList(rules, 'zones', zoneTexts));
  }
  return withList(head, 'versions', texts);
}

/** An object with a list more, whose entries are JSON already. */
function withList(object: object, name: string, entries: readonly string[]): string {
  return `${JSON.stringify(object).slice(0, -1)},"${name}":[${entries.join(',')}]}`;
}

export type RevisionState = 'draft' | 'scheduled' | 'failed' | 'in_force' | 'replaced';

/** What a revision is now, by what is stored of it. */
export function stateOf(revision: {
  readonly number: number | null;
  readonly publishOn: string | null;
  readonly problem: string | null;
  readonly isInForce: boolean;
}): RevisionState {
  const { number, publishOn, problem, isInForce } = revision;
  if (number !== null) return isInForce ? 'in_force' : 'replaced';
  if (problem !== null) return 'failed';
  return publishOn === null ? 'draft' : 'scheduled';
}
