/**
 * Long computations in slices, so that none of them blocks the event loop. A computation is a generator that yields at
 * places where it may pause, or a request whose work is counted. In each turn of the event loop one of them runs for one
 * slice; companies take turns, and the computations of a company take turns among themselves, so the company that computes
 * most delays the others by a slice only.
 *
 * A worker thread was the alternative. What goes to it and comes back is copied on this thread: of a tariff with 50,000
 * bands that alone blocks the event loop for longer than any slice.
 */

/** A computation that may pause wherever it yields. */
export type Steps<Result> = Generator<undefined, Result, undefined>;

/** Far below the 20 ms that nothing may block: other requests wait for a slice at each of their own steps. */
const SLICE_MS = 1;

/**
 * Of work that nobody waits for. A request has some five turns of the event loop, so that it adds no more than about a
 * millisecond to its time, whereas it goes on for minutes.
 */
export const BACKGROUND_SLICE_MS = 0.25;

type Resume = () => void;

/** Computations that wait for their next slice, by owner; the owner whose turn is next stands first. */
const waiting = new Map<string, Resume[]>();

/**
 * Runs a computation in slices.
 *
 * @param owner who it is done for, which is a company
 * @param sliceMs how long it runs at a time
 */
export async function inSlices<Result>(owner: string, steps: Steps<Result>, sliceMs = SLICE_MS): Promise<Result> {
  for (;;) {
    await ownTurn(owner);
    const end = performance.now() + sliceMs;
    do {
      const step = steps.next();
      if (step.done) return step.value;
    } while (performance.now() < end);
  }
}

/** Resolves when it is an owner's turn to compute for one slice. */
export function ownTurn(owner: string): Promise<void> {
  return new Promise(resume => atTurn(owner, resume));
}

/** Calls back when it is an owner's turn. */
export function atTurn(owner: string, resume: Resume): void {
  if (waiting.size === 0) setImmediate(resumeNext);
  const line = waiting.get(owner);
  if (line) line.push(resume);
  else waiting.set(owner, [resume]);
}

function resumeNext(): void {
  const [next] = waiting;
  if (next === undefined) return;
  const [owner, line] = next;
  const resume = line.shift();
  waiting.delete(owner);
  if (line.length > 0) waiting.set(owner, line);
  // The slice runs after this function has returned, and its end comes in another turn of the event loop.
  if (waiting.size > 0) setImmediate(resumeNext);
  resume?.();
}
