import { type NamedLine, namedIn, sumsOf } from '../compile/tariff-lines.rules.ts';
import type { Path } from '../format/tariff-document.rules.ts';

// Finds which lines of a tariff the percentages of others refer to, and whether that leads in a circle.

/** The lists of names a line's percentages refer to, each with its place in the line. */
export function lineReferences(
  { price }: Pick<NamedLine, 'price'>,
  lines: readonly NamedLine[],
): { path: Path; names: string[] }[] {
  return sumsOf(price).flatMap(({ sum, path }) =>
    sum.of ? [{ path: ['price', ...path, 'of'], names: namedIn(sum.of, lines) }] : [],
  );
}

/** Returns the names along a circle that begins at a line and leads through its first references; undefined for none. */
export function circleFrom(
  start: string,
  first: readonly string[],
  of: ReadonlyMap<string, readonly string[]>,
): string[] | undefined {
  const seen = new Set<string>();
  const walk = (way: readonly string[], names: readonly string[]): string[] | undefined => {
    for (const next of names) {
      if (next === start) return [...way, next];
      if (seen.has(next)) continue;
      seen.add(next);
      const circle = walk([...way, next], of.get(next) ?? []);
      if (circle) return circle;
    }
    return undefined;
  };
  return walk([start], first);
}
