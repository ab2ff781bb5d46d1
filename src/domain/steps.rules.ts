import type { Steps } from '../platform/limits/slices.ts';

/** A run that is sorted at once: some tenths of a millisecond. */
const RUN = 1_000;
/** Elements merged between two pauses. */
const PAUSE_EVERY = 1_000;

/** Runs a computation without a pause: for the command line and wherever nobody else waits. */
export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Like `toSorted`, and stable like it: a merge sort over sorted runs. */
export function* sortedSteps<Element>(
  elements: readonly Element[],
  compare: (a: Element, b: Element) => number,
): Steps<Element[]> {
  let runs: Element[][] = [];
  for (let i = 0; i < elements.length; i += RUN) {
    runs.push(elements.slice(i, i + RUN).sort(compare));
    yield;
  }
  while (runs.length > 1) {
    const merged: Element[][] = [];
    for (let i = 0; i < runs.length; i += 2) {
      merged.push(yield* mergeSteps(runs[i] ?? [], runs[i + 1] ?? [], compare));
      yield;
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

function* mergeSteps<Element>(
  left: readonly Element[],
  right: readonly Element[],
  compare: (a: Element, b: Element) => number,
): Steps<Element[]> {
  const [first] = right;
  const last = left.at(-1);
  // In order already, as most lists come.
  if (first === undefined || last === undefined || compare(first, last) >= 0) return [...left, ...right];
  const merged: Element[] = [];
  let l = 0;
  let r = 0;
  while (l < left.length || r < right.length) {
    const takesRight = l >= left.length || (r < right.length && compare(right[r] as Element, left[l] as Element) < 0);
    merged.push((takesRight ? right[r++] : left[l++]) as Element);
    if (merged.length % PAUSE_EVERY === 0) yield;
  }
  return merged;
}
