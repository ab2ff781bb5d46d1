import { expect, test } from 'vitest';
import { TextFileDecoder } from '../../src/platform/tables/text-file-decoder.ts';
import { ask } from '../support/platform-side.ts';
import { useImportFiles } from './import-files.ts';
import { inProcess } from './in-process.ts';
import type { Json } from './processes.ts';

const given = useImportFiles();
const { fileOf, world } = given;

const HEADER = 'orderNumber;recipient.companyName;recipient.address;recipient.postalCode;recipient.city';
const TEXT = `${HEADER}\r\nE-1;Caffè “Così” – 5 €;Via Libertà 1;20121;Milano\r\n`;
/** The characters of TEXT in Windows-1252 that are not in Latin-1. */
const WINDOWS: Readonly<Record<string, string>> = { '“': '\x93', '”': '\x94', '–': '\x96', '€': '\x80' };
const inWindows1252 = (text: string) =>
  Buffer.from(
    text.replace(/[“”–€]/g, letter => WINDOWS[letter] ?? ''),
    'latin1',
  );
const swapped = (bytes: Buffer) => Buffer.from(bytes).swap16();

const SAYS = /is not UTF-8, and is read as Windows-1252/;
const NOTHING = /^Mapping STANDARD, header in row 1:/;

test.concurrent.each([
  { name: 'UTF-8', bytes: Buffer.from(TEXT), says: NOTHING },
  { name: 'UTF-8 with a byte order mark', bytes: Buffer.from(`\uFEFF${TEXT}`), says: NOTHING },
  { name: 'Windows-1252, as Excel saves it', bytes: inWindows1252(TEXT), says: SAYS },
  { name: 'UTF-16, little end first', bytes: Buffer.from(`\uFEFF${TEXT}`, 'utf16le'), says: NOTHING },
  { name: 'UTF-16, big end first', bytes: swapped(Buffer.from(`\uFEFF${TEXT}`, 'utf16le')), says: NOTHING },
])('A CSV in $name is imported', async ({ bytes, says }) => {
  const caller = await world.company();
  const file = await fileOf(bytes);
  const { code, stderr } = await inProcess(['import', 'orders', file, '--company', caller.companyId], given.settings);
  expect(code).toBe(0);
  expect(stderr).toMatch(says);
  const { edges } = await ask<Json>(
    caller,
    '{ orders(first: 10) { edges { node { recipient { companyName address } } } } }',
  );
  const recipient = { companyName: 'Caffè “Così” – 5 €', address: 'Via Libertà 1' };
  expect(edges).toEqual([{ node: { recipient } }]);
});

test.concurrent.each([
  { name: 'a picture', extension: 'csv', bytes: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x01]) },
  { name: 'a NUL byte', extension: 'csv', bytes: Buffer.from(`${TEXT}\0`) },
  { name: 'two encodings', extension: 'csv', bytes: Buffer.concat([Buffer.from(TEXT), inWindows1252(TEXT)]) },
  { name: 'NDJSON in Windows-1252', extension: 'ndjson', bytes: inWindows1252('{"orderNumber":"è"}\n') },
])('A file is rejected because of its encoding: $name', async ({ extension, bytes }) => {
  const caller = await world.company();
  const file = await fileOf(bytes, extension);
  const ended = await inProcess(['import', 'orders', file, '--company', caller.companyId], given.settings);
  expect(ended).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(`${file} is (?:not|a picture)`) });
});

test('A text decodes to the same in pieces of any size', () => {
  for (const bytes of [Buffer.from(TEXT), inWindows1252(TEXT)]) {
    for (const size of [2, 3, 5, 7, 11]) {
      const decoder = new TextFileDecoder(false);
      let text = '';
      for (let at = 0; at < bytes.length; at += size) text += decoder.read(bytes.subarray(at, at + size));
      expect(text + decoder.end()).toBe(TEXT);
      expect(decoder.isWindows1252).toBe(bytes.length < Buffer.byteLength(TEXT));
    }
  }
});
