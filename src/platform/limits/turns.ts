/**
 * Short turns: who holds the event loop lets others have it after a moment. In each turn of the event loop one of those that
 * wait goes on. Companies take turns, and so does the work of one company, so the company that computes most delays the
 * others by one moment only.
 */

/** Far below the 50 ms that nothing may hold the event loop for: a request waits for a turn at each of its own steps. */
const TURN_MS = 1;

/**
 * Of work that nobody waits for. A request has some five turns of the event loop, so that it adds no more than about a
 * millisecond to its time, whereas it goes on for minutes.
 */
export const BACKGROUND_TURN_MS = 0.25;

type Resume = () => void;

/** Who waits for a turn, by owner; the owner whose turn is next stands first. */
const waiting = new Map<string, Resume[]>();

/**
 * Items of a long list, each after the one before was worked on. Others have the event loop before the first one, and
 * whenever a turn is over.
 *
 * @param owner who it is done for, which is a company
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

/** Resolves when it is an owner's turn. */
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
  // What goes on does so after this function has returned, and its turn ends in another turn of the event loop.
  if (waiting.size > 0) setImmediate(resumeNext);
  resume?.();
}
