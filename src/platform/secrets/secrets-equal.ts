import { createHash, timingSafeEqual } from 'node:crypto';

/** Compares what a caller gave with a secret; how long it takes tells nothing of either. */
export function secretsEqual(given: string, secret: string): boolean {
  const digest = (value: string) => createHash('sha256').update(value).digest();
  return timingSafeEqual(digest(given), digest(secret));
}
