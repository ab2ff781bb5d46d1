import { parseArgs } from 'node:util';

export interface BenchOptions {
  /** How long each contender is measured in each round. */
  readonly seconds: number;
  readonly rounds: number;
  /** Leave out what takes minutes. */
  readonly quick: boolean;
  /** Of a bench that has parts, those to be run; none stands for all. */
  readonly parts: readonly string[];
  /** Another checkout of the service, such as the commit before, that is measured by turns with this one. */
  readonly beside: string | undefined;
}

/** `npm run bench -- NAME`: measures beside peers in the same run and prints ratios. */
const BENCHES: Readonly<Record<string, () => Promise<{ run(options: BenchOptions): Promise<void> }>>> = {
  address: () => import('./address.bench.ts'),
  events: () => import('./events.bench.ts'),
  jobs: () => import('./jobs.bench.ts'),
  quotes: () => import('./quotes.bench.ts'),
  scaling: () => import('./scaling.bench.ts'),
  tracking: () => import('./tracking.bench.ts'),
  webhooks: () => import('./webhooks.bench.ts'),
};

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '3' },
    quick: { type: 'boolean', default: false },
    beside: { type: 'string' },
  },
});
const [name = '', ...parts] = positionals;
const load = BENCHES[name];
if (!load) {
  process.stderr.write(
    `Usage: npm run bench -- ${Object.keys(BENCHES).join('|')} [PART …] [--seconds 5] [--rounds 3] [--quick] [--beside CHECKOUT]\n`,
  );
  process.exit(2);
}
await (await load()).run({
  seconds: Number(values.seconds),
  rounds: Number(values.rounds),
  quick: values.quick,
  parts,
  beside: values.beside,
});
