import { hash, randomInt, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Environment } from '../../../platform/environment.ts';

/**
 * A key is `sk_live_<key id>_<secret>_<checksum>`, or `sk_test_…` for the sandbox: the id finds it, the secret (43
 * characters of 62, 256 bits) proves it. By the checksum a mistyped or leaked key is recognised without the database.
 */
const KEY = /^sk_(?:live|test)_([0-9a-f]{32})_([0-9A-Za-z]{43})_([0-9a-f]{8})$/;
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const PREFIX: Readonly<Record<Environment, string>> = { live: 'sk_live_', sandbox: 'sk_test_' };

type Time = Date | number | null | undefined;

/** Whether a key is neither revoked nor expired; numbers are milliseconds since 1970. */
export function isCurrent(revokedAt: Time, expiresAt: Time, nowMs: number): boolean {
  return revokedAt == null && (expiresAt == null || nowMs < Number(expiresAt));
}

/** Makes the text of a new key for an id. Only its hash is stored. */
export function makeKey(apiKeyId: string, environment: Environment): string {
  const secret = Array.from({ length: 43 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  const body = `${PREFIX[environment]}${apiKeyId.replaceAll('-', '')}_${secret}`;
  return `${body}_${checksum(body)}`;
}

/** The id of a well-formed key, as a UUID; undefined for any other text. */
export function keyIdOf(key: string): string | undefined {
  const [, id, , sum] = KEY.exec(key) ?? [];
  if (id === undefined || sum !== checksum(key.slice(0, -9))) return undefined;
  return `${id.slice(0, 8)}-${id.slice(8, 12)}-${id.slice(12, 16)}-${id.slice(16, 20)}-${id.slice(20)}`;
}

/** SHA-256 of the whole key: with 256 random bits in it, a slow derivation would add cost and no safety. */
export function hashKey(key: string): Buffer {
  // A buffer from `hash` itself has memory outside the heap, which takes twice the time of both steps.
  return Buffer.from(hash('sha256', key, 'hex'), 'hex');
}

export function hashesEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

/** A key as it is stored; times are milliseconds since 1970. */
interface Stored {
  readonly environment: Environment;
  readonly secretHash: Uint8Array;
  readonly revokedAtMs: number | null;
  readonly expiresAtMs: number | null;
}

/** Whether a key is the stored one, of its environment, and neither revoked nor expired. */
export function isLetIn({ environment, secretHash, ...stored }: Stored, key: string, nowMs: number): boolean {
  if (!key.startsWith(PREFIX[environment])) return false;
  return hashesEqual(secretHash, hashKey(key)) && isCurrent(stored.revokedAtMs, stored.expiresAtMs, nowMs);
}

function checksum(body: string): string {
  return crc32(body).toString(16).padStart(8, '0');
}

// How long a rotated key stays valid, so that its callers can change over.
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
