import { defineConfig } from 'vitest/config';
import { SlowestFirst } from './support/slowest-first.ts';
import { PATIENTLY } from './support/time.ts';

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/property-seed.ts'],
    // Far more than any test takes: a busy machine must not fail a test. CI shares its processors: a second run tells a
    // fault from a processor that was taken away, and the report marks it.
    retry: process.env.CI ? 1 : 0,
    testTimeout: 90_000,
    hookTimeout: 90_000,
    expect: { poll: PATIENTLY },
    // One more than the cores of the smallest machine this is for: many tests wait for programs, retries and databases.
    maxWorkers: 3,
    sequence: { sequencer: SlowestFirst },
    // Files share their modules, since loading the service again for each takes longer than most files. They do not
    // share a database: every file has its own.
    isolate: false,
    // Node runs TypeScript as it is: tests load the very modules that the service runs, and no test replaces a module.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // As the service: a larger young generation is collected less often.
    execArgv: ['--max-semi-space-size=16'],
  },
});
