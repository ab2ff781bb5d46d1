import { setTimeout as pause } from 'node:timers/promises';
import type { NoAnswer, NotAsked } from '../domain/shipping/carriers/carrier.port.ts';

/** Concurrent requests of one account, if the carrier sets no pace. */
const AT_ONCE = 16;

/** This many rejections in a row concern the account; fewer may concern a number. */
const MAX_REJECTIONS = 3;

/** Numbers that are asked about together, and their findings so far. */
export class Batch {
  readonly spacingMs: number;
  /** Why the rest is not asked about: the carrier asks us to wait, rejects the account, or does not respond. */
  halt: NoAnswer | NotAsked | undefined;
  #rejections = 0;

  constructor(spacingMs: number, putOffUntilMs: number | undefined) {
    this.spacingMs = spacingMs;
    const retryAfterMs = (putOffUntilMs ?? 0) - Date.now();
    if (retryAfterMs > 0) this.halt = { kind: 'unavailable', retryAfterMs };
  }

  /** @param waitMs the time until the carrier can be asked, if it does not respond now */
  note(none: NoAnswer | undefined, waitMs: number): void {
    this.#rejections = none?.kind === 'refused' ? this.#rejections + 1 : 0;
    if (none?.retryAfterMs !== undefined || this.#rejections >= MAX_REJECTIONS) this.halt ??= none;
    else if (waitMs > 0) this.halt ??= { kind: 'not_asked', retryAfterMs: waitMs };
  }
}

export function noAnswerIn(findings: readonly object[]): NoAnswer | undefined {
  const kinds: readonly unknown[] = ['unavailable', 'refused', 'rejected', 'unreadable'] satisfies NoAnswer['kind'][];
  return findings.find((finding): finding is NoAnswer => kinds.includes((finding as Partial<NoAnswer>).kind));
}

export function chunks<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, n) => items.slice(n * size, (n + 1) * size));
}

/**
 * Findings of requests in their order. Requests start at a minimum interval, and a few run at once. After a finding
 * that makes the rest useless, the others are not awaited.
 *
 * Not p-throttle, because of three tests in carriers.test.ts: it has no limit on running calls ("go out sixteen at a
 * time"), does not release waiting calls at once ("does not wait for the pace of a live account"), and when aborted
 * rejects all of them, though each needs the finding that ended the batch ("keep the findings from before the account
 * was asked to wait").
 */
export async function paced<Request, Finding>(
  requests: readonly Request[],
  spacingMs: number,
  closing: AbortSignal,
  ask: (request: Request) => Promise<{ findings: readonly Finding[]; isOver: boolean }>,
): Promise<Finding[]> {
  const found: Finding[][] = requests.map(() => []);
  let next = 0;
  let startMs = performance.now();
  let isOver = false;
  const asker = async () => {
    for (let n = next++; n < requests.length; n = next++) {
      const waitMs = startMs - performance.now();
      startMs = Math.max(startMs, performance.now()) + spacingMs;
      if (waitMs > 0 && !isOver) await pause(waitMs, undefined, { signal: closing }).catch(() => undefined);
      const answer = await ask(requests[n] as Request);
      found[n] = [...answer.findings];
      isOver ||= answer.isOver;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, asker));
  return found.flat();
}
