import { createHmac, createSecretKey, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto';

/** Of Standard Webhooks. */
const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** How long a secret goes on signing after another has taken its place. */
export const OVERLAP_MS = 24 * 3_600_000;

/** Secrets of an endpoint that sign at the same time: the current one and those before it. */
export const MAX_SECRETS = 5;

/** A new secret, as receivers' libraries take it: `whsec_` and base64 of 32 random bytes. */
export function makeSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/** What a secret signs with. */
export function signingKey(secret: string): KeyObject {
  return createSecretKey(Buffer.from(secret.slice(PREFIX.length), 'base64'));
}

/**
 * The `webhook-signature` of Standard Webhooks 1.0.0: a signature for each key, separated by blanks. What is signed is
 * id, timestamp and body, with a full stop between them.
 *
 * @param timestamp seconds since 1970
 */
export function signature(keys: readonly KeyObject[], id: string, timestamp: number, body: string): string {
  const signed = `${id}.${timestamp}.${body}`;
  return keys.map(key => `v1,${createHmac('sha256', key).update(signed).digest('base64')}`).join(' ');
}

/** How far the clocks of sender and receiver may be apart; an older request may be one that was overheard. */
const TOLERANCE_SECONDS = 300;

/**
 * Whether a request was signed with a secret, as receivers verify it. One signature of several is enough: while secrets
 * are rotated there is one of each.
 *
 * @param headers names in lower case
 * @param body as it was received, to the byte
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

/** What binds a sealed secret to the endpoint whose it is. */
export function secretContext(companyId: string, endpointId: string): string {
  return `webhook ${companyId} ${endpointId}`;
}
