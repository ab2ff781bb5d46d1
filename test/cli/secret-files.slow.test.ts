import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { useProcesses } from './processes.ts';
import { expectSecretsInUse, settingsWithSecretFiles } from './secret-file-starts.ts';

const processes = useProcesses();

async function file(content: string): Promise<string> {
  const path = `${await processes.dataDir()}-secret`;
  await writeFile(path, content);
  return path;
}

test.each(['1', '2'])(
  'The service starts with its secrets in files, PROCESSES=%s, and each secret is in use',
  async PROCESSES => {
    const { settings, secrets } = await settingsWithSecretFiles(await processes.database('migrated'), file);
    const { program, url } = await processes.service({ ...settings, PROCESSES });
    await expectSecretsInUse(url);
    await program.said(/"operator":"anna"/);
    program.kill('SIGTERM');
    expect((await program.ended()).code).toBe(0);
    for (const secret of secrets) expect(program.stdout).not.toContain(secret);
  },
);
