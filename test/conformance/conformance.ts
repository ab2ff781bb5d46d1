import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { CHAPTERS } from './chapters.ts';
import { PAGE, pageWith } from './page.ts';
import { type Outcome, outcomeOf, trialOf } from './run.ts';

// `npm run conformance`: holds a running service to the contract of the REST API, statement by statement.

const USAGE = `Usage: npm run conformance -- --url URL --key KEY [--other-key KEY] [--only ID] [--write]

  --url        the address of the service, such as http://localhost:3000
  --key        a key with all scopes, of a company that is only for tests: the run leaves orders and shipments in it
  --other-key  a key of another company, for what one company may not see of another one
  --only       only the statements whose ids begin with this, such as W or Q3
  --write      write the results to ${PAGE.pathname.split('/').slice(-3).join('/')}
`;

function options() {
  try {
    const { values } = parseArgs({
      options: {
        url: { type: 'string' },
        key: { type: 'string' },
        'other-key': { type: 'string' },
        only: { type: 'string', default: '' },
        write: { type: 'boolean', default: false },
      },
    });
    if (values.url && values.key) return { ...values, url: values.url, key: values.key };
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n`);
  }
  process.stderr.write(USAGE);
  process.exit(2);
}

const { url, key, 'other-key': otherKey, only, write } = options();
const trial = await trialOf(url, key, otherKey).catch((error: Error) => {
  process.stderr.write(`${url}: ${(error.cause as Error | undefined)?.message ?? error.message}\n`);
  process.exit(2);
});
const outcomes = new Map<string, Outcome>();
for (const { title, statements } of CHAPTERS) {
  const chosen = statements.filter(({ id }) => id.startsWith(only));
  if (chosen.length > 0) process.stdout.write(`\n${title}\n`);
  for (const statement of chosen) {
    const outcome = await outcomeOf(statement, trial);
    outcomes.set(statement.id, outcome);
    const mark = outcome.failure ? 'FAILS' : outcome.notTried ? 'not tried' : 'holds';
    process.stdout.write(`${statement.id.padEnd(4)} ${mark.padEnd(10)} ${statement.promise}\n`);
    const why = outcome.failure ?? outcome.notTried;
    if (why) process.stdout.write(`     ${why.replaceAll('\n', '\n     ')}\n`);
  }
}
const all = [...outcomes.values()];
const failed = all.filter(({ failure }) => failure).length;
const skipped = all.filter(({ notTried }) => notTried).length;
process.stdout.write(`\n${all.length - failed - skipped} hold, ${failed} fail, ${skipped} not tried\n`);
if (write && !only) await writeFile(PAGE, pageWith(readFileSync(PAGE, 'utf8'), outcomes));
process.exitCode = failed > 0 ? 1 : 0;
