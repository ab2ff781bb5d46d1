import { parseArgs } from 'node:util';

export interface FaultOptions {
  /** How often each kind of fault is done. */
  readonly rounds: number;
  /** Only faults whose names have this in them. */
  readonly only: string;
}

/** `npm run faults -- NAME`: breaks what can break, under load, and says whether anything was lost. */
const RUNS: Readonly<Record<string, () => Promise<{ run(options: FaultOptions): Promise<boolean> }>>> = {
  webhooks: () => import('./webhooks.faults.ts'),
};

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '3' }, only: { type: 'string', default: '' } },
});
const load = RUNS[positionals[0] ?? ''];
if (!load) {
  process.stderr.write(`Usage: npm run faults -- ${Object.keys(RUNS).join('|')} [--rounds 3] [--only PostgreSQL]\n`);
  process.exit(2);
}
const isWhole = await (await load()).run({ rounds: Number(values.rounds), only: values.only });
process.exit(isWhole ? 0 : 1);
