import { setTimeout } from 'node:timers/promises';

/** Looks repeatedly until the condition holds; the error has the last value if it never does. */
export async function until<Seen>(
  look: () => Promise<Seen>,
  isSo: (seen: Seen) => boolean,
  { everyMs = 20, timeoutMs = 180_000 }: { everyMs?: number; timeoutMs?: number } = {},
): Promise<Seen> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const seen = await look();
    if (isSo(seen)) return seen;
    if (Date.now() > deadline) throw new Error(`Waited for in vain; in the end it was ${JSON.stringify(seen)}`);
    await setTimeout(everyMs);
  }
}
