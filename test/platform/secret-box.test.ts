import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keptSecretsKey, newSecretsKey, SecretBox } from '../../src/platform/secrets/secret-box.ts';
import { runs } from '../support/property-runs.ts';

const OLD = newSecretsKey();
const NEW = newSecretsKey();
const box = SecretBox.of(OLD);

describe('A secret box', () => {
  test('opens to the sealed text, whatever it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (text, context) => {
        expect(box.open(box.seal(text, context), context)).toBe(text);
      }),
      { seed: 1, numRuns: runs(500) },
    );
  });

  test('differs each time, and does not show its content', () => {
    const boxes = Array.from({ length: 100 }, () => box.seal('whsec_secret', 'a').toString('latin1'));
    expect(new Set(boxes).size).toBe(100);
    for (const sealed of boxes) expect(sealed).not.toContain('whsec');
  });

  test('does not open for another context', () => {
    expect(() => box.open(box.seal('secret', 'company 1'), 'company 2')).toThrow();
  });

  test('does not open once any of its bytes is changed, or some are missing', () => {
    const sealed = box.seal('secret', 'a');
    for (const i of sealed.keys()) {
      const changed = Buffer.from(sealed);
      changed[i] = (changed[i] ?? 0) ^ 1;
      expect(() => box.open(changed, 'a'), `byte ${i}`).toThrow();
      expect(() => box.open(sealed.subarray(0, i), 'a'), `${i} bytes`).toThrow();
    }
  });

  test('does not open with another key', () => {
    expect(() => SecretBox.of(NEW).open(box.seal('secret', 'a'), 'a')).toThrow('SECRETS_KEY');
  });
});

describe('A rotation of the key', () => {
  const both = SecretBox.of(`${NEW}, ${OLD}`);

  test('opens boxes of either key, and seals with the first', () => {
    const old = box.seal('secret', 'a');
    expect(both.open(old, 'a')).toBe('secret');
    expect(both.isCurrent(old)).toBe(false);
    const sealedAgain = both.seal(both.open(old, 'a'), 'a');
    expect(both.isCurrent(sealedAgain)).toBe(true);
    expect(SecretBox.of(NEW).open(sealedAgain, 'a')).toBe('secret');
  });
});

describe('An invalid SECRETS_KEY', () => {
  test.each([
    ['nothing', ''],
    ['a word', 'secret'],
    ['31 bytes', Buffer.alloc(31).toString('base64')],
    ['33 bytes', Buffer.alloc(33).toString('base64')],
    ['hexadecimal', 'ab'.repeat(32)],
    ['base64 with a blank in it', `${OLD.slice(0, 20)} ${OLD.slice(20)}`],
    ['a good one and a bad', `${OLD},x`],
    ['a comma behind', `${OLD},`],
  ])('is rejected, and not printed: %s', (_what, key) => {
    expect(() => SecretBox.of(key)).toThrow('SECRETS_KEY must be base64 of 32 bytes; several are separated by commas.');
  });
});

describe('The key in the data folder', () => {
  let home = '';
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'secrets-key-'));
  });
  afterAll(() => rm(home, { recursive: true }));

  test('is the same for all who ask at once or later, and only its owner can read it', async () => {
    const dataDir = join(home, 'new', 'data');
    const keys = await Promise.all(Array.from({ length: 20 }, () => keptSecretsKey(dataDir)));
    expect(new Set(keys).size).toBe(1);
    expect(await keptSecretsKey(dataDir)).toBe(keys[0]);
    expect(() => SecretBox.of(keys[0] ?? '')).not.toThrow();
    expect(await readdir(dataDir)).toEqual(['secrets-key']);
    expect((await stat(join(dataDir, 'secrets-key'))).mode & 0o777).toBe(0o600);
    expect(await readFile(join(dataDir, 'secrets-key'), 'utf8')).toBe(`${keys[0]}\n`);
  });
});
