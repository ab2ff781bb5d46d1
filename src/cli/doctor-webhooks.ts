import { unusableSelections } from '../domain/webhooks/endpoints/selections-in-use.service.ts';
import type { Database } from '../platform/database/database.ts';
import { type Finding, ok, warn } from './finding.ts';

/** Checks the selections of webhook endpoints, because an upgrade may change what can be selected. */
export async function examineSelections(database: Database): Promise<Finding[]> {
  const { selections, unusable } = await unusableSelections(database);
  if (unusable.length === 0) return [ok('webhooks', `all ${selections} selections of endpoints can be used`)];
  const advice = 'correct it with `webhook update --selection`; until then its payloads have errors in place of data';
  return unusable.map(({ companyId, id, reason }) =>
    warn('webhooks', `the selection of endpoint ${id} of company ${companyId} ${reason}`, advice),
  );
}
