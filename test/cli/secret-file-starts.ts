import { expect } from 'vitest';
import { newSecretsKey } from '../../src/platform/secrets/secret-box.ts';
import { basic, operators } from '../support/operators.ts';

// The start of a service whose secrets are in files.

const [TOKEN, PASSWORD] = ['token-of-16-characters', 'a-password-of-operators'];

/** Settings with a file for each secret, which `file` writes, and the secrets that no log may show. */
export async function settingsWithSecretFiles(databaseUrl: string, file: (content: string) => Promise<string>) {
  const secretsKey = newSecretsKey();
  return {
    settings: {
      NODE_ENV: 'production',
      DATABASE_URL_FILE: await file(`${databaseUrl}\n`),
      SECRETS_KEY_FILE: await file(`${secretsKey}\r\n`),
      METRICS_TOKEN_FILE: await file(TOKEN),
      OPS_USERS_FILE: await file(`${operators({ anna: PASSWORD, ben: 'another-password' })}\n`),
    },
    secrets: [databaseUrl, secretsKey, PASSWORD, operators({ anna: PASSWORD })],
  };
}

/** Expects that the service at the URL uses each secret of those settings. */
export async function expectSecretsInUse(url: string): Promise<void> {
  const status = async (path: string, authorization: string) =>
    (await fetch(url + path, { headers: { authorization } })).status;
  expect(await status('/readyz', '')).toBe(200);
  expect(await status('/metrics', `Bearer ${TOKEN}`)).toBe(200);
  expect(await status('/metrics', 'Bearer another')).toBe(401);
  expect(await status('/ops', basic('anna', PASSWORD).authorization)).toBe(200);
}
