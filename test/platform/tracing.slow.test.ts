import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

test('Without a collector nothing of OpenTelemetry is loaded, except its interface, by prom-client', async () => {
  const script = `import Module from 'node:module'; await import('./src/app.ts');
    console.log(Object.keys(Module._cache).flatMap(path => path.match(/@opentelemetry.[^/]+/) ?? []).join());`;
  const cwd = new URL('../..', import.meta.url).pathname;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { cwd });
  expect(new Set(stdout.trim().split(','))).toEqual(new Set(['@opentelemetry/api']));
});
