import { run } from './cli/run.ts';
import { readEnvFile } from './start/env-file.ts';

/** `shipping …`, and `npm run -s cli -- …` */
readEnvFile();
/** A reader such as `head` closes the pipe early, and a terminal can be closed. Neither is an error. */
const READER_IS_GONE: readonly unknown[] = ['EPIPE', 'EIO'];
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  if (READER_IS_GONE.includes(code) || process.exitCode === 1) return;
  process.exitCode = 1;
  process.stderr.write(`The output can't be written (${code}).\n`);
});
process.stderr.on('error', () => undefined);
const code = await run(process.argv.slice(2));
process.exitCode = code;
// After a signal, work in progress is not awaited: its transaction is rolled back.
if (code > 128) process.exit();
