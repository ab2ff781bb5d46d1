import { Fault } from '../platform/fault.ts';
import type { CliCommand } from './cli-command.ts';
import type { Answering } from './output.ts';

const COMPANY = ['--company <id>', 'company id'] as const;
const CARRIER = ['--carrier <code>', 'carrier code, such as GLS'] as const;

/** `fuel …` and `places …`: what tariffs of a carrier refer to, replaced by itself. */
export function addReferenceCommands(program: CliCommand, answering: Answering): void {
  program
    .command('fuel')
    .description('Indexes of carriers by month, which tariffs refer to')
    .command('import')
    .description('put months into an index of a carrier; the other months stay as they are')
    .argument('<csv>', 'rows of month and percent below the header month;percent')
    .requiredOption(...COMPANY)
    .requiredOption(...CARRIER)
    .option('--index <name>', 'name of the index, in snake_case', 'fuel')
    .example('fuel import brt-2026.csv --company 2612779b-5144-4cdf-b16b-6695e8d40383 --carrier BRT')
    .action(answering(importFuel));
  program
    .command('places')
    .description('Lists of places of carriers, which tariffs refer to')
    .command('import')
    .description('replace a list of places of a carrier, for all tariffs that name it')
    .argument('<json>', 'the places, as in `to` of a zone')
    .requiredOption(...COMPANY)
    .requiredOption(...CARRIER)
    .requiredOption('--list <name>', 'name of the list, in snake_case')
    .example(
      'places import isole.json --company 2612779b-5144-4cdf-b16b-6695e8d40383 --carrier BRT --list isole_minori',
    )
    .action(answering(importPlaces));
}

interface CarrierOptions {
  readonly company: string;
  readonly carrier: string;
}

async function importFuel(file: string, { company, carrier, index }: CarrierOptions & { readonly index: string }) {
  const { withDatabase } = await import('./session.ts');
  const { tenantOfCompany } = await import('../domain/access/access.service.ts');
  const { importIndex, ratesInCells } = await import('../domain/tariffs/references.service.ts');
  const { readCells } = await import('./files.ts');
  const cells = await readCells(file);
  const rates = cells.within(() => ratesInCells(cells.value));
  return withDatabase(async ({ database }) => {
    const tenant = await tenantOfCompany(database, company);
    await importIndex(tenant, { carrierCode: carrier, name: index, rates });
    return { carrier, index, months: rates.length };
  });
}

async function importPlaces(file: string, { company, carrier, list }: CarrierOptions & { readonly list: string }) {
  const { withDatabase } = await import('./session.ts');
  const { tenantOfCompany } = await import('../domain/access/access.service.ts');
  const { replacePlaceList } = await import('../domain/tariffs/references.service.ts');
  const { readJson } = await import('./files.ts');
  const source = await readJson(file);
  return withDatabase(async ({ database }) => {
    const tenant = await tenantOfCompany(database, company);
    const replaced = await replacePlaceList(tenant, { carrierCode: carrier, name: list, places: source.value }).catch(
      (error: unknown) => {
        // What is wrong with the places has its line and column.
        if (!(error instanceof Fault)) throw error;
        return source.within(() => {
          throw error;
        });
      },
    );
    const places = Object.values(replaced).reduce((sum, all) => sum + (Array.isArray(all) ? all.length : 1), 0);
    return { carrier, list, places };
  });
}
