import { InvalidArgumentError, Option } from 'commander';
import { FINDING_CODES } from '../domain/spend/invoices/check/finding-codes.rules.ts';
import { DAYS_TO_CREDIT } from '../domain/spend/invoices/claims.rules.ts';
import { INVOICE_MAPPINGS } from '../domain/spend/invoices/reading/invoice-mappings.catalog.ts';
import type { CliCommand } from './cli-command.ts';
import type { ImportInvoiceOptions, InvoiceOptions, OpenClaimsOptions } from './invoice-files.ts';
import { CONNECTION, wholeNumber, YES } from './options.ts';
import type { Answering } from './output.ts';

const COMPANY = ['--company <id>', 'company id'] as const;
const INVOICE = [
  '<invoice>',
  'number of the record, as `invoice list` shows it',
  wholeNumber(1, 2_147_483_647),
] as const;

/** `invoice …`: checks invoices of carriers against their tariffs. */
export function addInvoiceCommands(program: CliCommand, answering: Answering): void {
  const invoice = program
    .command('invoice')
    .description('Invoices of carriers, compared with the tariffs of connections');
  invoice
    .command('import')
    .description('import an invoice and check it; a line that differs from the tariff has findings')
    .argument('<table>', 'the lines as CSV or .xlsx, with a header')
    .requiredOption(...CONNECTION)
    .requiredOption('--number <number>', 'number of the invoice')
    .requiredOption('--date <date>', 'its date, such as 2026-11-30')
    .addOption(
      new Option('--mapping <name>', 'which column holds what; by default as its carrier names them').choices(
        Object.keys(INVOICE_MAPPINGS),
      ),
    )
    .option('--mapping-file <json>', 'a mapping of your own; `schema/invoice-mapping.schema.json` describes it')
    .option(
      '--cod-payment <how>',
      'how cash on delivery was paid, where neither a row nor a quote says: cash, bank_cheque, personal_cheque or card',
    )
    .option('--monthly-shipments <number>', 'shipments of the month, for tariffs by volume', wholeNumber(0, 10_000_000))
    .option('--pallets <number>', 'pallets of each shipment; 0 if none has any', wholeNumber(0, 500))
    .option('--pallet-type <type>', 'type of the pallets; without --pallets all parcels are pallets')
    .option('--stackable-pallets <number>', 'on how many of them something can stand', wholeNumber(0, 500))
    .option('--recipient-type <type>', 'what the recipients are, where nothing says it: business or private')
    .option('--goods-value <eur>', 'what the goods of each shipment are worth, where nothing says it')
    .option('--duties-amount <eur>', 'duties advanced for each shipment, where nothing says it; 0 for none')
    .option('--replace', 'put it in the place of the invoice of the connection with this number in this year')
    .option('--dry-run', 'read the file, and import nothing')
    .example(
      'invoice import brt-november.csv --connection 8 --number 2026/4711 --date 2026-11-30',
      'invoice import sda.csv --connection 8 --number 17 --date 2026-11-30 --mapping-file sda-invoice.json',
      'invoice import brt-november.csv --connection 8 --number 2026/4711 --date 2026-11-30 --cod-payment cash --monthly-shipments 800',
    )
    .action(
      answering(importInvoice, {
        inWords: async imported => (await import('./invoice-files.ts')).importedInWords(imported),
      }),
    );
  invoice
    .command('list')
    .description('list the last 250 invoices of a company')
    .requiredOption(...COMPANY)
    .example('invoice list --company 2612779b-5144-4cdf-b16b-6695e8d40383')
    .action(answering(listInvoices));
  invoice
    .command('show')
    .description('print what an invoice was billed too much, by code')
    .argument(...INVOICE)
    .requiredOption(...COMPANY)
    .example('invoice show 3 --company 2612779b-5144-4cdf-b16b-6695e8d40383')
    .action(answering(showInvoice, { inWords: async shown => (await import('./invoice-files.ts')).inWords(shown) }));
  invoice
    .command('check')
    .description('check an invoice again, or continue a check that was interrupted')
    .argument(...INVOICE)
    .requiredOption(...COMPANY)
    .example('invoice check 3 --company 2612779b-5144-4cdf-b16b-6695e8d40383')
    .action(answering(checkInvoice));
  invoice
    .command('claims')
    .description('print what to dispute as CSV for the carrier, one line a claim')
    .argument(...INVOICE)
    .requiredOption(...COMPANY)
    .option('--code <code...>', 'only findings with these codes', codes)
    .option('--all', 'also amounts that were billed too little')
    .option('--out <file>', 'write to a file instead of standard output')
    .example('invoice claims 3 --company 2612779b-5144-4cdf-b16b-6695e8d40383 --out claims.csv')
    .action(printClaims);
  invoice
    .command('open-claims')
    .description('print the claims of all invoices that no credit of the carrier answers, as CSV for the carrier')
    .requiredOption(...COMPANY)
    .option('--connection <id>', 'only of this carrier connection', wholeNumber(1, 2_147_483_647))
    .option(
      '--days <number>',
      'only of invoices whose date is at least so many days ago',
      wholeNumber(0, 3_650),
      DAYS_TO_CREDIT,
    )
    .option('--out <file>', 'write to a file instead of standard output')
    .example('invoice open-claims --company 2612779b-5144-4cdf-b16b-6695e8d40383 --days 60 --out open.csv')
    .action(printOpenClaims);
  invoice
    .command('delete')
    .description('delete an invoice with its lines and findings')
    .argument(...INVOICE)
    .requiredOption(...COMPANY)
    .option(...YES)
    .example('invoice delete 3 --company 2612779b-5144-4cdf-b16b-6695e8d40383')
    .action(answering(deleteInvoice));
}

function codes(value: string, before: string[] | undefined): string[] {
  const code = value.toLowerCase();
  if (code in FINDING_CODES) return [...(before ?? []), code];
  throw new InvalidArgumentError(`It must be one of ${Object.keys(FINDING_CODES).join(', ')}.`);
}

async function importInvoice(file: string, options: ImportInvoiceOptions) {
  return (await import('./invoice-files.ts')).importInvoice(file, options);
}

async function listInvoices(options: InvoiceOptions) {
  return (await import('./invoice-files.ts')).listInvoices(options);
}

async function showInvoice(id: number, options: InvoiceOptions) {
  return (await import('./invoice-files.ts')).showInvoice(id, options);
}

async function checkInvoice(id: number, options: InvoiceOptions) {
  return (await import('./invoice-files.ts')).recheckInvoice(id, options);
}

async function printClaims(
  id: number,
  options: InvoiceOptions & { readonly code?: string[]; readonly all?: true; readonly out?: string },
) {
  await (await import('./invoice-files.ts')).printClaims(id, options);
}

async function printOpenClaims(options: OpenClaimsOptions) {
  await (await import('./invoice-files.ts')).printOpenClaims(options);
}

async function deleteInvoice(id: number, options: InvoiceOptions & { readonly yes?: true }) {
  return (await import('./invoice-files.ts')).deleteInvoice(id, options);
}
