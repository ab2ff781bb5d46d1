import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { SandboxRequest } from './stand-in.ts';

/** OAuth2 bearer tokens without a store: each is its expiry, sealed with a key of this process. */
export class TokenIssuer {
  readonly lifetimeSeconds: number;
  #key = randomBytes(32);

  constructor(lifetimeSeconds: number) {
    this.lifetimeSeconds = lifetimeSeconds;
  }

  issue(): string {
    const end = `${Date.now() + this.lifetimeSeconds * 1000}`;
    return `${end}.${this.#seal(end)}`;
  }

  accepts({ headers }: SandboxRequest): boolean {
    const [, end = '', seal = ''] = /^bearer (\d+)\.([\w-]+)$/i.exec(headers.authorization ?? '') ?? [];
    const expected = Buffer.from(this.#seal(end));
    const given = Buffer.from(seal);
    return given.length === expected.length && timingSafeEqual(given, expected) && Number(end) > Date.now();
  }

  /** Rejects every token issued so far, like a carrier that revokes tokens early. */
  revokeAll(): void {
    this.#key = randomBytes(32);
  }

  #seal(end: string): string {
    return createHmac('sha256', this.#key).update(end).digest('base64url');
  }
}
