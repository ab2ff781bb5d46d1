import type { PostResult } from '../../../../platform/outbound/outbound.ts';
import { retryAfterMs } from '../../../../platform/outbound/retry-after.ts';
import type { Finding } from './breaker.rules.ts';
import { retryDelayMs } from './schedule.rules.ts';

export type DeliveryStatus = 'pending' | 'success' | 'retrying' | 'failed' | 'cancelled';

/** The outcome of an attempt: `delivered`, `rejected` (a response other than 2xx), or the reason for no response. */
export type AttemptOutcome = 'delivered' | 'rejected' | Exclude<PostResult['outcome'], 'answered'>;

interface Verdict {
  readonly outcome: AttemptOutcome;
  /** The delivery's new status. */
  readonly status: DeliveryStatus;
  /** Attempts made in this round. */
  readonly tries: number;
  /** When the next attempt comes. */
  readonly nextAt: Date | null;
  /** The finding about the endpoint; null if the service itself aborted the attempt. */
  readonly finding: Finding | null;
}

/** The status of a delivery that will be tried, again or for the first time. */
export function waitingStatus(tries: number): 'pending' | 'retrying' {
  return tries === 0 ? 'pending' : 'retrying';
}

/**
 * The new state of a delivery after an attempt. The status line is the outcome: an incomplete body changes nothing.
 *
 * @param tries attempts made before this one, in this round
 */
export function judge(result: PostResult, tries: number, isProbe: boolean, now: Date, random: number): Verdict {
  // Aborted by a pause, a deletion or the end of this process: it is sent again as if it had not been tried.
  if (result.outcome === 'aborted') {
    return { outcome: 'aborted', status: waitingStatus(tries), tries, nextAt: now, finding: null };
  }
  const made = tries + 1;
  if (result.outcome === 'answered' && result.status >= 200 && result.status < 300) {
    const finding = { result: 'success', isProbe, askedMs: undefined } as const;
    return { outcome: 'delivered', status: 'success', tries: made, nextAt: null, finding };
  }
  const outcome = result.outcome === 'answered' ? 'rejected' : result.outcome;
  const isGone = result.outcome === 'answered' && result.status === 410;
  const askedMs = result.outcome === 'answered' ? retryAfterMs(result.retryAfter, now.getTime()) : undefined;
  const delayMs = isGone ? undefined : retryDelayMs(made, askedMs, random);
  return {
    outcome,
    status: delayMs === undefined ? 'failed' : 'retrying',
    tries: made,
    nextAt: delayMs === undefined ? null : new Date(now.getTime() + delayMs),
    finding: { result: isGone ? 'gone' : 'failure', isProbe, askedMs },
  };
}
