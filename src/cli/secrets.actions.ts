import { resealCredentials } from '../domain/carriers/carriers.service.ts';
import { resealSecrets } from '../domain/webhooks/secrets/webhook-secrets.service.ts';
import { resealRequests } from '../platform/idempotency.ts';
import { openSecretBox, UnknownKey } from '../platform/secrets/secret-box.ts';
import { StartupError } from '../platform/startup-error.ts';
import { withDatabase } from './session.ts';

export function resealAll() {
  return withDatabase(async ({ config, database }) => {
    const box = await openSecretBox(config);
    try {
      let [secrets, resealed] = [0, 0];
      for (const resealKind of [resealSecrets, resealCredentials, resealRequests]) {
        const kind = await resealKind(database, box);
        secrets += kind.secrets;
        resealed += kind.resealed;
      }
      return { secrets, resealed };
    } catch (error) {
      if (!(error instanceof UnknownKey)) throw error;
      throw new StartupError(`${error.message}: add that key behind the first.`);
    }
  });
}
