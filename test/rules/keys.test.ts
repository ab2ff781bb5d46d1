import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hashesEqual, hashKey, keyIdOf, makeKey } from '../../src/domain/account/access/key.rules.ts';

const id = fc.uuid();
const made = id.map(apiKeyId => ({ apiKeyId, key: makeKey(apiKeyId, 'live') }));

/** Asserts a property of made keys; each run makes its own. */
const ofMadeKeys = <T>(more: fc.Arbitrary<T>, check: (apiKeyId: string, key: string, value: T) => void) =>
  fc.assert(fc.property(made, more, ({ apiKeyId, key }, value) => check(apiKeyId, key, value)));

describe('A key', () => {
  test('has the documented form', () => {
    ofMadeKeys(fc.constant(null), (apiKeyId, key) => {
      expect(key).toMatch(/^sk_live_[0-9a-f]{32}_[0-9A-Za-z]{43}_[0-9a-f]{8}$/);
      expect(key).toContain(apiKeyId.replaceAll('-', ''));
    });
  });

  test('contains the id that it was made for', () => {
    ofMadeKeys(fc.constant(null), (apiKeyId, key) => {
      expect(keyIdOf(key)).toBe(apiKeyId);
    });
  });

  test('is rejected with any one character changed', () => {
    const character = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 1 });
    ofMadeKeys(fc.tuple(fc.nat(91), character), (_id, key, [at, other]) => {
      fc.pre(key[at] !== other);
      expect(keyIdOf(key.slice(0, at) + other + key.slice(at + 1))).toBeUndefined();
    });
  });

  test('is rejected with any one character in the other case', () => {
    const key = makeKey('deadbeef-dead-4eef-8ead-beefdeadbeef', 'live');
    for (const [at, character] of [...key].entries()) {
      const other = character === character.toUpperCase() ? character.toLowerCase() : character.toUpperCase();
      if (other !== character) expect(keyIdOf(key.slice(0, at) + other + key.slice(at + 1))).toBeUndefined();
    }
  });

  test('is rejected with two neighbours exchanged, one left out, or one more', () => {
    ofMadeKeys(fc.nat(90), (_id, key, at) => {
      const [one = '', other = ''] = [key[at], key[at + 1]];
      if (one !== other) expect(keyIdOf(key.slice(0, at) + other + one + key.slice(at + 2))).toBeUndefined();
      expect(keyIdOf(key.slice(0, at) + key.slice(at + 1))).toBeUndefined();
      expect(keyIdOf(key.slice(0, at) + one + key.slice(at))).toBeUndefined();
    });
  });

  test('is rejected with anything before or after it', () => {
    ofMadeKeys(fc.constantFrom(' ', '\n', '\u0000', 'x', '_'), (_id, key, other) => {
      expect(keyIdOf(key + other)).toBeUndefined();
      expect(keyIdOf(other + key)).toBeUndefined();
    });
  });

  test('is never any other text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), text => {
        expect(keyIdOf(text)).toBeUndefined();
      }),
    );
    for (const text of ['', 'sk_live_', `sk_live_${'0'.repeat(32)}_${'0'.repeat(43)}_00000000`]) {
      expect(keyIdOf(text)).toBeUndefined();
    }
  });

  test('has a different secret every time', () => {
    const keys = Array.from({ length: 1000 }, () => makeKey('deadbeef-dead-4eef-8ead-beefdeadbeef', 'live'));
    expect(new Set(keys).size).toBe(1000);
    // Every character of the alphabet comes at every place: none of the 256 bits is fixed.
    const secrets = keys.map(key => key.slice(41, 84));
    for (let at = 0; at < 43; at++) expect(new Set(secrets.map(secret => secret[at])).size).toBeGreaterThan(55);
  });
});

describe('The hash of a key', () => {
  test('is the SHA-256 of all of it', () => {
    expect(hashKey('abc').toString('hex')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });

  test('is equal to itself and to no other', () => {
    ofMadeKeys(id, (_id, key, other) => {
      expect(hashesEqual(hashKey(key), hashKey(key))).toBe(true);
      expect(hashesEqual(hashKey(key), hashKey(makeKey(other, 'live')))).toBe(false);
    });
  });

  test('is compared with a hash of another length without an exception', () => {
    expect(hashesEqual(hashKey('a'), new Uint8Array(31))).toBe(false);
    expect(hashesEqual(hashKey('a'), new Uint8Array(0))).toBe(false);
  });
});
