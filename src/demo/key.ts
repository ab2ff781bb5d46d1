import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AccessAdministration } from '../domain/access/access.service.ts';
import { openDataFolder } from '../platform/data-folder.ts';
import type { Database } from '../platform/database/database.ts';
import type { CompanyId } from '../platform/database/tenancy/company-id.ts';

/**
 * A valid key of a sandbox. The database holds only hashes, so the key itself is stored in the data folder, readable by
 * its owner alone; a missing, revoked or foreign key is replaced by a new one.
 */
export async function workingKey(database: Database, companyId: CompanyId, dataDir: string): Promise<string> {
  const administration = new AccessAdministration(database);
  const file = join(dataDir, 'demo-key');
  const kept = (await readFile(file, 'utf8').catch(() => '')).trim();
  if ((await administration.companyOfKey(kept)) === companyId) return kept;
  const { apiKey } = await administration.createKey({
    companyId,
    label: 'Demo',
    scopes: ['all'],
  });
  await openDataFolder(dataDir);
  await writeFile(file, `${apiKey}\n`, { mode: 0o600 });
  return apiKey;
}
