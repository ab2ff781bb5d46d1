import { setTimeout } from 'node:timers/promises';

/** Looks again and again until it is so; what is seen comes into the error if it never is. */
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
