import { Fault } from '../platform/fault.ts';
import type { CliCommand } from './cli-command.ts';
import { YES } from './options.ts';
import type { Answering } from './output.ts';

const COMPANY = ['--company <id>', 'company id'] as const;
const CARRIER = ['--carrier <code>', 'carrier code, such as GLS'] as const;
const LIST = ['--list <name>', 'name of the list, in snake_case'] as const;
const INDEX = ['--index <name>', 'name of the index, in snake_case', 'fuel'] as const;
const OUT = ['--out <file>', 'write to a file instead of standard output'] as const;
const OF_BRT = '--company 2612779b-5144-4cdf-b16b-6695e8d40383 --carrier BRT';

/** `fuel …` and `places …`: data that a carrier's tariffs refer to, each replaced as a whole. */
export function addReferenceCommands(program: CliCommand, answering: Answering): void {
  const fuel = program.command('fuel').description('Indexes of carriers by day or month, which tariffs refer to');
  fuel
    .command('import')
    .description('put percentages into an index of a carrier; those from other days stay as they are')
    .argument(
      '<table>',
      'CSV or .xlsx: rows below the header from;percent: a day such as 2026-11-09 or a month such as 2026-11, and its percentage',
    )
    .requiredOption(...COMPANY)
    .requiredOption(...CARRIER)
    .option(...INDEX)
    .example(`fuel import brt-2026.csv ${OF_BRT}`)
    .action(answering(importFuel));
  fuel
    .command('export')
    .description('print the percentages of an index, in the form in which they can be imported')
    .requiredOption(...COMPANY)
    .requiredOption(...CARRIER)
    .option(...INDEX)
    .option(...OUT)
    .example(`fuel export ${OF_BRT} --out brt-fuel.csv`)
    .action(exportFuel);
  fuel
    .command('list')
    .description('list the indexes of a company')
    .requiredOption(...COMPANY)
    .option('--carrier <code>', 'only the ones that belong to this carrier')
    .example('fuel list --company 2612779b-5144-4cdf-b16b-6695e8d40383')
    .action(answering(listIndexes));
  fuel
    .command('delete')
    .description('delete an index that no tariff refers to')
    .requiredOption(...COMPANY)
    .requiredOption(...CARRIER)
    .option(...INDEX)
    .option(...YES)
    .example(`fuel delete ${OF_BRT} --index diesel`)
    .action(
      answering(({ index, ...options }: IndexOptions & Answer) => remove({ ...options, kind: 'index', name: index })),
    );

  const places = program.command('places').description('Lists of places of carriers, which tariffs refer to');
  places
    .command('import')
    .description('replace a list of places of a carrier, for all tariffs that name it')
    .argument(
      '<file>',
      'the places in JSON, as in `to` of a zone, or a CSV or .xlsx table with a column for each of its fields',
    )
    .requiredOption(...COMPANY)
    .requiredOption(...CARRIER)
    .requiredOption(...LIST)
    .example(
      `places import isole.json ${OF_BRT} --list isole_minori`,
      `places import isole.csv ${OF_BRT} --list isole_minori`,
    )
    .action(answering(importPlaces));
  places
    .command('export')
    .description('print a list of places as JSON, in the form in which it can be imported')
    .requiredOption(...COMPANY)
    .requiredOption(...CARRIER)
    .requiredOption(...LIST)
    .option(...OUT)
    .example(`places export ${OF_BRT} --list isole_minori --out isole.json`)
    .action(exportPlaces);
  places
    .command('list')
    .description('list the lists of places of a company')
    .requiredOption(...COMPANY)
    .option('--carrier <code>', 'only the ones that belong to this carrier')
    .example('places list --company 2612779b-5144-4cdf-b16b-6695e8d40383')
    .action(answering(listPlaces));
  places
    .command('delete')
    .description('delete a list of places that no tariff refers to')
    .requiredOption(...COMPANY)
    .requiredOption(...CARRIER)
    .requiredOption(...LIST)
    .option(...YES)
    .example(`places delete ${OF_BRT} --list ztl`)
    .action(
      answering(({ list, ...options }: ListOptions & Answer) => remove({ ...options, kind: 'list', name: list })),
    );
}

interface CarrierOptions {
  readonly company: string;
  readonly carrier: string;
}
type IndexOptions = CarrierOptions & { readonly index: string };
type ListOptions = CarrierOptions & { readonly list: string };
interface Answer {
  readonly yes?: true;
}

type References = typeof import('../domain/tariffs/references/references.service.ts');
type Tenant = Awaited<ReturnType<typeof import('../domain/access/access.service.ts')['tenantOfCompany']>>;

function ofCarrier<Result>(
  { company, carrier }: CarrierOptions,
  work: (tenant: Tenant, carrierCode: string, references: References) => Promise<Result>,
): Promise<Result> {
  return ofCompany(company, (tenant, references) => work(tenant, references.knownCarrier(carrier), references));
}

async function ofCompany<Result>(
  company: string,
  work: (tenant: Tenant, references: References) => Promise<Result>,
): Promise<Result> {
  const { withDatabase } = await import('./session.ts');
  const { tenantOfCompany } = await import('../domain/access/access.service.ts');
  const references = await import('../domain/tariffs/references/references.service.ts');
  return withDatabase(async ({ database }) => work(await tenantOfCompany(database, company), references));
}

async function importFuel(file: string, { index, ...of }: IndexOptions) {
  const { ratesInCells } = await import('../domain/tariffs/references/references.service.ts');
  const { readRows } = await import('./table-files.ts');
  const cells = await readRows(file);
  const rates = cells.within(() => ratesInCells(cells.value));
  return ofCarrier(of, async (tenant, carrierCode, { importIndex }) => {
    await importIndex(tenant, { carrierCode, name: index, rates });
    return { carrier: carrierCode, index, rates: rates.length };
  });
}

async function exportFuel({ index, out, ...of }: IndexOptions & { readonly out?: string }): Promise<void> {
  const cells = await ofCarrier(of, async (tenant, carrierCode, { cellsOfRates, ratesOf }) =>
    cellsOfRates(await ratesOf(tenant, { carrierCode, kind: 'index', name: index })),
  );
  await print(cells.map(row => row.join(';')).join('\n'), out);
}

async function importPlaces(file: string, { list, ...of }: ListOptions) {
  const source = await readPlaces(file);
  return ofCarrier(of, async (tenant, carrierCode, { replacePlaceList, countPlaces }) => {
    const { places } = await replacePlaceList(tenant, { carrierCode, name: list, places: source.value }).catch(
      (error: unknown) => {
        // An issue of the places is shown with its line and column.
        if (!(error instanceof Fault)) throw error;
        return source.within(() => {
          throw error;
        });
      },
    );
    return { carrier: carrierCode, list, places: countPlaces(places) };
  });
}

async function readPlaces(file: string) {
  const { isTable, readRows } = await import('./table-files.ts');
  if (!isTable(file)) return (await import('./files.ts')).readJson(file);
  const { placesInCells } = await import('../domain/tariffs/references/references.service.ts');
  const cells = await readRows(file);
  const { places, cellOf } = cells.within(() => placesInCells(cells.value));
  const inCells = (error: unknown) => {
    if (!(error instanceof Fault) || !error.options.issues) return error;
    const issues = error.options.issues.map(issue => ({ ...issue, path: cellOf(issue.path) }));
    return new Fault(error.code, { ...error.options, issues });
  };
  const within = <Result>(work: () => Result): Result =>
    cells.within(() => {
      try {
        return work();
      } catch (error) {
        throw inCells(error);
      }
    });
  return { value: places, within };
}

async function exportPlaces({ list, out, ...of }: ListOptions & { readonly out?: string }): Promise<void> {
  const places = await ofCarrier(of, (tenant, carrierCode, { placesOf }) =>
    placesOf(tenant, { carrierCode, kind: 'list', name: list }),
  );
  await print(JSON.stringify(places, null, 2), out);
}

async function print(text: string, out: string | undefined): Promise<void> {
  if (out === undefined) process.stdout.write(`${text}\n`);
  else await (await import('./files.ts')).writeText(out, `${text}\n`);
}

interface ListingOptions {
  readonly company: string;
  readonly carrier?: string;
}

function listIndexes({ company, carrier }: ListingOptions) {
  return ofCompany(company, async (tenant, { knownCarrier, listReferences, ratesOf }) => {
    const only = carrier === undefined ? null : knownCarrier(carrier);
    const rows = await listReferences(tenant, { carrierCode: only, kind: 'index' });
    const each = rows.map(async row => {
      const rates = await ratesOf(tenant, row);
      const last = rates.at(-1);
      const { carrierCode, name, updatedAt } = row;
      const [from, to] = [rates[0]?.from, last?.from];
      return { carrier: carrierCode, index: name, from, to, percent: last?.percent, updatedAt };
    });
    return Promise.all(each);
  });
}

function listPlaces({ company, carrier }: ListingOptions) {
  return ofCompany(company, async (tenant, { countPlaces, knownCarrier, listReferences, placesOf }) => {
    const only = carrier === undefined ? null : knownCarrier(carrier);
    const rows = await listReferences(tenant, { carrierCode: only, kind: 'list' });
    const each = rows.map(async row => {
      const { carrierCode, name, updatedAt } = row;
      return { carrier: carrierCode, list: name, places: countPlaces(await placesOf(tenant, row)), updatedAt };
    });
    return Promise.all(each);
  });
}

interface Removal extends CarrierOptions, Answer {
  readonly kind: 'list' | 'index';
  readonly name: string;
}

function remove({ kind, name, yes, ...of }: Removal) {
  return ofCarrier(of, async (tenant, carrierCode, { deleteReference }) => {
    const { confirm } = await import('./confirmation.ts');
    await confirm(`The ${kind} "${name}" of ${carrierCode} will be deleted.`, yes);
    await deleteReference(tenant, { carrierCode, kind, name });
    return { carrier: carrierCode, [kind]: name, deleted: true };
  });
}
