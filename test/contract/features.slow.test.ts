import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { startDemo } from '../support/demo-process.ts';

const root = new URL('../../', import.meta.url);

/** How a process runs without a feature (`test/support/without-feature.ts`). */
const without = (feature: string) => ({
  WITHOUT_FEATURE: feature,
  NODE_OPTIONS: `--import ${new URL('test/support/without-feature.ts', root).href}`,
});

/** Tests of features that stay. */
const OTHERS = ['rest/quotes', 'rest/tracking', 'graphql/orders', 'jobs/polling', 'jobs/webhook-delivery'];

/** Tests of each optional feature, which pass without the others. */
const OPTIONAL: Readonly<Record<string, readonly string[]>> = {
  spend: ['graphql/simulations'],
  promise: ['jobs/promise', 'graphql/carrier-scorecard'],
  savedQuotes: ['graphql/saved-quotes'],
  // Its tests call the tools of all features.
  mcp: [],
};

test.each(Object.keys(OPTIONAL))('The service starts with a demo without %s, and responds', async feature => {
  const demo = await startDemo(undefined, without(feature));
  try {
    const call = (path: string, init?: RequestInit) =>
      fetch(`${demo.url}${path}`, { ...init, headers: { authorization: `Bearer ${demo.apiKey}` } });
    expect((await call('/api/v1/integrations/carriers')).status).toBe(200);
    expect((await call('/mcp', { method: 'POST' })).status === 404).toBe(feature === 'mcp');
  } finally {
    await demo.stop();
  }
});

test.each(Object.keys(OPTIONAL))('The tests of other features pass without %s', { timeout: 900_000 }, async feature => {
  const kept = Object.entries(OPTIONAL).flatMap(([name, files]) => (name === feature ? [] : files));
  const files = [...OTHERS, ...kept].map(name => `test/${name}.test.ts`);
  const args = ['run', '--config', 'test/vitest.config.ts', '--reporter=dot', '--maxWorkers=1', ...files];
  const run = promisify(execFile)('node_modules/.bin/vitest', args, {
    cwd: root,
    env: { ...process.env, ...without(feature) },
    maxBuffer: 50_000_000,
  });
  await expect(
    run.then(
      () => 'passed',
      error => error.stdout,
    ),
  ).resolves.toBe('passed');
});
