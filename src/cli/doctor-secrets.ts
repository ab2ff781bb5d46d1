import type { Config } from '../config.ts';
import { unreadableCredentials } from '../domain/carriers/carriers.service.ts';
import { unreadableSecrets } from '../domain/webhooks/upkeep.service.ts';
import type { Database } from '../platform/database.ts';
import { openSecretBox } from '../platform/secret-box.ts';
import { type Finding, fail, ok } from './finding.ts';

/** Whether the keys there are open every secret there is. */
export async function examineSecrets(database: Database, config: Config): Promise<Finding[]> {
  const box = await openSecretBox(config);
  return [
    finding("webhooks' secrets", await unreadableSecrets(database, box)),
    finding("carriers' credentials", await unreadableCredentials(database, box)),
  ];
}

function finding(what: string, { secrets, unreadable }: { secrets: number; unreadable: number }): Finding {
  if (unreadable === 0) return ok('secrets', `all ${secrets} ${what} can be opened`);
  const found = `${unreadable} of ${secrets} ${what} can't be opened`;
  const advice = 'add the key they were sealed with to SECRETS_KEY, behind the first; if it is lost, set them anew';
  return fail('secrets', found, advice);
}
