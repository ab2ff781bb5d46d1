import { writeFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { newSecretsKey } from '../../src/platform/secrets/secret-box.ts';
import { basic, operators } from '../support/operators.ts';
import type { Processes } from './processes.ts';

/** Starts the service with its secrets in files, in one or several processes, and expects that each secret is in use. */
export async function startsWithSecretFiles(processes: Processes, databaseUrl: string, PROCESSES: string) {
  const folder = await processes.dataDir();
  const file = async (name: string, content: string) => {
    await writeFile(`${folder}-${name}`, content);
    return `${folder}-${name}`;
  };
  const [password, secretsKey] = ['a-password-of-operators', newSecretsKey()];
  const { program, url } = await processes.service({
    NODE_ENV: 'production',
    DATABASE_URL_FILE: await file('url', `${databaseUrl}\n`),
    SECRETS_KEY_FILE: await file('key', `${secretsKey}\r\n`),
    METRICS_TOKEN_FILE: await file('token', 'token-of-16-characters'),
    OPS_USERS_FILE: await file('users', `${operators({ anna: password, ben: 'another-password' })}\n`),
    PROCESSES,
  });
  const status = async (path: string, authorization: string) =>
    (await fetch(url + path, { headers: { authorization } })).status;
  expect(await status('/readyz', '')).toBe(200);
  expect(await status('/metrics', 'Bearer token-of-16-characters')).toBe(200);
  expect(await status('/metrics', 'Bearer another')).toBe(401);
  expect(await status('/ops', basic('anna', password).authorization)).toBe(200);
  await program.said(/"operator":"anna"/);
  program.kill('SIGTERM');
  expect((await program.ended()).code).toBe(0);
  for (const secret of [databaseUrl, secretsKey, password, operators({ anna: password })])
    expect(program.stdout).not.toContain(secret);
}
