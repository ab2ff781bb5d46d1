import { parseArgs } from 'node:util';

export interface FaultOptions {
  /** How often each kind of fault is done. */
  readonly rounds: number;
  /** Only faults whose names have this in them. */
  readonly only: string;
  /** How many changes of shipments are recorded meanwhile. */
  readonly changes: number;
  /** How often the standby of a primary is promoted. */
  readonly promotions: number;
  /** Whether the whole service is broken until 50 processes are killed and 100,000 records acknowledged. */
  readonly isLong: boolean;
}

/** `npm run faults`: breaks what can break, under load, and says whether anything was lost. With a name, one part of it. */
const RUNS: Readonly<Record<string, () => Promise<{ run(options: FaultOptions): Promise<boolean> }>>> = {
  service: () => import('./service.faults.ts'),
  changes: () => import('./changes.faults.ts'),
  upgrade: () => import('./upgrade.faults.ts'),
  failover: () => import('./failover.faults.ts'),
  webhooks: () => import('./webhooks.faults.ts'),
};

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '3' },
    only: { type: 'string', default: '' },
    changes: { type: 'string', default: '50000' },
    promotions: { type: 'string', default: '20' },
    long: { type: 'boolean', default: false },
  },
});
const load = RUNS[positionals[0] ?? 'service'];
if (!load) {
  const options = '[--long] [--rounds 3] [--only PostgreSQL] [--changes 50000] [--promotions 20]';
  process.stderr.write(`Usage: npm run faults -- [${Object.keys(RUNS).join('|')}] ${options}\n`);
  process.exit(2);
}
const { rounds, only, changes, promotions, long } = values;
const isWhole = await (await load()).run({
  rounds: Number(rounds),
  only,
  changes: Number(changes),
  promotions: Number(promotions),
  isLong: long,
});
process.exit(isWhole ? 0 : 1);
