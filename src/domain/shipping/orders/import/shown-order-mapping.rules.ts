import {
  type ChosenColumn,
  chosenColumn,
  type MappingField,
  type ShownColumn,
} from '../../../common/tables/shown-mapping.rules.ts';
import { CASH_WORDS } from './cash-on-delivery.rules.ts';
import {
  CASH_AMOUNT,
  CASH_PAYMENT,
  labelOf,
  ORDER_COLUMNS,
  ORDER_FIELDS,
  type OrderColumn,
} from './order-columns.catalog.ts';
import type { OrderMapping } from './order-mapping.format.rules.ts';

/** The fields that columns of orders can be chosen for, and the mapping of such a choice. */

const METADATA = 'metadata.';

export function isOrderField(field: string): boolean {
  return [...ORDER_FIELDS, CASH_PAYMENT, CASH_AMOUNT].includes(field) || field.startsWith(METADATA);
}

/** The fields that are offered, and the keys of metadata that the columns have. */
export function orderFieldsFor(columns: readonly ShownColumn[]): MappingField[] {
  const keys = new Set(columns.flatMap(({ field }) => (field?.startsWith(METADATA) ? [field] : [])));
  return [
    ...ORDER_FIELDS.map(name => {
      const { description }: OrderColumn = ORDER_COLUMNS[name];
      return { name, label: labelOf(name), description };
    }),
    {
      name: CASH_PAYMENT,
      label: 'Pagamento (contrassegno)',
      description: 'How the order is paid: the amount beside it is cash on delivery if this says so.',
    },
    {
      name: CASH_AMOUNT,
      label: 'Totale (contrassegno)',
      description: 'The total, which the carrier collects if the payment is cash on delivery.',
    },
    ...[...keys].map(name => ({ name, label: name, description: 'A value of your own, by its key.' })),
  ];
}

/** A mapping with the columns that were chosen, in place of all names that would do. It is not checked yet. */
export function withOrderColumns(mapping: OrderMapping, chosen: readonly ChosenColumn[]): object {
  const columns: Record<string, unknown> = {};
  for (const field of ORDER_FIELDS) {
    const column = chosenColumn(chosen, field, mapping.columns[field]);
    if (column !== undefined) columns[field] = column;
  }
  const keys = chosen.filter(({ field, header }) => field.startsWith(METADATA) && field !== header);
  const metadata = keys.map(({ field }) => [
    field.slice(METADATA.length),
    chosenColumn(chosen, field, mapping.metadata[field.slice(METADATA.length)]),
  ]);
  const payment = chosenColumn(chosen, CASH_PAYMENT, mapping.cashOnDelivery?.payment);
  const amount = chosenColumn(chosen, CASH_AMOUNT, mapping.cashOnDelivery?.amount);
  const { cashOnDelivery = { words: CASH_WORDS, paid: [] }, ...others } = mapping;
  // Without an amount, an order with cash on delivery is a problem, and not one without.
  const cash = payment !== undefined && { cashOnDelivery: { ...cashOnDelivery, payment, amount } };
  return { ...others, columns, metadata: Object.fromEntries(metadata), ...cash };
}
