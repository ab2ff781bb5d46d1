import { DEMO_COMPANY_ID, prepareDemo } from '../demo/company.ts';
import { openSecretBox } from '../platform/secrets/secret-box.ts';
import { progress } from './progress.ts';
import { withJobs } from './session.ts';

/** Sets up an embedded database that is still empty, as `company create` does. */
export function growDemo({ shipments }: { shipments?: number }) {
  return withJobs(
    async ({ config, database, announcer }) => {
      const tools = { database, announcer, box: await openSecretBox(config), caps: config.caps };
      const { apiKey, added } = await prepareDemo(tools, config.dataDir, shipments, count =>
        progress(`${count} shipments`),
      );
      return { companyId: DEMO_COMPANY_ID, apiKey, added };
    },
    { setsUpEmpty: true },
  );
}
