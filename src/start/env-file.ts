import { StartupError } from '../platform/startup-error.ts';

/**
 * Adds the settings of the file `.env` in the working folder to the environment, if the file exists. Variables of the
 * environment keep their values. Only the entry modules call this: no test and no other module reads the file.
 *
 * @throws StartupError if the file cannot be read
 */
export function readEnvFile(): void {
  try {
    process.loadEnvFile('.env');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw new StartupError('The file .env cannot be read: let this user read it, or move it away.', { cause: error });
  }
}
