import { parseArgs } from 'node:util';
import type { BenchOptions } from './bench-options.ts';
import { kindText, machineKind } from './machine-kind.ts';
import { Results } from './results.ts';
import { ROWS } from './rows.ts';

/**
 * `npm run bench -- NAME`: measures beside peers in the same run and prints ratios. Without a name all benches run one
 * after the other and RESULTS.md is written. README.md says what each is.
 */
const BENCHES: Readonly<Record<string, () => Promise<{ run(options: BenchOptions): Promise<void> }>>> = {
  events: () => import('./events.bench.ts'),
  tracking: () => import('./tracking.bench.ts'),
  quotes: () => import('./quotes.bench.ts'),
  address: () => import('./address.bench.ts'),
  webhooks: () => import('./webhooks.bench.ts'),
  streams: () => import('./streams.bench.ts'),
  jobs: () => import('./jobs.bench.ts'),
  scaling: () => import('./scaling.bench.ts'),
  sizes: () => import('./sizes.bench.ts'),
  lists: () => import('./lists.bench.ts'),
  promise: () => import('./promise.bench.ts'),
  simulation: () => import('./simulation.bench.ts'),
  invoices: () => import('./invoices.bench.ts'),
  start: () => import('./start.bench.ts'),
  soak: () => import('./soak.bench.ts'),
};

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '3' },
    minutes: { type: 'string', default: '20' },
    quick: { type: 'boolean', default: false },
    beside: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});
const [name, ...parts] = positionals;
if (name !== undefined && !(name in BENCHES)) {
  process.stderr.write(
    `Usage: npm run bench -- [${Object.keys(BENCHES).join('|')} [PART …]] [--seconds 5] [--rounds 3] [--minutes 20] [--quick] [--beside CHECKOUT] [--write]\n`,
  );
  process.exit(2);
}
const run = { seconds: Number(values.seconds), rounds: Number(values.rounds), quick: values.quick };
const kind = await machineKind();
process.stdout.write(`${kindText(kind)}\n`);
const results = new Results(run, kind);
const options = {
  ...run,
  minutes: Number(values.minutes),
  beside: values.beside,
  results,
};
if (name === undefined) await runAll();
else {
  await (await BENCHES[name]?.())?.run({ ...options, parts });
  if (values.write) await results.write();
}

/** One that fails does not take the figures of the others with it. */
async function runAll(): Promise<void> {
  for (const [bench, load] of Object.entries(BENCHES)) {
    const startedAt = performance.now();
    process.stdout.write(`\n=== ${bench}\n`);
    try {
      await (await load()).run({ ...options, parts: measuredParts(bench) });
    } catch (error) {
      process.stderr.write(`${bench} failed: ${error instanceof Error ? error.stack : error}\n`);
      process.exitCode = 1;
    }
    await results.write();
    process.stdout.write(`=== ${bench}: ${((performance.now() - startedAt) / 60_000).toFixed(1)} min\n`);
  }
}

/** The parts of a bench that measure a row of the results; none, which means all, if no row is named. */
function measuredParts(bench: string): string[] {
  const parts = Object.values(ROWS).map(row => row.bench.split(' '));
  return [...new Set(parts.flatMap(([name, part]) => (name === bench && part !== undefined ? [part] : [])))];
}
