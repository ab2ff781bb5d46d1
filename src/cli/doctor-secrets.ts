import type { Config } from '../config.ts';
import { unreadableCredentials } from '../domain/carriers/carriers.service.ts';
import { unreadableSecrets } from '../domain/webhooks/secrets/webhook-secrets.service.ts';
import type { Database } from '../platform/database/database.ts';
import { unreadableRequests } from '../platform/idempotency.ts';
import { openSecretBox } from '../platform/secrets/secret-box.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

interface Counts {
  readonly secrets: number;
  readonly unreadable: number;
}

/** Whether the keys there are open every secret there is. */
export async function examineSecrets(database: Database, config: Config): Promise<Finding[]> {
  const box = await openSecretBox(config);
  return [
    finding('secrets of webhooks', await unreadableSecrets(database, box), SET_ANEW),
    finding('credentials of carriers', await unreadableCredentials(database, box), SET_ANEW),
    finding('requests and responses kept for an Idempotency-Key', await unreadableRequests(database, box), FORGOTTEN),
  ];
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
