import { z } from 'zod';
import { readJson } from './files.ts';
import { RefusedFile } from './refused-file.ts';

/** Of a file such as `{"warehouses": {"3": 17}, "carriers": {"8": 12}}`: the ids in the rows, and those to be used instead. */
const idsFile = z.strictObject({
  warehouses: z.record(z.string(), z.int()).default({}),
  carriers: z.record(z.string(), z.int()).default({}),
});

/**
 * Reads the file, and returns what puts new ids into a row of another company. Its saved quotes are not imported, so rows
 * refer to none. An id without a new one stays, and is rejected with its row unless the company has it.
 *
 * @throws RefusedFile
 */
export async function newIdsFrom(file: string): Promise<(row: unknown) => unknown> {
  const { value } = await readJson(file);
  const { data, error } = idsFile.safeParse(value);
  if (error) throw new RefusedFile(error.issues.map(({ path, message }) => `${file}: /${path.join('/')} ${message}`));
  const { warehouses, carriers } = data;
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
