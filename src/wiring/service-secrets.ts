import { join } from 'node:path';
import type { Config } from '../config.ts';
import { FEATURES } from '../features.ts';
import { commandName } from '../platform/command-name.ts';
import type { Database } from '../platform/database/database.ts';
import { type RegisteredKeys, registerKey, registerOnly } from '../platform/secrets/registered-keys.ts';
import { countUnreadable, type Resealed, reseal } from '../platform/secrets/reseal.ts';
import { openSecretBox, type SecretBox } from '../platform/secrets/secret-box.ts';
import { StartupError } from '../platform/startup-error.ts';

/** Everything encrypted in the database, by kind. */
const sealedRows = (database: Database) =>
  FEATURES.flatMap(({ secrets = [] }) => secrets).map(({ sealed }) => sealed(database));

/**
 * The secret box of the settings, for the secrets of a database.
 *
 * @throws StartupError if other processes have encrypted secrets with a key that the settings lack
 */
export async function openSecrets(database: Database, config: Config): Promise<SecretBox> {
  const box = await openSecretBox(config);
  await registerKey(database, box, async ({ registered, lacking }: RegisteredKeys) => {
    if (lacking.length > 0) throw wrongKey(config, `it lacks the key ${lacking.join(' and the key ')}`);
    if (registered.length === 0 && (await opensNothing(database, box)))
      throw wrongKey(config, 'it decrypts nothing there');
  });
  return box;
}

/** For a database whose keys no version has registered yet: whether all of its secrets have another key. */
async function opensNothing(database: Database, box: SecretBox): Promise<boolean> {
  const lasting = sealedRows(database).filter(({ areShortLived }) => !areShortLived);
  const counts = await Promise.all(lasting.map(rows => countUnreadable(box, rows)));
  return counts.some(({ secrets }) => secrets > 0) && counts.every(({ secrets, unreadable }) => secrets === unreadable);
}

function wrongKey({ secretsKey, dataDir }: Config, why: string): StartupError {
  const key = secretsKey === undefined ? `SECRETS_KEY is not set, and ${join(dataDir, 'secrets-key')}` : 'SECRETS_KEY';
  return new StartupError(
    `${key} is not the key of the secrets in the database: ${why}. Set SECRETS_KEY to the value that the other processes have; ` +
      `if a key is lost, run \`${commandName()} secrets rotate --leave-unreadable\`.`,
  );
}

/**
 * Encrypts every secret in the database with the first key of the settings; afterwards, processes start without the
 * others.
 *
 * @param leavesUnreadable whether secrets of a lost key stay unchanged
 * @throws UnknownKey if they do not
 */
export async function resealAll(database: Database, config: Config, leavesUnreadable: boolean): Promise<Resealed> {
  const box = await openSecretBox(config);
  const total = { secrets: 0, resealed: 0, unreadable: 0 };
  for (const rows of sealedRows(database)) {
    const kind = await reseal(box, rows, leavesUnreadable);
    total.secrets += kind.secrets;
    total.resealed += kind.resealed;
    total.unreadable += kind.unreadable;
  }
  await registerOnly(database, box);
  return total;
}
