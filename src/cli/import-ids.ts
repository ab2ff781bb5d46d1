import { z } from 'zod';
import { readInput } from '../platform/input.ts';
import { readJson } from './files.ts';

/** A file such as `{"warehouses": {"3": 17}, "carriers": {"8": 12}}` maps ids in the rows to new ids. */
const idsFile = z.strictObject({
  warehouses: z.record(z.string(), z.int()).default({}),
  carriers: z.record(z.string(), z.int()).default({}),
});

/**
 * Reads the file, and returns a function that replaces the ids in a row of another company. Saved quotes are not
 * imported, so rows refer to none. An id without a new one stays, and its row is rejected unless the id exists.
 *
 * @throws RejectedFile
 */
export async function newIdsFrom(file: string): Promise<(row: unknown) => unknown> {
  const source = await readJson(file);
  const { warehouses, carriers } = source.within(() => readInput(idsFile, source.value));
  return row => {
    if (typeof row !== 'object' || row === null) return row;
    const { quoteId: _, ...given } = row as Readonly<Record<string, unknown>>;
    const renamed = (name: string, ids: Readonly<Record<string, number>>) => {
      const id = given[name];
      return id == null ? {} : { [name]: ids[String(id)] ?? id };
    };
    return { ...given, ...renamed('warehouseId', warehouses), ...renamed('carrierCompanyId', carriers) };
  };
}
