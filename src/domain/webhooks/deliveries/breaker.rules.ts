import { jittered } from '../../jitter.rules.ts';

/** Failures in a row, over all of an endpoint's deliveries, after which it is taken for dead. */
export const OPENS_AFTER = 5;

const FIRST_PROBE_MS = 5_000;
const MAX_PROBE_MS = 300_000;

/** An endpoint that has only failed for so long is disabled. */
const DISABLED_AFTER_MS = 5 * 24 * 3_600_000;

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
}

export const HEALTHY: Health = { failures: 0, failingSince: null, breaker: null, probeAfter: null, probes: 0 };

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
  const failing = { ...health, failures: health.failures + 1, failingSince: health.failingSince ?? now };
  if (result === 'gone') return { health: failing, change: 'gone' };
  const failingMs = now.getTime() - failing.failingSince.getTime();
  // Two failures with nothing between them in five days say little.
  if (failingMs >= DISABLED_AFTER_MS && failing.failures >= OPENS_AFTER) return { health: failing, change: 'failing' };
  const opens = health.breaker !== 'open' && failing.failures >= OPENS_AFTER;
  if (!opens && !(health.breaker === 'open' && isProbe)) return { health: failing, change: null };
  const probes = opens ? 0 : health.probes + 1;
  const waitMs = Math.max(jittered(Math.min(FIRST_PROBE_MS * 2 ** probes, MAX_PROBE_MS), random), askedMs ?? 0);
  return {
    health: { ...failing, breaker: 'open', probes, probeAfter: new Date(now.getTime() + waitMs) },
    change: opens ? 'opened' : 'probed',
  };
}

/**
 * When to look again at a dead endpoint with nothing due yet: when its next delivery falls due, and in five minutes at
 * the latest, since new ones come without a word.
 */
export function nextLook(nextDue: Date | null, now: Date): Date {
  const latest = now.getTime() + MAX_PROBE_MS;
  return new Date(Math.max(now.getTime() + FIRST_PROBE_MS, Math.min(nextDue?.getTime() ?? latest, latest)));
}
