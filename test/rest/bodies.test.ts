import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { ENDPOINTS } from '../../src/http/rest/endpoints.ts';
import { WAREHOUSE } from '../support/platform-side.ts';
import { BASE, MAX_BYTES, useHttp } from './http-calls.ts';

const given = useHttp();
const { ask, post, world } = given;

describe('The size of a body', () => {
  /** A good warehouse in exactly so many bytes. */
  const sized = (bytes: number) => JSON.stringify(WAREHOUSE).padEnd(bytes);
  const halves = (text: string) => [text.slice(0, text.length >> 1), text.slice(text.length >> 1)];
  const chunked = (text: string) =>
    ask({
      method: 'POST',
      path: `${BASE}/warehouses`,
      headers: { 'content-type': 'application/json' },
      chunks: halves(text),
    });

  test.each([
    ['with its length', post],
    ['in chunks', chunked],
  ])('may be 256 KiB, %s', async (_how, sending) => {
    expect((await sending(sized(MAX_BYTES))).status).toBe(201);
  });

  test.each([
    ['with its length', post, MAX_BYTES + 1],
    ['in chunks', chunked, MAX_BYTES + 1],
    ['with its length, much larger', post, 8 * 1024 * 1024],
    ['in chunks, much larger', chunked, 8 * 1024 * 1024],
  ])('may not exceed 256 KiB, %s', async (_how, sending, bytes) => {
    const before = (await given.caller.rest('GET', '/warehouses')).text;
    for (let i = 0; i < 5; i++) {
      const { status, body } = await sending(sized(bytes));
      expect([status, body.code, body.maxBytes]).toEqual([413, 'body_too_large', MAX_BYTES]);
    }
    expect((await given.caller.rest('GET', '/warehouses')).text).toBe(before);
  });

  test('is limited also for a body that never ends, which is rejected while it is still sent', async () => {
    const { hostname, port } = new URL(world.app.url);
    const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
    const headers = { 'x-api-key': given.caller.apiKey, 'content-type': 'application/json' };
    const endless = request({ hostname, port, method: 'POST', path: `${BASE}/warehouses`, headers });
    endless.on('response', response => resolve(response.statusCode)).on('error', reject);
    const more = () => {
      while (!endless.destroyed && endless.write(' '.repeat(16 * 1024)));
    };
    endless.on('drain', more);
    more();
    expect(await promise).toBe(413);
    endless.destroy();
  });

  test('is not limited for a request that reads no body', async () => {
    const text = sized(MAX_BYTES + 1);
    const { status } = await ask({
      method: 'GET',
      path: `${BASE}/health`,
      headers: { 'content-type': 'application/json', 'content-length': String(text.length) },
      chunks: [text],
    });
    expect(status).toBe(200);
  });
});

describe('The media type of a body', () => {
  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json; charset="utf-8"',
    'Application/JSON',
    '  application/json  ',
  ])('may be %j', async type => {
    expect((await post(JSON.stringify(WAREHOUSE), { 'content-type': type })).status).toBe(201);
  });

  test.each([
    { 'content-type': 'text/plain' },
    { 'content-type': 'text/json' },
    { 'content-type': 'application/x-www-form-urlencoded' },
    { 'content-type': 'multipart/form-data; boundary=x' },
    { 'content-type': 'application/xml' },
    { 'content-type': 'application/jsonp' },
    { 'content-type': 'application/merge-patch+json' },
    { 'content-type': 'application/problem+json' },
    { 'content-type': 'application/json, text/plain' },
    { 'content-type': 'json' },
    { 'content-type': '*/*' },
    { 'content-type': '' },
    { 'content-type': 'application/json; charset=iso-8859-1' },
    { 'content-type': 'application/json; charset=utf-16' },
    { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    { 'content-type': 'application/json', 'content-encoding': 'br' },
    {},
  ] as Record<string, string>[])('may not be %j', async headers => {
    const { status, body } = await post(JSON.stringify(WAREHOUSE), headers);
    expect([status, body.code]).toEqual([415, 'unsupported_media_type']);
  });
});

describe('A body', () => {
  const GOOD = JSON.stringify(WAREHOUSE);
  test.each([
    ['broken off', GOOD.slice(0, -1)],
    ['a brace', '{'],
    ['a word', 'undefined'],
    ['not a number', '{"typeId":NaN}'],
    ['two values', `${GOOD}${GOOD}`],
    ['followed by a comma', `${GOOD},`],
    ['with a comma too many', GOOD.replace(/}$/, ',}')],
    ['with a comment', `${GOOD}// x`],
    ['in single quotes', GOOD.replaceAll('"', "'")],
    ['with names unquoted', GOOD.replaceAll(/"(\w+)":/g, '$1:')],
    ['with a bare line break in a text', GOOD.replace('Milano', 'Mi\nlano')],
    ['with a bare U+0000', GOOD.replace('Milano', 'Mi\u0000lano')],
    ['with a bad escape', GOOD.replace('Milano', '\\x4d')],
    ['with a number in hexadecimal', GOOD.replace('"typeId":1', '"typeId":0x1')],
    ['only spaces', '   '],
    ['a form', 'name=Milano&typeId=1'],
    ['nested without end', '['.repeat(200_000)],
  ])('is malformed if it is %s', async (_what, text) => {
    const { status, body } = await post(text);
    expect([status, body.code]).toEqual([400, 'malformed_json']);
    expect(body.detail).not.toMatch(/position|token|JSON\.parse|Milano/);
  });

  test.each([
    ['a lone continuation byte', Buffer.concat([Buffer.from('{"name":"'), Buffer.of(0x80), Buffer.from('"}')])],
    ['Latin-1', Buffer.from(GOOD.replace('Milano', 'Forlì'), 'latin1')],
    ['UTF-16', Buffer.from(GOOD, 'utf16le')],
    ['an overlong slash', Buffer.concat([Buffer.from('{"name":"'), Buffer.of(0xc0, 0xaf), Buffer.from('"}')])],
    ['a surrogate in UTF-8', Buffer.concat([Buffer.from('{"name":"'), Buffer.of(0xed, 0xa0, 0x80), Buffer.from('"}')])],
    ['cut inside a character', Buffer.from('{"name":"è').subarray(0, -1)],
  ])('is malformed, since it is not UTF-8, if it is %s', async (_what, bytes) => {
    const { status, body } = await post(bytes);
    expect([status, body.code]).toEqual([400, 'malformed_json']);
  });

  test.each(['null', 'true', '7', '"x"', '[]', `[${GOOD}]`, '-0', '1e999'])(
    'is JSON but not an object: %s',
    async text => {
      const { status, body } = await post(text);
      expect([status, body.code]).toEqual([422, 'validation_failed']);
      expect(body.errors).toEqual([{ pointer: '', code: 'wrong_type', message: expect.any(String) }]);
    },
  );

  const WITH_BODY = ENDPOINTS.filter(({ body }) => body).map(({ method, path }) => ({
    method,
    path: BASE + path.replace(/{\w+}/, '1'),
  }));
  const TYPED = { 'content-type': 'application/json' };
  const TYPES: Record<string, string>[] = [
    {},
    TYPED,
    { 'content-type': 'text/plain' },
    { ...TYPED, 'content-encoding': 'gzip' },
  ];
  const LENGTHS: Record<string, string>[] = [
    {},
    { 'content-length': '0' },
    { 'content-length': '00' },
    { 'transfer-encoding': 'chunked' },
  ];
  const OTHERS = ['/graphql', '/mcp'].map(path => ({ method: 'POST' as const, path }));
  test.each([...WITH_BODY, ...OTHERS])(
    'is malformed if it is empty, whatever its headers say: $method $path',
    async request => {
      for (const headers of TYPES.flatMap(type => LENGTHS.map(length => ({ ...type, ...length })))) {
        const { status, body } = await ask({ ...request, headers });
        const { code } = body.errors?.[0].extensions ?? body;
        expect([headers, status, code]).toEqual([headers, 400, 'malformed_json']);
      }
    },
  );

  test('in chunks of another type is not read', async () => {
    const headers = { 'content-type': 'text/plain', 'transfer-encoding': 'chunked' };
    for (const path of [`${BASE}/warehouses`, '/graphql', '/mcp']) {
      const { status } = await ask({ method: 'POST', path, headers, chunks: [GOOD] });
      expect([path, status]).toEqual([path, 415]);
    }
  });

  test.each(['__proto__', 'constructor', 'prototype', '__defineGetter__'])(
    'with an additional field %s changes no object and is rejected',
    async field => {
      const { status, body } = await post(GOOD.replace('{', `{"${field}":{"polluted":true,"name":"x"},`));
      expect(status).toBe(422);
      expect(body.errors).toEqual([{ pointer: `/${field}`, code: 'unknown_field', message: expect.any(String) }]);
      expect({}).not.toHaveProperty('polluted');
    },
  );

  test('without its fields does not take them from __proto__', async () => {
    const { status, body } = await post(`{"__proto__":${GOOD}}`);
    expect([status, body.errors.length]).toEqual([422, 8]);
  });

  test('with thousands of errors returns a hundred of them', async () => {
    const body = { parcels: Array(3000).fill({ weight: '4' }) };
    const { status, body: problem } = await given.caller.rest('POST', '/shipments/quote', body);
    expect([status, problem.errors.length]).toEqual([422, 100]);
  });

  test('is valid with escapes, spaces and another order of fields', async () => {
    const text = ` \r\n{"country":"\\u0049T", ${GOOD.slice(1).replace(',"country":"IT"', '').replace('Milano', '\\u004dilano')}\t`;
    const { status, body } = await post(text);
    expect(status).toBe(201);
    expect(body).toMatchObject(WAREHOUSE);
  });
});
