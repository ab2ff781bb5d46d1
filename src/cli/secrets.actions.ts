import { resealCredentials } from '../domain/carriers/carriers.service.ts';
import { resealSecrets } from '../domain/webhooks/upkeep.service.ts';
import { openSecretBox, UnknownKey } from '../platform/secret-box.ts';
import { StartupError } from '../platform/startup-error.ts';
import { withDatabase } from './session.ts';

export function resealAll() {
  return withDatabase(async ({ config, database }) => {
    const box = await openSecretBox(config);
    try {
      const webhooks = await resealSecrets(database, box);
      const carriers = await resealCredentials(database, box);
      return { secrets: webhooks.secrets + carriers.secrets, resealed: webhooks.resealed + carriers.resealed };
    } catch (error) {
      if (!(error instanceof UnknownKey)) throw error;
      throw new StartupError(`${error.message}: add that key behind the first.`);
    }
  });
}
