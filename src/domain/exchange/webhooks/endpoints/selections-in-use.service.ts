import type { Database } from '../../../../platform/database/database.ts';
import { issuesOfSelection } from '../events/event.payload.ts';
import { allSelections } from './endpoints.repository.ts';

/** Counts endpoints with a selection over all companies, and those whose selection is no longer valid. */
export async function unusableSelections(
  database: Database,
): Promise<{ selections: number; unusable: readonly { companyId: string; id: string; reason: string }[] }> {
  const selections = await allSelections(database);
  const checked = await Promise.all(
    selections.map(async ({ companyId, id, selection }) => {
      const [issue] = await issuesOfSelection(selection, { isStored: true });
      return issue ? [{ companyId, id, reason: issue.message }] : [];
    }),
  );
  return { selections: selections.length, unusable: checked.flat() };
}
