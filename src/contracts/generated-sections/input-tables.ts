import { z } from 'zod';
import type { MappedColumn } from '../../domain/common/tables/table-mapping.format.rules.ts';
import {
  ORDER_COLUMNS,
  ORDER_FIELDS,
  type OrderColumn,
} from '../../domain/shipping/orders/import/order-columns.catalog.ts';
import { ORDER_MAPPINGS } from '../../domain/shipping/orders/import/order-mappings.catalog.ts';
import { orderInput } from '../../domain/shipping/orders/orders.input.ts';
import { trackingEventInput } from '../../domain/shipping/tracking/events.input.ts';
import { shipmentInput } from '../../domain/shipping/tracking/shipments.input.ts';
import type { InputSchema } from '../../platform/input.ts';
import { code, count, table } from './markdown.ts';

// Tables of what callers send: the columns of orders, the exports of shops whose columns are known, and the fields of inputs.

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

export const orderFields = () => fieldsTable(orderInput);
export const shipmentFields = () => fieldsTable(shipmentInput);
export const eventFields = () => fieldsTable(trackingEventInput);

/** A field as the input's JSON Schema states it. */
interface Field {
  readonly $ref?: string;
  readonly anyOf?: readonly Field[];
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly fileName?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Field>>;
  readonly required?: readonly string[];
  readonly items?: Field;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly $defs?: Readonly<Record<string, Field>>;
}

/** The bound of an identifier's type, which is not worth showing. */
const MAX_INT32 = 2_147_483_647;

/** The fields of an input. A field of a nested object has the object's name as a prefix, as columns of a CSV have. */
function fieldsTable(schema: InputSchema): string {
  const document = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Field;
  return table(['Field', 'Required', 'Value', 'What for'], rowsOf(document, '', 'yes', document.$defs ?? {}));
}

/** @param needed the text for a field that its object requires */
function rowsOf(object: Field, prefix: string, needed: string, defs: NonNullable<Field['$defs']>): string[][] {
  const { properties = {}, required = [] } = resolved(object, defs);
  return Object.entries(properties).flatMap(([name, property]) => {
    const field = resolved(property, defs);
    const isRequired = required.includes(name);
    const inFiles = property.fileName === undefined ? '' : ` In files: ${code(property.fileName)}.`;
    const row = [
      code(prefix + name),
      isRequired ? needed : 'no',
      allowed(field),
      `${property.description ?? ''}${inFiles}`,
    ];
    const inner = field.items ?? field;
    const path = `${prefix}${name}${field.items ? '[]' : ''}`;
    return [row, ...rowsOf(inner, `${path}.`, isRequired || field.items ? 'yes' : `with ${code(path)}`, defs)];
  });
}

/** A field with its reference resolved, even if it may be null. */
function resolved(field: Field, defs: NonNullable<Field['$defs']>): Field {
  const { $ref, anyOf = [], ...own } = field;
  const referred = $ref === undefined ? undefined : defs[$ref.replace('#/$defs/', '')];
  const parts = [referred, ...anyOf.filter(({ type }) => type !== 'null')].filter(part => part !== undefined);
  return Object.assign({}, ...parts.map(part => resolved(part, defs)), own);
}

function allowed({ format, enum: values, minimum, exclusiveMinimum, maximum, ...field }: Field): string {
  const type = [field.type].flat()[0];
  const most = maximum?.toLocaleString('en', { maximumFractionDigits: 3 });
  if (values) return 'one of a list';
  if (type === 'object') return 'object';
  if (type === 'array') return `list, at most ${count(field.maxItems ?? 0)}`;
  if (format === 'date-time') return 'date-time with an offset';
  if (format === 'uri') return `URL, at most ${count(field.maxLength ?? 0)} characters`;
  if (type === 'string')
    return field.maxLength === undefined ? 'text' : `text, at most ${count(field.maxLength)} characters`;
  const kind = type === 'number' ? 'decimal' : 'whole number';
  if (maximum === undefined || maximum === MAX_INT32) return kind;
  return exclusiveMinimum === undefined
    ? `${kind}, ${count(minimum ?? 0)} to ${most}`
    : `${kind}, above ${count(exclusiveMinimum)}, at most ${most}`;
}
