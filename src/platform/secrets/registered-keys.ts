import type { Database } from '../database/database.ts';
import { serviceStatement } from '../database/statements/statements.ts';
import type { SecretBox } from './secret-box.ts';

// The keys with which something in the database may be encrypted. A process registers its first key when it starts, and
// does not start without all registered keys. The table has the ids of keys, which every box has in clear too: the
// first bytes of the SHA-256 of 32 random bytes, which do not help to guess the key.

const REGISTERED = serviceStatement('registered-keys', `select encode(id, 'hex') as id from secrets_key order by 1`);
const REGISTER = serviceStatement('register-key', 'insert into secrets_key (id) values ($1) on conflict do nothing');
const UNREGISTER_OTHERS = serviceStatement('unregister-other-keys', 'delete from secrets_key where id <> $1');

const LOCK = 'secrets-keys';

export interface RegisteredKeys {
  readonly registered: readonly string[];
  /** The registered ids that the box does not have. */
  readonly lacking: readonly string[];
}

export async function registeredKeys(database: Database, box: SecretBox): Promise<RegisteredKeys> {
  const rows = await database.rows<{ id: string }>(REGISTERED, []);
  const registered = rows.map(({ id }) => id);
  return { registered, lacking: registered.filter(id => !box.keyIds.includes(id)) };
}

/**
 * Registers the first key of the box.
 *
 * @param check throws if the service must not use the box; of processes that start with different keys, one passes
 */
export async function registerKey(
  database: Database,
  box: SecretBox,
  check: (keys: RegisteredKeys) => Promise<void>,
): Promise<void> {
  const keys = await registeredKeys(database, box);
  if (keys.lacking.length === 0 && keys.registered.includes(box.keyIds[0])) return;
  await database.locked(LOCK, async () => {
    await check(await registeredKeys(database, box));
    await database.rows(REGISTER, [firstId(box)]);
  });
}

/** Registers only the first key of the box, so that processes start without the others. */
export async function registerOnly(database: Database, box: SecretBox): Promise<void> {
  // A process that starts meanwhile finds the earlier keys or the later ones, and registers none in between.
  await database.locked(LOCK, async () => {
    await database.rows(REGISTER, [firstId(box)]);
    await database.rows(UNREGISTER_OTHERS, [firstId(box)]);
  });
}

const firstId = (box: SecretBox) => Buffer.from(box.keyIds[0], 'hex');
