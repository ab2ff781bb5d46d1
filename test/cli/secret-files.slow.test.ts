import { test } from 'vitest';
import { useProcesses } from './processes.ts';
import { startsWithSecretFiles } from './secret-file-starts.ts';

const processes = useProcesses();

test('The service starts in two processes with its secrets in files, and each secret is in use', async () => {
  await startsWithSecretFiles(processes, await processes.database('migrated'), '2');
});
