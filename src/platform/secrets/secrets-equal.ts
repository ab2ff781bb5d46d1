import { createHash, timingSafeEqual } from 'node:crypto';

/** Compares a caller's text with a secret in constant time. */
export function secretsEqual(given: string, secret: string): boolean {
  const digest = (value: string) => createHash('sha256').update(value).digest();
  return timingSafeEqual(digest(given), digest(secret));
}
