import { readdir, readFile } from 'node:fs/promises';
import type { WrittenSheet } from '../../../../platform/tables/write-workbook.ts';
import { readTariff } from '../check/tariff.check.rules.ts';
import type { Tariff } from '../format/tariff.format.rules.ts';
import { workbookSheets } from './write-workbook.rules.ts';

/** Example price lists to begin a tariff with. */

const EXAMPLES = new URL('../../../../../schema/examples/tariffs/', import.meta.url);

/** The examples by their names, such as `brt-like`. */
export async function exampleTariffs(): Promise<ReadonlyMap<string, Tariff>> {
  const names = (await readdir(EXAMPLES)).filter(name => name.endsWith('.json')).sort();
  const read = async (name: string) =>
    [name.slice(0, -'.json'.length), readTariff(JSON.parse(await readFile(new URL(name, EXAMPLES), 'utf8')))] as const;
  return new Map(await Promise.all(names.map(read)));
}

/** The sheets of a tariff, with the columns that the examples have as well. */
export function sheetsBeside(examples: ReadonlyMap<string, Tariff>, tariff: Tariff): WrittenSheet[] {
  return workbookSheets(tariff, [...examples.values()]);
}
