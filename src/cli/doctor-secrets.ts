import type { Config } from '../config.ts';
import { FEATURES } from '../features.ts';
import { commandName } from '../platform/command-name.ts';
import type { Database } from '../platform/database/database.ts';
import { type RegisteredKeys, registeredKeys } from '../platform/secrets/registered-keys.ts';
import { countUnreadable } from '../platform/secrets/reseal.ts';
import { openSecretBox } from '../platform/secrets/secret-box.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

interface Counts {
  readonly secrets: number;
  readonly unreadable: number;
}

/** Checks that the configured keys open every stored secret. */
export async function examineSecrets(database: Database, config: Config): Promise<Finding[]> {
  const box = await openSecretBox(config);
  const findings = [registered(await registeredKeys(database, box))];
  for (const { what, sealed } of FEATURES.flatMap(({ secrets = [] }) => secrets)) {
    const rows = sealed(database);
    findings.push(finding(what, await countUnreadable(box, rows), rows.areShortLived ? FORGOTTEN : SET_ANEW));
  }
  return findings;
}

function registered({ registered, lacking }: RegisteredKeys): Finding {
  const keys = (ids: readonly string[]) => `${ids.length === 1 ? 'key' : 'keys'} ${ids.join(', ')}`;
  if (registered.length === 0) return ok('secrets', 'no process has registered a key yet');
  if (lacking.length === 0) return ok('secrets', `SECRETS_KEY has the registered ${keys(registered)}`);
  const found = `SECRETS_KEY lacks the registered ${keys(lacking)}, so no process starts`;
  const advice = `set SECRETS_KEY to the value that the other processes have; if a key is lost, run \`${commandName()} secrets rotate --leave-unreadable\``;
  return fail('secrets', found, advice);
}

const SET_ANEW = { level: fail, ifKeyIsLost: 'set new ones' };
const FORGOTTEN = {
  level: warn,
  ifKeyIsLost: 'they are deleted within a day, and until then a retry of such a request returns an error',
};

function finding(what: string, { secrets, unreadable }: Counts, { level, ifKeyIsLost }: typeof SET_ANEW): Finding {
  if (unreadable === 0) return ok('secrets', `all ${secrets} ${what} can be decrypted`);
  const found = `${unreadable} of ${secrets} ${what} cannot be decrypted`;
  const advice = `add the key that encrypted them to SECRETS_KEY, after the first; if it is lost, ${ifKeyIsLost}`;
  return level('secrets', found, advice);
}
