import { Fault } from '../platform/fault.ts';
import type { FileKind } from './command-row.ts';
import { placeInTable, type ReadFile, readBytes, readFrom, readJson, readWords } from './files.ts';
import { isTable, readRows, readTableFile } from './table-files.ts';

/** Files that are values of variables: how each kind is read, and where an error of the graph lies in it. */
const READERS: Readonly<Record<FileKind, (file: string) => Promise<ReadFile<unknown>>>> = {
  text: async file => readFrom(file, await readWords(file), () => ''),
  json: readJson,
  base64: async file => readFrom(file, (await readBytes(file)).toString('base64'), placeInTable),
  tariff: async file => (isTable(file) ? workbookTariff(file) : readJson(file)),
  places: async file => (isTable(file) ? tableOfPlaces(file) : readJson(file)),
  rates: async file => (isTable(file) ? tableOfRates(file) : readJson(file)),
};

/** `-` is standard input. @throws RejectedFile */
export function readVariableFile(kind: FileKind, file: string): Promise<ReadFile<unknown>> {
  return READERS[kind](file);
}

async function workbookTariff(file: string): Promise<ReadFile<unknown>> {
  const { tariffInWorkbook } = await import('../domain/pricing/tariffs/tariff.service.ts');
  const table = await readTableFile(file);
  return { ...table, value: table.within(() => tariffInWorkbook(table.value)) };
}

async function tableOfRates(file: string): Promise<ReadFile<unknown>> {
  const { ratesInCells } = await import('../domain/pricing/tariffs/references/references.service.ts');
  const rows = await readRows(file);
  return { ...rows, value: rows.within(() => ratesInCells(rows.value)) };
}

async function tableOfPlaces(file: string): Promise<ReadFile<unknown>> {
  const { placesInCells } = await import('../domain/pricing/tariffs/references/references.service.ts');
  const rows = await readRows(file);
  const { places, cellOf } = rows.within(() => placesInCells(rows.value));
  const inCells = (error: unknown) => {
    if (!(error instanceof Fault) || !error.options.issues) return error;
    const issues = error.options.issues.map(issue => ({ ...issue, path: cellOf(issue.path) }));
    return new Fault(error.code, { ...error.options, issues });
  };
  const within = <Result>(work: () => Result): Result =>
    rows.within(() => {
      try {
        return work();
      } catch (error) {
        throw inCells(error);
      }
    });
  return { value: places, within };
}
