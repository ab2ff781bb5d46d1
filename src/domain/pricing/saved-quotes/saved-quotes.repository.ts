import type { InferEntity } from '@mikro-orm/core';
import { rowLoader } from '../../../platform/database/gather/loader.ts';
import { type IdPage, MAX_COUNT } from '../../../platform/database/lists/page.ts';
import { companyStatement } from '../../../platform/database/statements/statements.ts';
import type { Reader, Tenant } from '../../../platform/database/tenancy/tenancy.ts';
import type { SavedQuoteEntity } from './saved-quotes.entity.ts';

/** The columns of a quote that are read, without the input for pricing. `tariffRevisionId` is null if it is unknown. */
export type SavedQuoteRow = Pick<
  InferEntity<typeof SavedQuoteEntity>,
  'id' | 'carrierConnectionId' | 'tariffRevisionId' | 'orderId' | 'request' | 'price' | 'createdAt'
>;

const COLUMNS = `q.id, q.carrier_connection_id as "carrierConnectionId", q.tariff_revision_id as "tariffRevisionId",
  q.order_id as "orderId", q.request, q.price, q.created_at as "createdAt"`;

const BY_ID = rowLoader<[id: number], SavedQuoteRow>({
  name: 'saved-quote-by-id',
  key: { id: 'integer' },
  text: `select ${COLUMNS} from saved_quote q where q.company_id = each.company_id and q.id = each.id`,
});
const OF_SHIPMENT = rowLoader<[shipmentId: number], SavedQuoteRow>({
  name: 'quote-of-shipment',
  key: { id: 'integer' },
  text: `select ${COLUMNS} from shipment s join saved_quote q on q.company_id = s.company_id and q.id = s.quote_id
    where s.company_id = each.company_id and s.id = each.id`,
});
export function savedQuoteById(reader: Reader, id: number): Promise<SavedQuoteRow | undefined> {
  return reader.load(BY_ID, id);
}

export function quoteOfShipment(reader: Reader, shipmentId: number): Promise<SavedQuoteRow | undefined> {
  return reader.load(OF_SHIPMENT, shipmentId);
}

const LIST = (direction: 'asc' | 'desc') =>
  companyStatement(
    `saved-quotes-${direction}`,
    `select ${COLUMNS} from saved_quote q where q.company_id = $1 and ($2::bigint is null or q.id < $2)
      and ($3::bigint is null or q.id > $3) order by q.id ${direction} limit $4`,
  );
const NEWEST = LIST('desc');
const OLDEST = LIST('asc');
const COUNT = companyStatement(
  'count-saved-quotes',
  `select count(*)::integer as count from (select from saved_quote where company_id = $1 limit ${MAX_COUNT}) q`,
);

/** A page by ids, newest first, or oldest first if it is inverted. */
export function listSavedQuotes(tenant: Tenant, { before, after, limit, inverted }: IdPage): Promise<SavedQuoteRow[]> {
  // In the order newest first, the next rows have lower ids.
  return tenant.rows<SavedQuoteRow>(inverted ? OLDEST : NEWEST, after, before, limit);
}

export async function countSavedQuotes(tenant: Tenant): Promise<number> {
  const [row] = await tenant.rows<{ count: number }>(COUNT);
  return row?.count ?? 0;
}
