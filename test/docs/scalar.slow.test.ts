import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import source from '../../src/http/docs/assets/scalar.json' with { type: 'json' };
import { useSharedWorld } from '../support/world.ts';

const world = useSharedWorld({ ROLE: 'all' });

test('The reference is drawn by the bundle of the version of Scalar that is stated', async () => {
  const page = await (await fetch(`${world.app.url}/docs/reference`)).text();
  const [, path] = /"(\/docs\/assets\/[^"]*scalar\.js)"/.exec(page) ?? [];
  for (const encoding of ['identity', 'gzip', 'br']) {
    const response = await fetch(`${world.app.url}${path}`, { headers: { 'accept-encoding': encoding } });
    const bundle = await response.bytes();
    expect([response.status, createHash('sha256').update(bundle).digest('hex')]).toEqual([200, source.sha256]);
  }
  expect(source).toMatchObject({ package: '@scalar/api-reference', license: 'MIT' });
});
