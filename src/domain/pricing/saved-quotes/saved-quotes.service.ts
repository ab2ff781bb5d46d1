import type { Tenant } from '../../../platform/database/tenancy/tenancy.ts';
import { Fault } from '../../../platform/fault.ts';
import { type NewSavedQuote, SavedQuoteEntity } from './saved-quotes.entity.ts';
import { type SavedQuoteRow, savedQuoteById } from './saved-quotes.repository.ts';

/** A stored quote. @throws Fault `saved_quote_not_found` */
export async function savedQuote(tenant: Tenant, id: number): Promise<SavedQuoteRow> {
  const found = await savedQuoteById(tenant, id);
  if (!found) throw new Fault('saved_quote_not_found');
  return found;
}

export function keepQuote(tenant: Tenant, quote: NewSavedQuote): Promise<SavedQuoteRow> {
  return tenant.transaction(async ({ em }) => em.create(SavedQuoteEntity, quote));
}
