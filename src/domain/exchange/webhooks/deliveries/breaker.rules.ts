import { jittered } from '../../../common/jitter.rules.ts';

/** Failures in a row, over all of an endpoint's deliveries, after which the breaker opens. */
export const OPENS_AFTER = 5;

const FIRST_PROBE_MS = 5_000;
const MAX_PROBE_MS = 300_000;

/** An endpoint that has failed continuously for this long is disabled. */
const DISABLED_AFTER_MS = 5 * 24 * 3_600_000;

/** The percentages of the time until an endpoint is disabled at which a notice is sent. */
export const NOTIFIED_PERCENTS = [50, 70, 90] as const;
type NotifiedPercent = (typeof NOTIFIED_PERCENTS)[number];

export interface Health {
  /** Failures in a row. */
  readonly failures: number;
  /** When the first of them happened. */
  readonly failingSince: Date | null;
  /**
   * `open`: deliveries are held back without jobs, and one is tried from time to time. `draining`: the endpoint works
   * again, and held back deliveries are sent oldest first; new ones wait behind them.
   */
  readonly breaker: 'open' | 'draining' | null;
  /** When the next probe may be sent, while open. */
  readonly probeAfter: Date | null;
  readonly probes: number;
  /**
   * The percentage of the last notice of its failures: one of `NOTIFIED_PERCENTS`, or 100 once it was disabled. 0 if it
   * was resumed afterwards and has not succeeded yet. Null if its next success needs no notice.
   */
  readonly notifiedPercent: number | null;
}

export const HEALTHY: Health = {
  failures: 0,
  failingSince: null,
  breaker: null,
  probeAfter: null,
  probes: 0,
  notifiedPercent: null,
};

/** The result of an attempt. */
export interface Finding {
  readonly result: 'success' | 'failure' | 'gone';
  /** Whether the attempt was a probe, sent while the breaker was open. */
  readonly isProbe: boolean;
  /** The receiver's `Retry-After`. */
  readonly askedMs: number | undefined;
}

export type Change = 'opened' | 'probed' | 'recovered' | 'gone' | 'failing';

/**
 * The health of an endpoint after an attempt, and the change: `opened`, its deliveries are held back; `probed`, it
 * still fails and will be probed again; `recovered`, they are sent; `gone` and `failing`, it is disabled.
 */
export function afterAttempt(
  health: Health,
  { result, isProbe, askedMs }: Finding,
  now: Date,
  random: number,
): { health: Health; change: Change | null } {
  if (result === 'success') {
    const wasOpen = health.breaker === 'open';
    return {
      health: { ...HEALTHY, breaker: wasOpen ? 'draining' : health.breaker },
      change: wasOpen ? 'recovered' : null,
    };
  }
  const failures = health.failures + 1;
  const failingSince = health.failingSince ?? now;
  const disabled = { ...health, failures, failingSince, notifiedPercent: 100 };
  if (result === 'gone') return { health: disabled, change: 'gone' };
  const failingMs = now.getTime() - failingSince.getTime();
  // Two failures in five days with nothing in between prove nothing.
  if (failingMs >= DISABLED_AFTER_MS && failures >= OPENS_AFTER) return { health: disabled, change: 'failing' };
  const passed = failures >= OPENS_AFTER ? passedPercent((failingMs / DISABLED_AFTER_MS) * 100) : undefined;
  const notifiedPercent = passed === undefined ? health.notifiedPercent : Math.max(passed, health.notifiedPercent ?? 0);
  const failing = { ...health, failures, failingSince, notifiedPercent };
  const opens = health.breaker !== 'open' && failing.failures >= OPENS_AFTER;
  if (!opens && !(health.breaker === 'open' && isProbe)) return { health: failing, change: null };
  const probes = opens ? 0 : health.probes + 1;
  const waitMs = Math.max(jittered(Math.min(FIRST_PROBE_MS * 2 ** probes, MAX_PROBE_MS), random), askedMs ?? 0);
  return {
    health: { ...failing, breaker: 'open', probes, probeAfter: new Date(now.getTime() + waitMs) },
    change: opens ? 'opened' : 'probed',
  };
}

/** The highest of `NOTIFIED_PERCENTS` that was reached. */
function passedPercent(percent: number): NotifiedPercent | undefined {
  return NOTIFIED_PERCENTS.findLast(threshold => threshold <= percent);
}

/** The notice after some attempts: at most one, and each only once. */
export type EndpointNews =
  | {
      readonly kind: 'failing';
      readonly percent: NotifiedPercent;
      readonly failingSince: Date;
      readonly disabledAfter: Date;
    }
  | { readonly kind: 'disabled'; readonly reason: 'gone' | 'failing'; readonly failingSince: Date }
  | { readonly kind: 'recovered' };

/** @param change the change of the attempts */
export function endpointNews(before: Health, after: Health, change: Change | null): EndpointNews | null {
  const { failingSince, notifiedPercent } = after;
  if (notifiedPercent === null) return before.notifiedPercent === null ? null : { kind: 'recovered' };
  if (failingSince === null || notifiedPercent === before.notifiedPercent) return null;
  if (change === 'gone' || change === 'failing') return { kind: 'disabled', reason: change, failingSince };
  const percent = passedPercent(notifiedPercent);
  const disabledAfter = new Date(failingSince.getTime() + DISABLED_AFTER_MS);
  return percent === undefined ? null : { kind: 'failing', percent, failingSince, disabledAfter };
}

/**
 * When to look again at a dead endpoint without due deliveries: when the next one is due, and within five minutes,
 * because new ones are not announced.
 */
export function nextLook(nextDue: Date | null, now: Date): Date {
  const latest = now.getTime() + MAX_PROBE_MS;
  return new Date(Math.max(now.getTime() + FIRST_PROBE_MS, Math.min(nextDue?.getTime() ?? latest, latest)));
}
