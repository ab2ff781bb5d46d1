import { run } from './cli/run.ts';
import { readEnvFile } from './start/env-file.ts';

/** `shipping …`, and `npm run -s cli -- …` */
readEnvFile();
// A reader such as `head` closes the pipe early, which is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});
const code = await run(process.argv.slice(2));
process.exitCode = code;
// After a signal, work in progress is not awaited: its transaction is rolled back.
if (code > 128) process.exit();
