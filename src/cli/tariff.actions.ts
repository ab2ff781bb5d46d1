import { tenantOfConnection } from '../domain/carriers/connection-admin.service.ts';
import { changeTariff, exportTariffOf, gridOf, putTariff, versionNamed } from '../domain/tariffs/tariff.service.ts';
import { connectionsWithTariffs } from '../domain/tariffs/tariff-admin.service.ts';
import { writeText } from './files.ts';
import { withDatabase } from './session.ts';
import { countsOf, type GridOptions, readTariffFiles, type Tariff } from './tariff-files.ts';

export function importTariff(file: string, options: GridOptions & { connection: number }) {
  return withDatabase(async ({ database }) => {
    const tenant = await tenantOfConnection(database, options.connection);
    const files = await readTariffFiles(file, options);
    let imported = files.tariff;
    const { id, name } = imported
      ? await putTariff(tenant, options.connection, imported)
      : await changeTariff(tenant, options.connection, current => {
          imported = files.putGridIn(current);
          return imported;
        });
    return { tariffId: id, name, ...countsOf(imported as Tariff) };
  });
}

interface ExportOptions {
  readonly connection: number;
  readonly format: 'json' | 'csv';
  readonly validFrom?: string;
  readonly out?: string;
}

export async function exportTariff({ connection, format, validFrom, out }: ExportOptions): Promise<void> {
  const text = await withDatabase(async ({ database }) => {
    const tenant = await tenantOfConnection(database, connection);
    const exported = await exportTariffOf(tenant, connection);
    if (format === 'json') return JSON.stringify(exported, null, 2);
    const { zones } = versionNamed(exported, validFrom);
    return gridOf(zones)
      .map(row => row.join(';'))
      .join('\n');
  });
  if (out === undefined) process.stdout.write(`${text}\n`);
  else await writeText(out, `${text}\n`);
}

export function listTariffs({ company }: { company?: string }) {
  return withDatabase(({ database }) => connectionsWithTariffs(database, company));
}
