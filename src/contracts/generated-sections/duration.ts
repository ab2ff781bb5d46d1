const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

/** 7200000 → `2 hours`: in the largest unit of which it is a whole number. A single day is 24 hours. */
export function duration(ms: number): string {
  const [unit, length] = UNITS.find(([, each]) => ms % each === 0 && ms / each > 1) ?? UNITS[3];
  const number = ms / length;
  return `${number} ${unit}${number === 1 ? '' : 's'}`;
}
