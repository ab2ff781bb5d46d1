import { run } from './cli/run.ts';
import { readEnvFile } from './start/env-file.ts';

/** `shipping …`, and `npm run -s cli -- …` */
readEnvFile();
// Whoever reads only the first lines, as `head` does, has what it wants.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});
const code = await run(process.argv.slice(2));
process.exitCode = code;
// After a signal, work that is under way is not waited for: its transaction is rolled back.
if (code > 128) process.exit();
