import { carrierOf } from '../../domain/carriers/carriers.catalog.ts';
import { CARRIER_CODES, type CarrierCodes, type CodeRow } from '../../domain/tracking/carrier-codes.catalog.ts';
import { code, table } from './markdown.ts';

/** The tables of carriers' codes, with the published lists that they follow. */
export function carrierCodes(): string {
  return Object.values(CARRIER_CODES).map(ofCarriers).join('\n\n');
}

function ofCarriers({ carriers, lists, codes, general, words }: CarrierCodes): string {
  const names = carriers.map(carrier => carrierOf(carrier).name).join(' and ');
  const parts = [`## ${names}`, table(['Published list', 'Found at', 'Read on'], lists.map(listRow)), codeTable(codes)];
  if (general.length > 0) parts.push('Wider codes, for a code without a row:', codeTable(general));
  if (words.length > 0) {
    const rows = words.map(row => [code(row.words), code(row.status), row.remark ?? '']);
    parts.push('Words, for a text whose code has no row. The first row that fits counts:');
    parts.push(table(['Words', '`statusCode`', 'Remark'], rows));
  }
  return parts.join('\n\n');
}

function listRow({ name, where, read }: CarrierCodes['lists'][number]): readonly string[] {
  return [name, where, read];
}

function codeTable(rows: readonly CodeRow[]): string {
  return table(
    ['Code', "The carrier's text", '`statusCode`', 'Remark'],
    rows.map(row => [code(row.code), row.text ?? '', code(row.status), row.remark ?? '']),
  );
}
