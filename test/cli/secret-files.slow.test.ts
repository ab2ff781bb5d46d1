import { test } from 'vitest';
import { useProcesses } from './processes.ts';
import { startsWithSecretFiles } from './secret-file-starts.ts';

const processes = useProcesses();

test.each(['1', '2'])(
  'The service starts with its secrets in files, PROCESSES=%s, and each secret is in use',
  async count => {
    await startsWithSecretFiles(processes, await processes.database('migrated'), count);
  },
);
