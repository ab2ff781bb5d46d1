import type { KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { SecretBox } from '../../../platform/secrets/secret-box.ts';
import { secretContext, signingKey } from './secret.rules.ts';

/** Secrets of endpoints that are in use. */
const MAX_KEYS = 10_000;

/** Opens sealed secrets, and remembers those it opened: to open one takes longer than to sign with it. */
export class SigningKeys {
  readonly #box: SecretBox;
  readonly #opened = new LRUCache<string, KeyObject>({ max: MAX_KEYS });

  constructor(box: SecretBox) {
    this.#box = box;
  }

  /** @throws Error where one cannot be opened */
  of(companyId: string, endpointId: string, boxes: readonly Buffer[]): KeyObject[] {
    return boxes.map(box => {
      // Of this endpoint: what was opened for it must open for no other.
      const name = `${endpointId} ${box.toString('latin1')}`;
      const known = this.#opened.get(name);
      if (known) return known;
      const key = signingKey(this.#box.open(box, secretContext(companyId, endpointId)));
      this.#opened.set(name, key);
      return key;
    });
  }
}
