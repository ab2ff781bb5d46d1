import { StartupError } from '../platform/startup-error.ts';

/**
 * Adds the settings of the file `.env` in the working folder to the environment, where there is such a file. A variable
 * that the environment has already keeps its value. For the entries alone: no test and no module reads the file.
 *
 * @throws StartupError where the file is there and cannot be read
 */
export function readEnvFile(): void {
  try {
    process.loadEnvFile('.env');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw new StartupError('The file .env cannot be read: let this user read it, or move it away.', { cause: error });
  }
}
