import { run } from './cli/run.ts';
import { readEnvFile } from './env-file.ts';

/** `npm run -s cli -- …` */
readEnvFile();
process.exitCode = await run(process.argv.slice(2));
