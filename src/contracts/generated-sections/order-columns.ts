import type { MappedColumn } from '../../domain/common/tables/table-mapping.format.rules.ts';
import { ORDER_COLUMNS, ORDER_FIELDS, type OrderColumn } from '../../domain/orders/import/order-columns.catalog.ts';
import { ORDER_MAPPINGS } from '../../domain/orders/import/order-mappings.catalog.ts';
import { code, table } from './markdown.ts';

/** The columns of orders, and the exports of shops whose columns are known. */

export function orderColumns(): string {
  const rows = ORDER_FIELDS.map(field => {
    const { names, description }: OrderColumn = ORDER_COLUMNS[field];
    return [
      code(field),
      namesOf(names)
        .filter(name => name !== field)
        .join(', '),
      description,
    ];
  });
  return table(['Field', 'Also known as', 'What it holds'], rows);
}

export function orderExports(): string {
  const shops = Object.values(ORDER_MAPPINGS).filter(({ signature }) => signature.length > 0);
  return shops
    .map(({ name, about, columns, cashOnDelivery, skip }) => {
      const rows = Object.entries(columns).map(([field, of]) => [code(field), namesOf(of).join('; ')]);
      const cash = cashOnDelivery
        ? [
            [
              code('codAmount'),
              `${namesOf(cashOnDelivery.amount).join('; ')}, if ${namesOf(cashOnDelivery.payment).join('; ')} is cash on delivery`,
            ],
          ]
        : [];
      const states = [
        ['no order', namesIn(skip)],
        ['paid', namesIn(cashOnDelivery?.paid ?? [])],
      ].filter(([, names]) => names !== '');
      return `**${name}** – ${about}\n\n${table(['Field', 'Columns, of which the first that the file has counts'], [...rows, ...cash, ...states])}`;
    })
    .join('\n\n');
}

/** The columns that say what an order is, each by the first of its names. */
function namesIn(states: readonly { readonly column: MappedColumn }[]): string {
  const names = states.map(({ column }) => namesOf(column)[0]);
  return names.length === 0 ? '' : `by ${[...new Set(names)].join(', ')}`;
}

function namesOf(column: MappedColumn | undefined): string[] {
  return [column ?? []].flat().map(one => (typeof one === 'string' ? one : one.all.join(' + ')));
}
