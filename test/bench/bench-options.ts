import type { Results } from './results.ts';

export interface BenchOptions {
  /** How long each contender is measured in each round. */
  readonly seconds: number;
  readonly rounds: number;
  /** Leave out what takes minutes. */
  readonly quick: boolean;
  /** The parts of a bench to run; none stands for all. */
  readonly parts: readonly string[];
  /** Another checkout of the service, such as the commit before, that is measured by turns with this one. */
  readonly beside: string | undefined;
  /** How long a bench of endurance lasts. */
  readonly minutes: number;
  /** Where the figures go that RESULTS.md shows. */
  readonly results: Results;
}

/** The parts of a bench that were named, or all of them, in their order. */
export function chosenParts<Part>(all: Readonly<Record<string, Part>>, names: readonly string[]): Part[] {
  const unknown = names.find(name => !(name in all));
  if (unknown !== undefined) {
    throw new Error(`There is no part ${unknown}; there are ${Object.keys(all).join(', ')}`);
  }
  return Object.entries(all).flatMap(([name, part]) => (names.length === 0 || names.includes(name) ? [part] : []));
}
