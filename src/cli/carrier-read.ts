import { InvalidArgumentError, Option } from 'commander';
import { CARRIER_CODES } from '../domain/shipping/carriers/carriers.catalog.ts';
import type { CliCommand } from './cli-command.ts';
import { wholeNumber } from './options.ts';
import type { Answering } from './output.ts';
import { RejectedFile } from './rejected-file.ts';

interface ReadOptions {
  readonly carrier: string;
  readonly number?: string;
  readonly status: number;
  readonly encoding?: string;
  readonly address?: string;
  readonly city?: string;
  readonly zip?: string;
  readonly province?: string;
  readonly country: string;
}

/** `carrier read`: what the service reads in a response that an operator has, without asking anyone. */
export function addCarrierReadCommand(carrier: CliCommand, answering: Answering): void {
  carrier
    .command('read')
    .description(
      "print what the service reads in the body of a carrier's response, without asking anyone: events, statuses, times and what it does not understand; with --city and --zip, the verdict on an address",
    )
    .argument('<file>', 'the body as it was received; - reads standard input')
    .addOption(new Option('--carrier <code>', 'carrier code, such as UPS').makeOptionMandatory())
    .option(
      '--number <number>',
      'the tracking number that was asked for; most carriers name it in the response, and only its events are read',
    )
    .option('--status <status>', 'HTTP status of the response', wholeNumber(200, 599), 200)
    .option('--encoding <coding>', 'Content-Encoding of the response, such as gzip')
    .option('--address <street>', 'street and house number that were asked for')
    .option('--city <city>', 'city that was asked for')
    .option('--zip <code>', 'postal code that was asked for')
    .option('--province <province>', 'province that was asked for')
    .option('--country <code>', 'country that was asked for', 'IT')
    .example(
      'carrier read --carrier UPS ups.json',
      'carrier read --carrier BRT --address "Via Roma 1" --city Palermo --zip 90139 --province PA brt.json',
    )
    .action(answering(read, { inWords }));
}

async function read(file: string, options: ReadOptions) {
  const { readAnswer } = await import('../upstream/read-answer.ts');
  const { readAddress } = await import('../domain/exchange/addresses/address-check.service.ts');
  const { readTracking } = await import('../domain/shipping/polling/carrier-answer.service.ts');
  const { address, city, zip, province, country, encoding, status } = options;
  const code = CARRIER_CODES.find(known => known === options.carrier.trim().toUpperCase());
  if (code === undefined) throw new InvalidArgumentError(`--carrier must be one of ${CARRIER_CODES.join(', ')}.`);
  const headers: Record<string, string> = encoding === undefined ? {} : { 'content-encoding': encoding };
  const reply = { status, headers, bytes: await bytesOf(file) };
  const origin = { country: 'IT', zip: null, city: null };
  const isAddress = [address, city, zip].some(part => part !== undefined);
  const asked = {
    address: address ?? '',
    city: city ?? '',
    zip: zip ?? '',
    provincia: province ?? null,
    country: country.toUpperCase(),
    origin,
  };
  const { number = '' } = options;
  const finding = await readAnswer(code, isAddress ? { address: asked } : { trackingNumber: number }, reply);
  if (finding === undefined) {
    const what = isAddress ? ' for addresses' : '';
    throw new InvalidArgumentError(`The service has no interface to ${code}${what}, so it reads no such responses.`);
  }
  if (isAddress) return readAddress(code, asked, finding as Parameters<typeof readAddress>[2]);
  if (finding.kind === 'not_found' && number === '' && status < 400)
    process.stderr.write('The response may have a shipment of some number: give that number as --number.\n');
  return readTracking(code, finding as Parameters<typeof readTracking>[1], new Date());
}

type Read = Awaited<ReturnType<typeof read>>;

/** The events as a table, and the other fields below it. */
async function inWords(result: Read) {
  if (!('events' in result) || result.events.length === 0) return result;
  const { tableOf } = await import('./table.ts');
  const { events, ...rest } = result;
  const lines = Object.entries(rest).map(([name, value]) => `${name}: ${[value].flat().map(worded).join('; ') || '–'}`);
  return [await tableOf(events, {}), '', ...lines].join('\n');
}

function worded(value: unknown): string {
  if (value === null) return '–';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

async function bytesOf(file: string): Promise<Buffer> {
  const { readFile } = await import('node:fs/promises');
  const { buffer } = await import('node:stream/consumers');
  try {
    return file === '-' ? await buffer(process.stdin) : await readFile(file);
  } catch (error) {
    throw new RejectedFile([`${file} can't be read: ${(error as NodeJS.ErrnoException).code}`]);
  }
}
