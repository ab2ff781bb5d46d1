import { InvalidArgumentError } from 'commander';
import { ImportRemarks } from '../domain/common/tables/import-remarks.rules.ts';
import {
  type MappedOrders,
  mapOrders,
  type OrderMapping,
  orderMappingNamed,
  readOrderMapping,
} from '../domain/shipping/orders/import/order-table.service.ts';
import { readJson, writeText } from './files.ts';
import { sayRemarks } from './import-report.ts';
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
    throw new InvalidArgumentError('Use --mapping or --mapping-file, not both.');
  if (mappingFile === undefined) return mapping === undefined ? undefined : orderMappingNamed(mapping);
  const source = await readJson(mappingFile);
  return source.within(() => readOrderMapping(source.value));
}

/** The orders of a file, after its mapping was printed. */
export async function mappedOrderFile(file: string, options: MappingOptions): Promise<OpenedRows> {
  const mapped = await mappedTable(file, options);
  process.stderr.write(`${await inWords(answerOf(mapped))}\n`);
  let count = 0;
  const seen = new ImportRemarks(mapped.remarks);
  for (const order of mapped.orders()) {
    seen.add(order);
    count++;
  }
  sayRemarks(seen.leftOut, seen.remarks, 'an order');
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

interface MappingAnswer {
  readonly mapping: OrderMapping;
  readonly sheet: string | null;
  readonly headerRow: number;
  readonly used: readonly AnsweredColumn[];
  readonly ignored: readonly AnsweredColumn[];
}

interface AnsweredColumn {
  readonly field?: string;
  readonly column: string;
  readonly header: string;
  /** The first value below the header. */
  readonly example: string;
}

/** Shows how a file of orders is read, and writes the mapping with the columns of the file. */
export async function mapFile(file: string, { out, ...options }: MappingOptions & { readonly out?: string }) {
  const answer = answerOf(await mappedTable(file, options));
  if (out !== undefined) await writeText(out, `${JSON.stringify(answer.mapping, null, 2)}\n`);
  return answer;
}

function answerOf({ mapping, sheet, headerRow, columns }: MappedOrders): MappingAnswer {
  const all = columns.map(({ examples: [example = ''], ...column }) => ({ ...column, example }));
  const [used, ignored] = [
    all.filter(({ field }) => field !== undefined),
    all.filter(({ field }) => field === undefined),
  ];
  return { mapping, sheet, headerRow, used, ignored };
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
