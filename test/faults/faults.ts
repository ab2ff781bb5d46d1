import { parseArgs } from 'node:util';

export interface FaultOptions {
  /** How often each kind of fault is done. */
  readonly rounds: number;
  /** Only faults whose names have this in them. */
  readonly only: string;
  /** How many changes of shipments are recorded meanwhile. */
  readonly changes: number;
}

/** `npm run faults -- NAME`: breaks what can break, under load, and says whether anything was lost. */
const RUNS: Readonly<Record<string, () => Promise<{ run(options: FaultOptions): Promise<boolean> }>>> = {
  service: () => import('./service.faults.ts'),
  changes: () => import('./changes.faults.ts'),
  webhooks: () => import('./webhooks.faults.ts'),
};

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '3' },
    only: { type: 'string', default: '' },
    changes: { type: 'string', default: '50000' },
  },
});
const load = RUNS[positionals[0] ?? 'service'];
if (!load) {
  const options = '[--rounds 3] [--only PostgreSQL] [--changes 50000]';
  process.stderr.write(`Usage: npm run faults -- ${Object.keys(RUNS).join('|')} ${options}\n`);
  process.exit(2);
}
const { rounds, only, changes } = values;
const isWhole = await (await load()).run({ rounds: Number(rounds), only, changes: Number(changes) });
process.exit(isWhole ? 0 : 1);
