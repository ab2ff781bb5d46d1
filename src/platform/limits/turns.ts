/**
 * Short turns: work that takes long yields the event loop after a moment. In each turn of the event loop one waiting
 * piece of work continues. Companies alternate, and so do the pieces of work of one company, so the busiest company
 * delays the others by one moment only.
 */

/** Far below 50 ms, the limit for blocking the event loop, because a request waits for a turn at each of its steps. */
const TURN_MS = 1;

/**
 * The turn of background work. A request has about five turns of the event loop, so background work that runs for
 * minutes adds about a millisecond to it.
 */
export const BACKGROUND_TURN_MS = 0.25;

type Resume = () => void;

/** Work that waits for a turn, by owner; the next owner stands first. */
const waiting = new Map<string, Resume[]>();

/**
 * Yields the items of a long list. Other work gets the event loop before the first item and whenever a turn is over.
 *
 * @param owner the company for which the work is done
 */
export async function* inTurns<Item>(
  owner: string,
  items: Iterable<Item>,
  turnMs = TURN_MS,
): AsyncGenerator<Item, void> {
  let endsAt = 0;
  for (const item of items) {
    if (performance.now() >= endsAt) {
      await ownTurn(owner);
      endsAt = performance.now() + turnMs;
    }
    yield item;
  }
}

export function ownTurn(owner: string): Promise<void> {
  return new Promise(resume => atTurn(owner, resume));
}

/** Calls back when the turn of an owner has come. */
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
  // The resumed work runs after this function has returned, so its turn ends in another turn of the event loop.
  if (waiting.size > 0) setImmediate(resumeNext);
  resume?.();
}
