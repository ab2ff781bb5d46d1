import { run } from './cli/run.ts';

/** `npm run -s cli -- …` */
process.exitCode = await run(process.argv.slice(2));
