import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { Report } from './report.ts';
import { openSecurityWorld, type SecurityWorld } from './support/world.ts';

export interface SecurityOptions {
  /** Everything that is random follows from it, so that a failure can be repeated. */
  readonly seed: number;
  /** 100,000 fuzzed requests, and the abuses at their full length. */
  readonly isLong: boolean;
  /** Only cases of abuse and fairness whose names contain this. */
  readonly only: string;
}

type Part = (world: SecurityWorld, report: Report, options: SecurityOptions) => Promise<void>;

/** `npm run security -- [PART …]`: attacks the service in a process of its own, and fails if an attack succeeds. */
const PARTS: Readonly<Record<string, () => Promise<{ run: Part }>>> = {
  scopes: () => import('./parts/scopes.ts'),
  keys: () => import('./parts/keys.ts'),
  tenants: () => import('./parts/tenants.ts'),
  fuzz: () => import('./parts/fuzz.ts'),
  addresses: () => import('./parts/addresses.ts'),
  secrets: () => import('./parts/secrets.ts'),
  clock: () => import('./parts/clock.ts'),
  deps: () => import('./parts/dependencies.ts'),
  abuse: () => import('./parts/abuse.ts'),
  fairness: () => import('./parts/fairness.ts'),
  mixed: () => import('./parts/mixed.ts'),
};

const USAGE = `Usage: npm run security -- [${Object.keys(PARTS).join('|')} …] [--seed N] [--long] [--only NAME]\n`;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string' },
    long: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
  },
});
const seed = Number(values.seed ?? randomInt(1, 2 ** 31));
const chosen = positionals.length > 0 ? positionals : Object.keys(PARTS);
if (!Number.isSafeInteger(seed) || chosen.some(name => !PARTS[name])) {
  process.stderr.write(USAGE);
  process.exit(2);
}
process.stdout.write(`seed ${seed}\n`);
const report = new Report();
const world = await openSecurityWorld();
try {
  for (const name of chosen) {
    try {
      const part = await PARTS[name]?.();
      await part?.run(world, report, { seed, isLong: values.long, only: values.only });
    } catch (error) {
      // The other parts say something without it.
      const failures = [String((error as Error)?.stack ?? error)];
      report.add({ part: name, name: 'the part itself', figures: 'not carried out', bound: '', failures });
    }
  }
} finally {
  await world.close();
}
report.print();
process.exit(report.hasFailed ? 1 : 0);
