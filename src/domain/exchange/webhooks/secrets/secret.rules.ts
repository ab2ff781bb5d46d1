import { createHmac, createSecretKey, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto';

/** The prefix of Standard Webhooks. */
const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** How long a replaced secret still signs. */
export const OVERLAP_MS = 24 * 3_600_000;

/** Secrets of an endpoint that sign at a time: the current one and earlier ones. */
export const MAX_SECRETS = 5;

/** A new secret in the form of Standard Webhooks: `whsec_` and base64 of 32 random bytes. */
export function makeSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

export function signingKey(secret: string): KeyObject {
  return createSecretKey(Buffer.from(secret.slice(PREFIX.length), 'base64'));
}

/**
 * The `webhook-signature` of Standard Webhooks 1.0.0: a signature for each key, separated by blanks. The signed text is
 * id, timestamp and body, joined by full stops.
 *
 * @param timestamp seconds since 1970
 */
export function signature(keys: readonly KeyObject[], id: string, timestamp: number, body: string): string {
  const signed = `${id}.${timestamp}.${body}`;
  return keys.map(key => `v1,${createHmac('sha256', key).update(signed).digest('base64')}`).join(' ');
}

/** The tolerated difference of the clocks of sender and receiver; an older request may be a replay. */
const TOLERANCE_SECONDS = 300;

/**
 * Whether a request was signed with a secret, as receivers verify it. One matching signature suffices: while secrets
 * are rotated there are several.
 *
 * @param headers names in lower case
 * @param body the exact bytes that were received
 */
export function verify(
  secret: string,
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  body: string,
  now: Date,
): boolean {
  const id = headers['webhook-id'];
  const timestamp = Number(headers['webhook-timestamp']);
  const signatures = headers['webhook-signature'];
  if (typeof id !== 'string' || typeof signatures !== 'string' || !Number.isInteger(timestamp)) return false;
  if (Math.abs(now.getTime() / 1000 - timestamp) > TOLERANCE_SECONDS) return false;
  const expected = Buffer.from(signature([signingKey(secret)], id, timestamp, body));
  return signatures.split(' ').some(text => {
    const given = Buffer.from(text);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

/** The context that binds a sealed secret to its endpoint. */
export function secretContext(companyId: string, endpointId: string): string {
  return `webhook ${companyId} ${endpointId}`;
}
