// How long a rotated key stays valid, so that its callers can change over. It is a module of its own, because the
// command line shows it in its help and loads nothing else for that.
export const DEFAULT_OVERLAP_HOURS = 24;
export const MAX_OVERLAP_HOURS = 30 * 24;

const DAY_MS = 24 * 60 * 60_000;

/**
 * The expiry of a key that succeeds another one now: it is valid for as long. If the other key expires at the start of
 * a day (UTC), so does this one, as many days after its creation.
 */
export function expiryAfter(old: { readonly createdAt: Date; readonly expiresAt: Date }, now: Date): Date {
  const isDay = old.expiresAt.getTime() % DAY_MS === 0;
  const start = (time: Date) => (isDay ? Math.floor(time.getTime() / DAY_MS) * DAY_MS : time.getTime());
  return new Date(start(now) + old.expiresAt.getTime() - start(old.createdAt));
}
