import type { WrittenCell, WrittenColumn, WrittenSheet } from '../../../../platform/tables/write-workbook.ts';
import type { Tariff, TariffVersion } from '../format/tariff.format.rules.ts';
import { partOf } from './form-tree.rules.ts';
import { PRICE_COLUMNS, PRICE_SHEET, PRICED, priceRows } from './price-sheet.rules.ts';
import { type Column, columnsOf } from './workbook-columns.rules.ts';
import { leadingOf, NOTES, PART_SHEETS, type SheetOfPart, VERSION, ZONE } from './workbook-sheets.rules.ts';
import { rowsOf } from './write-rows.rules.ts';

/** Writes a tariff as the sheets of a workbook. */

type Row = ReadonlyMap<string, WrittenCell>;
const YES_OR_NO = ['yes', 'no'];

/**
 * The sheets of a tariff, and a last one that lists every column that may be added.
 *
 * @param examples tariffs whose columns stand in the workbook as well, to be filled in
 */
export function workbookSheets(tariff: Tariff, examples: readonly Tariff[]): WrittenSheet[] {
  const all = [tariff, ...examples];
  const ofParts = PART_SHEETS.map(sheet =>
    partSheet(
      sheet,
      all.map(one => rowsOfPart(sheet, one)),
    ),
  );
  // A sheet that neither the tariff nor an example uses would be an empty one.
  const used = ofParts.filter(({ columns }, i) => columns.length > leadingOf(PART_SHEETS[i] as SheetOfPart).length);
  const afterZones = used.findIndex(({ name }) => name === 'Zones') + 1;
  return [...used.toSpliced(afterZones, 0, priceSheet(tariff)), columnSheet()];
}

/** A sheet with all columns that one of several tariffs has, and the rows of the first. */
function partSheet(sheet: SheetOfPart, rowsOfEach: readonly (readonly Row[])[]): WrittenSheet {
  const before = leadingOf(sheet);
  const used = new Set(rowsOfEach.flatMap(rows => rows.flatMap(row => [...row.keys()])));
  const columns = columnsOfSheet(sheet).filter(({ path }) => used.has(path));
  const paths = [...before, ...columns.map(({ path }) => path)];
  const rows = (rowsOfEach[0] ?? []).map(row => paths.map(path => row.get(path)));
  return { name: sheet.name, columns: [...before.map(leadingColumn), ...columns.map(written)], rows };
}

/** The columns that a sheet can have, without the version and the zone. */
export function columnsOfSheet({ path, skipped = [] }: SheetOfPart): Column[] {
  return columnsOf(partOf(path), new Set(skipped));
}

function rowsOfPart(sheet: SheetOfPart, tariff: Tariff): Row[] {
  const part = partOf(sheet.path);
  return objectsAt(tariff, sheet.path).flatMap(({ object, before }) => {
    const [first = new Map(), ...more] = rowsOf(part, object, new Set(sheet.skipped));
    return [new Map([...before, ...first]), ...more];
  });
}

interface FoundObject {
  readonly object: object;
  /** The version, and the zone of pallet prices. */
  readonly before: readonly (readonly [string, WrittenCell])[];
}

function objectsAt(tariff: Tariff, [root, name, below]: readonly string[]): FoundObject[] {
  if (root === undefined) return [{ object: tariff, before: [] }];
  return tariff.versions.flatMap((version): FoundObject[] => {
    if (name === undefined) return [{ object: version, before: [] }];
    const ofVersion = [VERSION, { day: version.validFrom }] as const;
    if (below !== undefined) {
      return version.zones.flatMap(({ code, pallets }) =>
        pallets.map(object => ({ object, before: [ofVersion, [ZONE, code] as const] })),
      );
    }
    const value = version[name as keyof TariffVersion] as object | readonly object[] | undefined;
    const objects = value === undefined ? [] : Array.isArray(value) ? (value as readonly object[]) : [value];
    return objects.map(object => ({ object, before: [ofVersion] }));
  });
}

function priceSheet({ versions }: Tariff): WrittenSheet {
  const zones = [...new Set(versions.flatMap(version => version.zones.map(({ code }) => code)))];
  const rows = versions.flatMap(version =>
    priceRows(version).map(([cells, prices]) => [
      { day: version.validFrom },
      ...cells,
      ...zones.map(zone => prices.get(zone)),
    ]),
  );
  const before = Object.entries(PRICE_COLUMNS).map(([header, description]) => ({
    header,
    description,
    options: header === 'what' ? PRICED : [],
  }));
  const ofZones = zones.map(header => ({ header, description: 'EUR before VAT.', options: [] }));
  return { name: PRICE_SHEET, columns: [...before, ...ofZones], rows };
}

function leadingColumn(header: string): WrittenColumn {
  const description = header === VERSION ? PRICE_COLUMNS.version : 'The code of the zone.';
  return { header, description, options: [] };
}

/** Every column that a sheet may have. */
function columnSheet(): WrittenSheet {
  const [name] = NOTES;
  const heading = (header: string, width: number) => ({ header, description: '', options: [], width });
  const rows = PART_SHEETS.flatMap(sheet =>
    columnsOfSheet(sheet).map(column => {
      const { header, description, options } = written(column);
      return [
        sheet.name,
        header,
        options.length > 0 && column.leaf !== undefined
          ? `${description} One of ${options.join(', ')}.`.trim()
          : description,
      ];
    }),
  );
  return { name, columns: [heading('sheet', 16), heading('column', 40), heading('what it holds', 120)], rows };
}

function written({ header, leaf, holds }: Column): WrittenColumn {
  if (holds === 'number')
    return {
      header,
      description: 'Numbers the entries of a list: 1, 2 and on, each in a row of its own.',
      options: [],
    };
  if (leaf === undefined)
    return { header, description: 'Only "nothing", where it is stated without any content.', options: ['nothing'] };
  const { kind, description, options } = leaf;
  const isYesOrNo = kind === 'yes' || kind === 'boolean';
  const more =
    kind === 'list'
      ? ' Several, with ; between them.'
      : kind === 'range'
        ? ' A range, such as > 30 or >= 10 <= 50.'
        : '';
  const allowed = kind === 'list' && options.length > 0 ? ` One of ${options.join(', ')}.` : '';
  return {
    header,
    description: `${description}${more}${allowed}`.trim(),
    options: isYesOrNo ? YES_OR_NO : kind === 'choice' ? options : [],
  };
}
