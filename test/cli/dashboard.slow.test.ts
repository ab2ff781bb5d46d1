import { expect, test } from 'vitest';
import { useWorld } from '../support/world.ts';
import { useProcesses } from './processes.ts';

const PASSWORD = 'password-of-the-operators';
const processes = useProcesses();
const world = useWorld({ OPS_PASSWORD: PASSWORD });

test('dashboard prints no password that is set', async () => {
  const env = { DATABASE_URL: world.databaseUrl, OPS_PASSWORD: PASSWORD };
  const program = processes.startCli(['dashboard', '--port', '0'], env);
  const [, url = ''] = await program.said(/at (\S+) until Ctrl-C/);
  expect(program.stdout).not.toContain(PASSWORD);
  const authorization = `Basic ${Buffer.from(`ops:${PASSWORD}`).toString('base64')}`;
  expect((await fetch(url, { headers: { authorization } })).status).toBe(200);
  program.kill('SIGINT');
  expect((await program.ended()).code).toBe(0);
});
