import { jittered } from '../../common/jitter.rules.ts';

/** Failures in a row, over all of an endpoint's deliveries, after which it is taken for dead. */
export const OPENS_AFTER = 5;

const FIRST_PROBE_MS = 5_000;
const MAX_PROBE_MS = 300_000;

/** An endpoint that has only failed for so long is disabled. */
const DISABLED_AFTER_MS = 5 * 24 * 3_600_000;

/** How far towards being disabled an endpoint is when this is told, in percent. */
export const FAILING_TOLD_AT = [50, 70, 90] as const;
type ToldAt = (typeof FAILING_TOLD_AT)[number];

/** How an endpoint has fared lately. */
export interface Health {
  /** Failures in a row. */
  readonly failures: number;
  /** When the first of them was. */
  readonly failingSince: Date | null;
  /**
   * `open`: what is to be delivered waits parked, without a job, and one is tried from time to time. `draining`: it lives
   * again, and what is parked goes out in order of age; what is new stands in line behind it.
   */
  readonly breaker: 'open' | 'draining' | null;
  /** When the next may be tried, while open. */
  readonly probeAfter: Date | null;
  readonly probes: number;
  /**
   * What was told of its failures, in percent: one of `FAILING_TOLD_AT`, or 100 once it was disabled. 0 of one that was
   * resumed after that, and has not succeeded yet. Null where nothing is to be told when it succeeds.
   */
  readonly failingTold: number | null;
}

export const HEALTHY: Health = {
  ...{ failures: 0, failingSince: null, breaker: null, probeAfter: null, probes: 0 },
  failingTold: null,
};

/** One more attempt's result. */
export interface Finding {
  readonly result: 'success' | 'failure' | 'gone';
  /** Whether the attempt was sent while the breaker was open, to find out. */
  readonly isProbe: boolean;
  /** What the receiver asked for in `Retry-After`. */
  readonly askedMs: number | undefined;
}

export type Change = 'opened' | 'probed' | 'recovered' | 'gone' | 'failing';

/**
 * How an endpoint fares after an attempt, and what follows: `opened`, its deliveries are parked; `probed`, it is still
 * dead and will be tried again; `recovered`, they go out; `gone` and `failing`, it is disabled.
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
  const disabled = { ...health, failures, failingSince, failingTold: 100 };
  if (result === 'gone') return { health: disabled, change: 'gone' };
  const failingMs = now.getTime() - failingSince.getTime();
  // Two failures with nothing between them in five days say little.
  if (failingMs >= DISABLED_AFTER_MS && failures >= OPENS_AFTER) return { health: disabled, change: 'failing' };
  const passed = failures >= OPENS_AFTER ? toldAt((failingMs / DISABLED_AFTER_MS) * 100) : undefined;
  const failingTold = passed === undefined ? health.failingTold : Math.max(passed, health.failingTold ?? 0);
  const failing = { ...health, failures, failingSince, failingTold };
  const opens = health.breaker !== 'open' && failing.failures >= OPENS_AFTER;
  if (!opens && !(health.breaker === 'open' && isProbe)) return { health: failing, change: null };
  const probes = opens ? 0 : health.probes + 1;
  const waitMs = Math.max(jittered(Math.min(FIRST_PROBE_MS * 2 ** probes, MAX_PROBE_MS), random), askedMs ?? 0);
  return {
    health: { ...failing, breaker: 'open', probes, probeAfter: new Date(now.getTime() + waitMs) },
    change: opens ? 'opened' : 'probed',
  };
}

/** The last of `FAILING_TOLD_AT` that was passed. */
function toldAt(percent: number): ToldAt | undefined {
  return FAILING_TOLD_AT.findLast(threshold => threshold <= percent);
}

/** What is to be told of an endpoint after some attempts: one thing at most, and each once. */
export type EndpointNews =
  | { readonly kind: 'failing'; readonly percent: ToldAt; readonly failingSince: Date; readonly disabledAfter: Date }
  | { readonly kind: 'disabled'; readonly reason: 'gone' | 'failing'; readonly failingSince: Date }
  | { readonly kind: 'recovered' };

/** @param change what follows from the attempts */
export function endpointNews(before: Health, after: Health, change: Change | null): EndpointNews | null {
  const { failingSince, failingTold } = after;
  if (failingTold === null) return before.failingTold === null ? null : { kind: 'recovered' };
  if (failingSince === null || failingTold === before.failingTold) return null;
  if (change === 'gone' || change === 'failing') return { kind: 'disabled', reason: change, failingSince };
  const percent = toldAt(failingTold);
  const disabledAfter = new Date(failingSince.getTime() + DISABLED_AFTER_MS);
  return percent === undefined ? null : { kind: 'failing', percent, failingSince, disabledAfter };
}

/**
 * When to look again at a dead endpoint with nothing due yet: when its next delivery falls due, and in five minutes at
 * the latest, since new ones come without a word.
 */
export function nextLook(nextDue: Date | null, now: Date): Date {
  const latest = now.getTime() + MAX_PROBE_MS;
  return new Date(Math.max(now.getTime() + FIRST_PROBE_MS, Math.min(nextDue?.getTime() ?? latest, latest)));
}
