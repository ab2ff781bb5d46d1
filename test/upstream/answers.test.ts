import { readdirSync, readFileSync } from 'node:fs';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readAddress } from '../../src/domain/exchange/addresses/address-check.service.ts';
import type { AddressFinding, AskedAddress, TrackingFinding } from '../../src/domain/shipping/carriers/carrier.port.ts';
import type { CarrierCode } from '../../src/domain/shipping/carriers/carriers.catalog.ts';
import { readTracking } from '../../src/domain/shipping/polling/carrier-answer.service.ts';
import { readAnswer } from '../../src/upstream/read-answer.ts';

// Holds what the service reads in published answers of carriers, which `answers/` retells with invented values. Each
// file is one answer, and what must come of it.

interface Retold {
  /** The end of the sentence "the answer is …". */
  readonly is: string;
  /** A key of `sources.yaml`. */
  readonly source: string;
  readonly asked: { readonly trackingNumber: string } | { readonly address: Omit<AskedAddress, 'origin'> };
  readonly reply: {
    readonly status?: number;
    readonly coding?: keyof typeof CODINGS;
    /** JSON, or the text of another format. */
    readonly body: unknown;
    readonly encoding?: BufferEncoding;
  };
  readonly read: {
    readonly finding?: TrackingFinding['kind'] | AddressFinding['kind'];
    /** UTC, status, code of the carrier, place; and the note, where it matters. */
    readonly events?: readonly (readonly [string, string, string | null, string | null, (string | null)?])[];
    /** The status of the last event if left out. */
    readonly current?: string;
    readonly estimate?: string | null;
    readonly related?: readonly object[];
    readonly notUnderstood?: readonly string[];
    /** The code of an address check. */
    readonly verdict?: string;
    readonly suggestions?: readonly object[];
    readonly message?: string;
  };
}

const CODINGS = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync };
const FOLDER = new URL('answers/', import.meta.url);
const yaml = (path: string) => parse(readFileSync(new URL(path, FOLDER), 'utf8'));
const SOURCES: Readonly<Record<string, { title: string; where: string; read: string }>> = yaml('sources.yaml');
const carriers = readdirSync(FOLDER, { withFileTypes: true })
  .filter(entry => entry.isDirectory())
  .map(({ name }) => name);

describe.each(carriers)('Among the responses of %s,', carrier => {
  const code = carrier.toUpperCase() as CarrierCode;
  const files = readdirSync(new URL(`${carrier}/`, FOLDER));

  test.each(files)('%s is read as it was published', async file => {
    const { source, asked, reply, read }: Retold = yaml(`${carrier}/${file}`);
    expect(Object.keys(SOURCES)).toContain(source);
    const question = 'address' in asked ? { address: { ...asked.address, origin: ORIGIN } } : asked;
    const finding = await readAnswer(code, question, replyOf(reply));
    if ('address' in question) {
      const { verdict, suggestions = [], ...rest } = read;
      const result = readAddress(code, question.address, finding as AddressFinding);
      expect({ ...result, finding: finding?.kind }).toMatchObject({ code: verdict, suggestions, ...rest });
      return;
    }
    const { finding: kind = 'events', events = [], estimate = null, related = [], notUnderstood = [] } = read;
    const current = read.current ?? (events.length === 0 ? null : events.at(-1)?.[1]);
    const result = readTracking(code, finding as TrackingFinding, RECEIVED_AT);
    const rows = result.events.map(({ occurredAt, statusCode, code, location, note }, n) =>
      [occurredAt, statusCode, code, location, note].slice(0, events[n]?.length),
    );
    expect({ ...result, events: rows }).toEqual({ finding: kind, events, current, estimate, related, notUnderstood });
  });
});

const ORIGIN = { country: 'IT', zip: '20121', city: 'Milano' };

/** After every event of the retold answers. */
const RECEIVED_AT = new Date('2026-12-31T12:00:00Z');

function replyOf({ status = 200, coding, body, encoding = 'utf8' }: Retold['reply']) {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body), encoding);
  const headers: Record<string, string> = coding === undefined ? {} : { 'content-encoding': coding };
  return { status, headers, bytes: coding === undefined ? bytes : CODINGS[coding](bytes) };
}

test('Every source has a title, a place and the day on which it was read', () => {
  for (const source of Object.values(SOURCES)) {
    expect(source).toEqual({ title: expect.any(String), where: expect.any(String), read: expect.any(String) });
  }
});
