import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

// Scanners of repositories report every text in the form of a secret.

const root = new URL('../../', import.meta.url).pathname;
const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
  .split('\0')
  .filter(file => file !== '' && existsSync(join(root, file)));

const SECRETS: [what: string, form: RegExp, allowed: string[]][] = [
  ['API keys', /sk_(?:live|test)_[0-9a-f]{32}_[0-9A-Za-z]{43}/, []],
  ['secrets of webhooks', /whsec_[A-Za-z0-9+/]{24,}/, []],
  ['private keys', /-----BEGIN [A-Z ]*PRIVATE KEY-----\n/, ['test/support/certificate.ts']],
];
test.each(SECRETS)('There are no %s in tracked files, except certificates for tests', (_what, form, allowed) => {
  expect(tracked.length).toBeGreaterThan(1_000);
  expect(tracked.filter(file => form.test(readFileSync(join(root, file), 'utf8')))).toEqual(allowed);
});
