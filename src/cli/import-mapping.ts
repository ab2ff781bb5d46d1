import { InvalidArgumentError } from 'commander';
import {
  type MappedOrders,
  mapOrders,
  type OrderMapping,
  orderMappingNamed,
  readOrderMapping,
  type UsedColumn,
} from '../domain/orders/import/order-import.service.ts';
import { readJson, writeText } from './files.ts';
import type { OpenedRows } from './import-rows.ts';
import { tableOf } from './table.ts';
import { readTableFile } from './table-files.ts';

/** The mapping of a file of orders: found, shown, and written for a change by hand. */

export interface MappingOptions {
  readonly mapping?: Parameters<typeof orderMappingNamed>[0];
  readonly mappingFile?: string;
  readonly locale?: 'it' | 'en-GB' | 'en-US';
  readonly sheet?: string;
  readonly warehouse?: number;
}

/** @throws RejectedFile if the table has not the columns of orders */
async function mappedTable(file: string, options: MappingOptions): Promise<MappedOrders> {
  const { locale, sheet, warehouse: warehouseId } = options;
  const mapping = await chosenMapping(options);
  const read = await readTableFile(file);
  return read.within(() =>
    mapOrders({
      table: read.value,
      ...(mapping && { mapping }),
      ...(locale && { locale }),
      ...(sheet !== undefined && { sheet }),
      ...(warehouseId !== undefined && { warehouseId }),
    }),
  );
}

async function chosenMapping({ mapping, mappingFile }: MappingOptions): Promise<OrderMapping | undefined> {
  if (mapping !== undefined && mappingFile !== undefined)
    throw new InvalidArgumentError('--mapping and --mapping-file exclude each other.');
  if (mappingFile === undefined) return mapping === undefined ? undefined : orderMappingNamed(mapping);
  const source = await readJson(mappingFile);
  return source.within(() => readOrderMapping(source.value));
}

/** The orders of a file, after its mapping was printed. */
export async function mappedOrderFile(file: string, options: MappingOptions): Promise<OpenedRows> {
  const mapped = await mappedTable(file, options);
  process.stderr.write(`${await inWords(answerOf(mapped))}\n`);
  let count = 0;
  for (const _ of mapped.orders()) count++;
  let read = 0;
  return {
    rows: function* () {
      read = 0;
      for (const order of mapped.orders()) {
        read++;
        yield order;
      }
    },
    share: () => (count === 0 ? undefined : read / count),
  };
}

export interface MappingAnswer {
  readonly mapping: OrderMapping;
  readonly sheet: string | null;
  readonly headerRow: number;
  readonly used: readonly UsedColumn[];
  readonly ignored: MappedOrders['ignored'];
}

/** Shows how a file of orders is read, and writes the mapping with the columns of the file. */
export async function mapFile(file: string, { out, ...options }: MappingOptions & { readonly out?: string }) {
  const answer = answerOf(await mappedTable(file, options));
  if (out !== undefined) await writeText(out, `${JSON.stringify(answer.mapping, null, 2)}\n`);
  return answer;
}

/** The mapping with the columns that the file has, in place of all names that would do. */
function answerOf({ mapping, sheet, headerRow, used, ignored }: MappedOrders): MappingAnswer {
  const columns: Record<string, unknown> = {};
  for (const [field, column] of Object.entries(mapping.columns)) {
    const headers = used.filter(one => one.field === field).map(({ header }) => header);
    const joined = [column].flat().find(one => typeof one === 'object');
    if (headers.length === 1) columns[field] = headers[0];
    else if (headers.length > 1) columns[field] = { all: headers, by: joined?.by ?? ' ' };
  }
  return { mapping: { ...mapping, columns: columns as OrderMapping['columns'] }, sheet, headerRow, used, ignored };
}

export async function inWords({ mapping, sheet, headerRow, used, ignored }: MappingAnswer): Promise<string> {
  const where = `${sheet === null ? '' : `sheet ${sheet}, `}header in row ${headerRow}`;
  const columns = await tableOf(used, {});
  const names = ignored.map(({ header }) => header).join(', ');
  return [
    `Mapping ${mapping.name}, ${where}:`,
    columns,
    ...(names === '' ? [] : [`Columns that are not read: ${names}`]),
  ].join('\n');
}
