import type { WrittenSheet } from '../../../../platform/tables/write-workbook.ts';
import { labelOf, ORDER_COLUMNS, type OrderColumn, type OrderField } from './order-columns.catalog.ts';

/** An empty table of orders with the columns that most people need. */

const FIELDS: readonly OrderField[] = [
  'orderNumber',
  'recipient.companyName',
  'recipient.address',
  'recipient.postalCode',
  'recipient.city',
  'recipient.province',
  'recipient.countryCode',
  'recipient.type',
  'recipient.email',
  'recipient.telephone',
  'parcel.weight',
  'parcel.size',
  'parcel.quantity',
  'codAmount',
  'insuranceAmount',
];
const RECIPIENT_TYPES = ['azienda', 'privato'];

export function orderTemplate(): WrittenSheet[] {
  const columns = FIELDS.map(field => {
    const { description }: OrderColumn = ORDER_COLUMNS[field];
    const options = field === 'recipient.type' ? RECIPIENT_TYPES : [];
    return { header: labelOf(field), description, options };
  });
  return [{ name: 'Ordini', columns, rows: [] }];
}
