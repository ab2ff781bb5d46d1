import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { makeSecret, signature, signingKey } from '../../src/domain/exchange/webhooks/secrets/secret.rules.ts';
import { OWN_CLOCK } from '../support/own-clock.ts';
import { freePort } from '../support/ports.ts';

describe('The code that verifies a webhook', () => {
  const secret = makeSecret();
  const other = makeSecret();
  const body = JSON.stringify({ id: 'e', type: 'tracking.delivered', data: { city: 'Forlì', note: 'a.b\n"c"' } });
  const id = '0198f0c2-0000-7000-8000-000000000001';
  const headers = (secrets: readonly string[], ageSeconds = 0, signed = body) => {
    const timestamp = Math.floor(Date.now() / 1000) - ageSeconds;
    return {
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signature(secrets.map(signingKey), id, timestamp, signed),
    };
  };
  const good = headers([secret]);
  const renamed = { ...good, 'webhook-signature': good['webhook-signature'].replace('v1', 'v2') };
  const cut = { ...good, 'webhook-signature': good['webhook-signature'].slice(0, -4) };
  const { 'webhook-signature': _, ...unsigned } = good;

  const CASES: readonly { name: string; given: Record<string, string>; body?: string; isOurs: boolean }[] = [
    { name: 'as it was signed', given: good, isOurs: true },
    { name: 'with the signature of an old secret before it', given: headers([other, secret]), isOurs: true },
    { name: 'and after it', given: headers([secret, other]), isOurs: true },
    { name: 'four minutes old', given: headers([secret], 240), isOurs: true },
    { name: 'six minutes old', given: headers([secret], 360), isOurs: false },
    { name: 'six minutes ahead', given: headers([secret], -360), isOurs: false },
    { name: 'signed with another secret', given: headers([other]), isOurs: false },
    { name: 'with a changed body', given: good, body: body.replace('Forlì', 'Roma'), isOurs: false },
    { name: 'with another id', given: { ...good, 'webhook-id': 'x' }, isOurs: false },
    { name: 'of another version', given: renamed, isOurs: false },
    { name: 'with a signature cut short', given: cut, isOurs: false },
    { name: 'with an empty signature', given: { ...good, 'webhook-signature': 'v1,' }, isOurs: false },
    { name: 'without a signature', given: unsigned, isOurs: false },
    { name: 'without a timestamp that is one', given: { ...good, 'webhook-timestamp': 'NaN' }, isOurs: false },
    { name: 'without any header', given: {}, isOurs: false },
  ];
  const expected = CASES.map(({ name, isOurs }) => [name, isOurs]);
  const file = (name: string) => new URL(`../../src/http/docs/verify/${name}`, import.meta.url);

  test.each([
    'verify.mjs',
    'receiver.mjs',
    'verify.py',
    'receiver.py',
    'verify.php',
    'WebhookVerifier.java',
    'WebhookVerifier.cs',
  ])('is shown in the guide as %s', async name => {
    const guide = await readFile(new URL('../../src/docs/webhooks.md', import.meta.url), 'utf8');
    expect(guide).toContain((await readFile(file(name), 'utf8')).trim());
  });

  test('recognizes webhooks of the service in Node', async () => {
    const { verifiedEvent } = await import(file('verify.mjs').href);
    const told = CASES.map(({ name, given, body: changed = body }) => {
      try {
        expect(verifiedEvent(secret, given, Buffer.from(changed))).toEqual(JSON.parse(body));
        return [name, true];
      } catch (error) {
        expect((error as Error).message).toMatch(/^(timestamp|signature) /);
        return [name, false];
      }
    });
    expect(told).toEqual(expected);
  });

  test.each([
    { language: 'Node', command: process.execPath, name: 'receiver.mjs' },
    { language: 'Python', command: 'python3', name: 'receiver.py' },
  ])('receives webhooks in $language, and rejects forged ones', async ({ command, name }) => {
    const port = String(await freePort());
    const env = { PATH: process.env.PATH, ...OWN_CLOCK, SECRET: secret, PORT: port, PYTHONDONTWRITEBYTECODE: '1' };
    const receiver = spawn(command, [fileURLToPath(file(name))], { env });
    try {
      const [started] = await once(receiver.stdout, 'data');
      const url = `http://127.0.0.1:${port}/`;
      expect(String(started)).toBe(`receiving at ${url}\n`);
      const statuses = CASES.map(async ({ given, body: changed = body }) => {
        return (await fetch(url, { method: 'POST', headers: given, body: changed })).status;
      });
      expect(await Promise.all(statuses)).toEqual(CASES.map(({ isOurs }) => (isOurs ? 204 : 400)));
    } finally {
      receiver.kill();
    }
  });

  test('recognizes webhooks of the service in Python', async ({ skip }) => {
    const driver = `
import json, sys
sys.path.insert(0, sys.argv[1])
sys.dont_write_bytecode = True
from verify import verified_event
for given, body in json.loads(sys.argv[3]):
    try:
        verified_event(sys.argv[2], given, body.encode())
        print('true')
    except ValueError:
        print('false')
`;
    const cases = JSON.stringify(CASES.map(({ given, body: changed = body }) => [given, changed]));
    const run = promisify(execFile)('python3', ['-c', driver, fileURLToPath(file('.')), secret, cases]);
    const { stdout } = await run.catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') skip('there is no python3');
      throw error;
    });
    const told = stdout.trim().split('\n');
    expect(told.map((isOurs, i) => [CASES[i]?.name, isOurs === 'true'])).toEqual(expected);
  });
});
