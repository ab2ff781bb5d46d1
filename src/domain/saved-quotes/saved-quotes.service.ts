import type { Tenant } from '../../platform/database/tenancy/tenancy.ts';
import type { TenantTransaction } from '../../platform/database/tenancy/tenant-transaction.ts';
import { Fault } from '../../platform/fault.ts';
import { type NewSavedQuote, SavedQuoteEntity, type SavedQuoteRow } from './saved-quotes.entity.ts';
import { existingSavedQuotes, savedQuoteById } from './saved-quotes.repository.ts';

export type { SavedQuoteRow } from './saved-quotes.entity.ts';
export {
  countSavedQuotes,
  listSavedQuotes,
  quoteOfShipment,
  savedQuoteById,
} from './saved-quotes.repository.ts';

/** A stored quote. @throws Fault `saved_quote_not_found` */
export async function savedQuote(tenant: Tenant, id: number): Promise<SavedQuoteRow> {
  const found = await savedQuoteById(tenant, id);
  if (!found) throw new Fault('saved_quote_not_found');
  return found;
}

export function keepQuote(tenant: Tenant, quote: NewSavedQuote): Promise<SavedQuoteRow> {
  return tenant.transaction(async ({ em }) => em.create(SavedQuoteEntity, quote));
}

const NONE: ReadonlySet<number> = new Set();

/** The given quotes that the company has. Nothing is read without ids, as for most shipments. */
export async function existingQuotes(
  tx: TenantTransaction,
  ids: readonly (number | null | undefined)[],
): Promise<ReadonlySet<number>> {
  const named = [...new Set(ids.filter(id => id != null))];
  return named.length === 0 ? NONE : existingSavedQuotes(tx, named);
}
