import pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { brt } from '../../src/sandbox/brt-stand-in.ts';
import { dhl } from '../../src/sandbox/dhl-stand-in.ts';
import { fedex } from '../../src/sandbox/fedex-stand-in.ts';
import { gls } from '../../src/sandbox/gls-stand-in.ts';
import type { SandboxCarrier } from '../../src/sandbox/stand-ins.ts';
import { ups } from '../../src/sandbox/ups-stand-in.ts';
import {
  ASKED,
  type Asked,
  askedAt,
  CREDENTIALS,
  connectSandbox,
  useLoggedApp,
  useSandbox,
} from '../support/carriers.ts';
import type { Answer } from '../support/rest-client.ts';
import { type Caller, useWorld } from '../support/world.ts';
import { connectCarrier } from './feed.ts';
import { unnamed } from './raw-http.ts';

/** A postal code at which GLS' registry has one street and no other, however it is asked. */
const REGISTERED = '90144';
/** One of which it knows the town and no street. */
const WITHOUT_STREETS = '90145';
/** One that BRT corrects into itself. */
const CORRECTED = '90146';

const glsWithStreet: SandboxCarrier = {
  prefix: '/gls',
  answer(request) {
    const answer = gls.answer(request);
    const streets = new Map([
      [REGISTERED, '<Indirizzo>VIALE DELLA LIBERTA&apos; 12/A</Indirizzo>'],
      [WITHOUT_STREETS, '<Indirizzo />'],
    ]);
    const street = streets.get(request.query.get('Cap') ?? '');
    if (street === undefined) return answer;
    return { ...answer, body: answer.body.toString().replace(/<Indirizzo>.*<\/Indirizzo>/, street) };
  },
};

const brtThatCorrects: SandboxCarrier = {
  prefix: '/brt',
  answer(request) {
    const answer = brt.answer(request);
    if (!request.body.includes(CORRECTED)) return answer;
    return { ...answer, body: answer.body.toString().replace(/"code":0\b/, '"code":4') };
  },
};

const sandbox = useSandbox({ carriers: [glsWithStreet, brtThatCorrects, dhl, ups, fedex] });
const world = useWorld(askedAt(sandbox));
const logged = useLoggedApp(world, askedAt(sandbox));

/** Valid at every carrier's sandbox, which goes by the last two digits of the postal code. */
const ADDRESS = { address: 'Via della Libertà 12', city: 'Palermo', zip: '90139', provincia: 'PA', country: 'IT' };
const SLOW = '90195';

let caller: Caller;
const connections = {} as Record<Asked, number>;
/** Checks that take eight seconds, which pass while the other tests run. */
let slow: Promise<{ carrier: Asked; answer: Answer; tookMs: number }[]>;

function check(carrierCompanyId: unknown, fields: object = {}, by = caller): Promise<Answer> {
  return by.rest('POST', '/addresses/check-address', { ...ADDRESS, carrierCompanyId, ...fields });
}

beforeAll(async () => {
  caller = await world.company();
  for (const carrier of ASKED) connections[carrier] = await connectSandbox(caller, carrier);
  const slowly = await Promise.all(
    ASKED.map(async carrier => [carrier, await connectSandbox(caller, carrier)] as const),
  );
  slow = Promise.all(
    slowly.map(async ([carrier, id]) => {
      const startMs = performance.now();
      const answer = await check(id, { zip: SLOW });
      return { carrier, answer, tookMs: performance.now() - startMs };
    }),
  );
  // Looked at in the last test only.
  slow.catch(() => undefined);
});

/** What a result says of a carrier, whatever the outcome. */
const CARRIERS: Readonly<Record<string, readonly [name: string, verificationType: string, countryScope: string]>> = {
  GLS: ['GLS Italy', 'street_registry', 'domestic_it'],
  BRT: ['BRT', 'routing', 'domestic_it'],
  DHL: ['DHL Express', 'postal_validation', 'international'],
  UPS: ['UPS', 'transit_time', 'international'],
  FEDEX: ['FedEx', 'postal_validation', 'international'],
  POSTE: ['Poste Italiane', 'none', 'any'],
  SDA: ['SDA', 'none', 'any'],
  INPOST: ['InPost', 'none', 'any'],
};

const CODES = {
  VALID: ['success', 'ADDRESS_VALID', 'Indirizzo verificato correttamente da {c}.'],
  NORMALIZED: ['warning', 'ADDRESS_NORMALIZED', "{c} suggerisce una correzione dell'indirizzo."],
  NOT_FOUND: ['warning', 'ADDRESS_NOT_FOUND', 'Indirizzo non trovato da {c}.'],
  INVALID: ['error', 'ADDRESS_INVALID', 'Indirizzo non valido secondo {c}.'],
  FOREIGN: ['skipped', 'VERIFICATION_SKIPPED_FOREIGN', 'Verifica non eseguita: {c} verifica solo indirizzi italiani.'],
  UNSUPPORTED: ['unsupported', 'VERIFICATION_SKIPPED_UNSUPPORTED', '{c} non offre la verifica degli indirizzi.'],
  ERROR: ['error', 'VERIFICATION_ERROR', 'Errore durante la verifica con {c}.'],
  UNAVAILABLE: ['skipped', 'CARRIER_UNAVAILABLE', '{c} non è al momento raggiungibile: verifica non eseguita.'],
} as const;

/** The whole body of a result. */
function result(carrierCode: string, code: keyof typeof CODES, suggestions: readonly object[] = []) {
  const [carrierName = '', verificationType, countryScope] = CARRIERS[carrierCode] ?? [];
  const [status, named, message] = CODES[code];
  return {
    status,
    code: named,
    message: message.replace('{c}', carrierName),
    carrierCode,
    carrierName,
    verificationType,
    countryScope,
    suggestions,
  };
}

type Row = [street: string | null, city: string | null, zip: string, province: string | null, hours: number | null];

/** A suggestion with all seven fields. */
function suggestion([streetLine1, city, zip, province, transitTimeHours]: Row, country = 'IT') {
  return { streetLine1, streetLine2: null, city, zip, province, country, transitTimeHours };
}

const STREET = 'VIA DELLA LIBERTÀ 12';
const CITY = 'PALERMO';

// biome-ignore format: a table reads as rows
const OUTCOMES: [carrier: Asked, outcome: string, zip: string, code: keyof typeof CODES, ...suggestions: Row[]][] = [
  ['GLS', 'valid',           '90139', 'VALID',       [STREET, CITY, '90139', 'PA', 24]],
  ['GLS', 'corrected',       '90190', 'NORMALIZED',  [STREET, CITY, '90100', 'PA', 48]],
  ['GLS', 'several',         '90191', 'NORMALIZED',  ['VIA GIUSEPPE GARIBALDI 1', CITY, '90100', 'PA', 24],
                                                     ['VIA ANITA GARIBALDI 1', CITY, '90100', 'PA', 48],
                                                     ['PIAZZA GARIBALDI 1', CITY, '90100', 'PA', 72]],
  ['GLS', 'not found',       '90192', 'NOT_FOUND'],
  // GLS has no word for it: its list is empty.
  ['GLS', 'invalid',         '90193', 'NOT_FOUND'],
  ['GLS', 'offline',         '90194', 'UNAVAILABLE'],
  ['GLS', '429',             '90196', 'UNAVAILABLE'],
  ['GLS', 'bad credentials', '90197', 'ERROR'],
  ['GLS', 'malformed',       '90198', 'ERROR'],

  ['BRT', 'valid',           '90139', 'VALID',       [null, CITY, '90139', 'PA', null]],
  ['BRT', 'corrected',       '90190', 'NORMALIZED',  [null, CITY, '90100', 'PA', null]],
  // BRT routes to one place.
  ['BRT', 'several',         '90191', 'NORMALIZED',  [null, CITY, '90100', 'PA', null]],
  ['BRT', 'not found',       '90192', 'NOT_FOUND'],
  ['BRT', 'invalid',         '90193', 'INVALID'],
  ['BRT', 'offline',         '90194', 'UNAVAILABLE'],
  ['BRT', '429',             '90196', 'UNAVAILABLE'],
  ['BRT', 'bad credentials', '90197', 'ERROR'],
  ['BRT', 'malformed',       '90198', 'ERROR'],

  ['DHL', 'valid',           '90139', 'VALID',       [null, CITY, '90139', 'PA', null]],
  ['DHL', 'corrected',       '90190', 'NORMALIZED',  [null, CITY, '90100', 'PA', null]],
  ['DHL', 'several',         '90191', 'NORMALIZED',  [null, CITY, '90101', 'PA', null], [null, CITY, '90102', 'PA', null]],
  ['DHL', 'not found',       '90192', 'NOT_FOUND'],
  ['DHL', 'invalid',         '90193', 'INVALID'],
  ['DHL', 'offline',         '90194', 'UNAVAILABLE'],
  ['DHL', '429',             '90196', 'UNAVAILABLE'],
  ['DHL', 'bad credentials', '90197', 'ERROR'],
  ['DHL', 'malformed',       '90198', 'ERROR'],

  ['UPS', 'valid',           '90139', 'VALID',       [null, CITY, '90139', null, 24]],
  ['UPS', 'corrected',       '90190', 'NORMALIZED',  [null, CITY, '90100', 'PA', null]],
  ['UPS', 'several',         '90191', 'NORMALIZED',  [null, CITY, '90101', 'PA', null], [null, CITY, '90102', 'PA', null]],
  ['UPS', 'not found',       '90192', 'NOT_FOUND'],
  ['UPS', 'invalid',         '90193', 'INVALID'],
  ['UPS', 'offline',         '90194', 'UNAVAILABLE'],
  ['UPS', '429',             '90196', 'UNAVAILABLE'],
  ['UPS', 'bad credentials', '90197', 'ERROR'],
  ['UPS', 'malformed',       '90198', 'ERROR'],

  ['FEDEX', 'valid',           '90139', 'VALID',      [null, null, '90139', 'PA', null]],
  ['FEDEX', 'corrected',       '90190', 'NORMALIZED', [null, null, '90100', 'PA', null]],
  ['FEDEX', 'several',         '90191', 'NORMALIZED', [null, null, '90101', 'PA', null], [null, null, '90102', 'PA', null]],
  ['FEDEX', 'not found',       '90192', 'NOT_FOUND'],
  ['FEDEX', 'invalid',         '90193', 'INVALID'],
  ['FEDEX', 'offline',         '90194', 'UNAVAILABLE'],
  ['FEDEX', '429',             '90196', 'UNAVAILABLE'],
  ['FEDEX', 'bad credentials', '90197', 'ERROR'],
  ['FEDEX', 'malformed',       '90198', 'ERROR'],
];

describe('what a carrier says becomes the same few outcomes', () => {
  test.each(OUTCOMES)('%s, %s (%s): %s', async (carrier, _outcome, zip, code, ...suggestions) => {
    const { status, body } = await check(connections[carrier], { zip });
    expect(status).toBe(200);
    expect(body).toEqual(
      result(
        carrier,
        code,
        suggestions.map(row => suggestion(row)),
      ),
    );
  });

  test.each(OUTCOMES)('and the same through the graph: %s, %s (%s)', async (carrier, _outcome, zip) => {
    const input = { ...ADDRESS, zip, carrierCompanyId: connections[carrier] };
    const { data, errors } = await caller.graphql(
      `query ($input: AddressCheckInput!) { checkAddress(input: $input) {
        status code message carrierCode carrierName verificationType countryScope
        suggestions { streetLine1 streetLine2 city zip province country transitTimeHours }
      } }`,
      { input },
    );
    expect(errors).toBeUndefined();
    expect(data.checkAddress).toEqual((await check(connections[carrier], { zip })).body);
  });

  test.each(ASKED)('what %s suggests is itself valid, when it is checked in its turn', async carrier => {
    const [first] = (await check(connections[carrier], { zip: '90190' })).body.suggestions;
    const { body } = await check(connections[carrier], { zip: first.zip, city: first.city ?? ADDRESS.city });
    expect(body.code).toBe('ADDRESS_VALID');
  });
});

describe('an account that the carrier does not know', () => {
  test.each(
    ASKED.flatMap(carrier =>
      Object.keys(CREDENTIALS[carrier])
        // GLS' contract is asked for by the tracking only.
        .filter(name => name !== 'contractCode')
        .map(name => ({ carrier, name })),
    ),
  )('$carrier with another $name can not verify', async ({ carrier, name }) => {
    const credentials = { ...CREDENTIALS[carrier], [name]: 'another' };
    const { status, body } = await check(await connectSandbox(caller, carrier, { credentials }));
    expect(status).toBe(200);
    expect(body).toEqual(result(carrier, 'ERROR'));
  });

  test.each(ASKED)('%s verifies once it has the right one', async carrier => {
    const wrong = Object.fromEntries(Object.keys(CREDENTIALS[carrier]).map(name => [name, 'another']));
    const id = await connectSandbox(caller, carrier, { credentials: wrong });
    expect((await check(id)).body.code).toBe('VERIFICATION_ERROR');
    await update(id, { credentials: CREDENTIALS[carrier] });
    expect((await check(id)).body.code).toBe('ADDRESS_VALID');
    await update(id, { credentials: wrong });
    expect((await check(id)).body.code).toBe('VERIFICATION_ERROR');
  });
});

async function update(id: number, input: object): Promise<void> {
  const { errors } = await caller.graphql(
    `mutation ($id: Int!, $input: UpdateCarrierConnectionInput!) {
      updateCarrierConnection(carrierCompanyId: $id, input: $input) { carrierCompanyId }
    }`,
    { id, input },
  );
  expect(errors).toBeUndefined();
}

describe('carriers that are not asked', () => {
  test.each(['POSTE', 'SDA', 'INPOST'])('%s offers no verification', async carrier => {
    const id = await connectCarrier(caller, carrier);
    for (const country of ['IT', 'DE']) {
      const { status, body } = await check(id, { country });
      expect(status).toBe(200);
      expect(body).toEqual(result(carrier, 'UNSUPPORTED'));
    }
  });

  test.each(
    (['GLS', 'BRT'] as const).flatMap(carrier => ['SM', 'VA', 'DE', 'de', 'US'].map(country => ({ carrier, country }))),
  )('$carrier verifies nothing in $country', async ({ carrier, country }) => {
    // An outcome that would show if it were asked; and no province is asked for abroad.
    const { status, body } = await check(connections[carrier], { country, zip: '47892', provincia: undefined });
    expect(status).toBe(200);
    expect(body).toEqual(result(carrier, 'FOREIGN'));
  });

  test.each(
    (['DHL', 'UPS', 'FEDEX'] as const).flatMap(carrier =>
      ['SM', 'VA', 'DE', 'US'].map(country => ({ carrier, country })),
    ),
  )('$carrier is asked about $country', async ({ carrier, country }) => {
    const valid = await check(connections[carrier], { country, zip: '47899', provincia: null });
    expect([valid.status, valid.body.code]).toEqual([200, 'ADDRESS_VALID']);
    const city = carrier === 'FEDEX' ? null : CITY;
    const hours = carrier === 'UPS' ? 48 : null;
    expect(valid.body.suggestions).toEqual([suggestion([null, city, '47899', null, hours], country)]);
    const { body } = await check(connections[carrier], { country, zip: '47892', provincia: undefined });
    expect(body).toEqual(result(carrier, 'NOT_FOUND'));
  });

  test.each(ASKED)('an inactive connection to %s is not used until it is active again', async carrier => {
    const id = await connectSandbox(caller, carrier, { isActive: false });
    const { status, body } = await check(id);
    expect(status).toBe(200);
    expect(body).toEqual(result(carrier, 'UNAVAILABLE'));
    await update(id, { isActive: true });
    expect((await check(id)).body.code).toBe('ADDRESS_VALID');
    await update(id, { isActive: false });
    expect((await check(id)).body).toEqual(result(carrier, 'UNAVAILABLE'));
  });

  test.each(ASKED)('a connection to %s without credentials can not verify', async carrier => {
    const id = await connectSandbox(caller, carrier, { credentials: undefined });
    const { status, body } = await check(id);
    expect(status).toBe(200);
    expect(body).toEqual(result(carrier, 'ERROR'));
    // That of a live account neither: the sandbox is none of its business.
    expect((await check(await connectCarrier(caller, carrier))).body).toEqual(result(carrier, 'ERROR'));
  });

  test('what makes a check senseless comes before why this connection could not make it', async () => {
    const inactive = await connectSandbox(caller, 'GLS', { isActive: false });
    expect((await check(inactive, { country: 'DE' })).body).toEqual(result('GLS', 'FOREIGN'));
    const bare = await connectSandbox(caller, 'BRT', { credentials: undefined });
    expect((await check(bare, { country: 'SM' })).body).toEqual(result('BRT', 'FOREIGN'));
    const poste = await connectCarrier(caller, 'POSTE', 'Conto', false);
    expect((await check(poste)).body).toEqual(result('POSTE', 'UNSUPPORTED'));
  });
});

describe('connections that are not there', () => {
  let never: Answer;
  beforeAll(async () => {
    never = await check(2147483647);
  });

  test('one that never was is 404', () => {
    expect([never.status, never.body.code]).toEqual([404, 'carrier_connection_not_found']);
  });

  test.each([0, -1, -2147483648, 2147483646])('%s answers as one that never was', async id => {
    expect(unnamed(await check(id))).toEqual(unnamed(never));
  });

  test("another company's answers as one that never was, whatever its state", async () => {
    const other = await world.company();
    for (const overrides of [{}, { isActive: false }, { credentials: undefined }]) {
      const id = await connectSandbox(other, 'DHL', overrides);
      expect(unnamed(await check(id))).toEqual(unnamed(never));
      expect((await check(id, {}, other)).status).toBe(200);
    }
    const poste = await connectCarrier(other, 'POSTE');
    expect(unnamed(await check(poste))).toEqual(unnamed(never));
  });

  test('one that was disconnected answers as one that never was', async () => {
    const id = await connectSandbox(caller, 'BRT');
    expect((await check(id)).status).toBe(200);
    const { errors } = await caller.graphql(
      'mutation ($id: Int!) { disconnectCarrier(carrierCompanyId: $id) { carrierCompanyId } }',
      { id },
    );
    expect(errors).toBeUndefined();
    expect(unnamed(await check(id))).toEqual(unnamed(never));
  });

  test('what is wrong with the address comes first', async () => {
    expect((await check(2147483647, { city: ' ' })).status).toBe(422);
  });
});

describe('a body that is wrong is refused with the place of each mistake', () => {
  const long = (n: number) => 'x'.repeat(n);

  // biome-ignore format: a table reads as rows
  test.each<[what: string, fields: object, ...wrong: [pointer: string, code: string][]]>([
    ['no connection',            { carrierCompanyId: undefined },           ['/carrierCompanyId', 'required']],
    ['no address',               { address: undefined },                    ['/address', 'required']],
    ['no city',                  { city: undefined },                       ['/city', 'required']],
    ['no zip',                   { zip: undefined },                        ['/zip', 'required']],
    ['no provincia in Italy',    { provincia: undefined },                  ['/provincia', 'required']],
    ['nor where Italy is meant', { provincia: undefined, country: undefined }, ['/provincia', 'required']],
    ['a null connection',        { carrierCompanyId: null },                ['/carrierCompanyId', 'required']],
    ['a null address',           { address: null },                         ['/address', 'required']],
    ['a null city',              { city: null },                            ['/city', 'required']],
    ['a null zip',               { zip: null },                             ['/zip', 'required']],
    ['a null provincia',         { provincia: null },                       ['/provincia', 'required']],
    ['an empty address',         { address: '' },                           ['/address', 'required']],
    ['a blank address',          { address: ' \t ' },                       ['/address', 'required']],
    ['a blank city',             { city: '  ' },                            ['/city', 'required']],
    ['a blank zip',              { zip: ' ' },                              ['/zip', 'required']],
    ['a blank provincia',        { provincia: ' ' },                        ['/provincia', 'required']],
    ['a blank country',          { country: ' ' },                          ['/country', 'unknown_country']],
    ['a connection in text',     { carrierCompanyId: '1' },                 ['/carrierCompanyId', 'wrong_type']],
    ['half a connection',        { carrierCompanyId: 1.5 },                 ['/carrierCompanyId', 'wrong_type']],
    ['too great a connection',   { carrierCompanyId: 2147483648 },          ['/carrierCompanyId', 'wrong_type']],
    ['a connection that is true', { carrierCompanyId: true },               ['/carrierCompanyId', 'wrong_type']],
    ['connections',              { carrierCompanyId: [1] },                 ['/carrierCompanyId', 'wrong_type']],
    ['a numeric zip',            { zip: 90139 },                            ['/zip', 'wrong_type']],
    ['lines of address',         { address: ['Via della Libertà', '12'] },  ['/address', 'wrong_type']],
    ['an object for a city',     { city: { name: 'Palermo' } },             ['/city', 'wrong_type']],
    ['a province that is true',  { provincia: true },                       ['/provincia', 'wrong_type']],
    ['a numeric country',        { country: 39 },                           ['/country', 'wrong_type']],
    ['an address of 201',        { address: long(201) },                    ['/address', 'too_long']],
    ['a city of 201',            { city: long(201) },                       ['/city', 'too_long']],
    ['a zip of 21',              { zip: '9'.repeat(21) },                   ['/zip', 'too_long']],
    ['a provincia of 201',       { provincia: long(201) },                  ['/provincia', 'too_long']],
    ['a huge address',           { address: long(200_000) },                ['/address', 'too_long']],
    ['a huge country',           { country: long(200_000) },                ['/country', 'unknown_country']],
    ['a country nobody has',     { country: 'XX' },                         ['/country', 'unknown_country']],
    ['a country of three letters', { country: 'ITA' },                      ['/country', 'unknown_country']],
    ['the name of a country',    { country: 'Italia' },                     ['/country', 'unknown_country']],
    ['UK, which is no code',     { country: 'UK' },                         ['/country', 'unknown_country']],
    ['a dotless ı',              { country: 'ıt' },                         ['/country', 'unknown_country']],
    ['a line break',             { address: 'Via della\nLibertà 12' },      ['/address', 'invalid_text']],
    ['a NUL',                    { city: 'Pal\u0000ermo' },                 ['/city', 'invalid_text']],
    ['an escape',                { zip: '901\u001b39' },                    ['/zip', 'invalid_text']],
    ['a DEL in the province',    { provincia: 'P\u007fA' },                 ['/provincia', 'invalid_text']],
    ['half a character',         { city: 'Palermo \ud83d' },                ['/city', 'invalid_text']],
    ['a field that is not ours', { note: 'citofono' },                      ['/note', 'unknown_field']],
    ['one that belongs elsewhere', { 'postal/Code~': '90139' },             ['/postal~1Code~0', 'unknown_field']],
    ['a field of the prototype', { constructor: {} },                       ['/constructor', 'unknown_field']],
    ['several at once',          { address: '', city: long(201), zip: 'x\u0000', provincia: null, country: 'it' },
                                 ['/address', 'required'], ['/city', 'too_long'], ['/zip', 'invalid_text'], ['/provincia', 'required']],
  ])('%s', async (_what, fields, ...wrong) => {
    const { status, body } = await check(connections.DHL, fields);
    expect([status, body.code]).toEqual([422, 'validation_failed']);
    expect(sorted(body.errors.map((one: { pointer: string; code: string }) => [one.pointer, one.code]))).toEqual(
      sorted(wrong),
    );
  });

  const sorted = (wrong: readonly (readonly string[])[]) => wrong.map(one => one.join(' ')).toSorted();

  test('nothing at all names all that must be given', async () => {
    for (const body of [undefined, {}]) {
      const answer = await caller.rest('POST', '/addresses/check-address', body);
      expect(answer.status).toBe(422);
      expect(answer.body.errors.map((one: { pointer: string; code: string }) => `${one.pointer} ${one.code}`)).toEqual(
        expect.arrayContaining(['/carrierCompanyId required', '/address required', '/city required', '/zip required']),
      );
    }
  });

  test.each([
    ['a list', '[]', 422, 'validation_failed'],
    ['a text', '"Via Roma 1"', 422, 'validation_failed'],
    ['null', 'null', 422, 'validation_failed'],
    ['half an object', '{"city":', 400, 'malformed_json'],
    ['300 kB', JSON.stringify({ address: long(300_000) }), 413, 'body_too_large'],
  ])('%s is no address', async (_what, text, status, code) => {
    const answer = await caller.rest('POST', '/addresses/check-address', text);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  test.each([
    ['exactly as long as may be', { address: `Via ${long(196)}`, city: long(200), zip: `${'1'.repeat(18)}39` }],
    ['a letter beyond the basic plane counts once', { city: '𝒫'.repeat(200) }],
    ['blanks around', { address: '  Via della Libertà 12 ', city: ' Palermo', zip: ' 90139 ', provincia: ' PA ' }],
    ['a country in small letters', { country: 'it' }],
    ['no country, which is Italy', { country: undefined }],
    ['a null country, which is Italy', { country: null }],
    ['signs that mean something elsewhere', { address: `Via "D'Annunzio" <12> & {x} %00 \\ ; -- ?q=#`, city: '../..' }],
  ])('%s is taken', async (_what, fields) => {
    for (const carrier of ASKED) {
      const { status, body } = await check(connections[carrier], fields);
      expect([carrier, status, body.code]).toEqual([carrier, 200, 'ADDRESS_VALID']);
    }
  });
});

describe('provinces', () => {
  test.each([
    ['PA', 'PA'],
    ['pa', 'PA'],
    ['Palermo', 'PA'],
    ['palermo', 'PA'],
    ["L'Aquila", 'AQ'],
    ['Forlì-Cesena', 'FC'],
    ['reggio nell’emilia', 'RE'],
    // Sardinia's come and go: one that nobody knows is the carrier's to judge.
    ['xq', 'XQ'],
  ])('%s is asked about as %s', async (provincia, asked) => {
    for (const carrier of ['GLS', 'BRT', 'DHL'] as const) {
      const { body } = await check(connections[carrier], { provincia });
      expect(body.code).toBe('ADDRESS_VALID');
      expect(body.suggestions[0].province).toBe(asked);
    }
  });
});

describe("GLS' registry has VIALE DELLA LIBERTA' 12/A", () => {
  test.each([
    'Viale della Libertà 12/A',
    "viale della liberta' 12/a",
    'V.le della Libertà, 12 A',
    'VLE DELLA LIBERTA 12A',
    'Viale della Libertà n. 12/a',
    '  viale  della  libertà   n° 12 - A ',
  ])('%s is the same', async address => {
    const { body } = await check(connections.GLS, { address, zip: REGISTERED, city: 'palermo' });
    const known = suggestion(["VIALE DELLA LIBERTA' 12/A", CITY, REGISTERED, 'PA', 24]);
    expect(body).toEqual(result('GLS', 'VALID', [known]));
  });

  test.each([
    'Via della Libertà 12/A',
    'Viale della Libertà 12/B',
    'Viale della Libertà 14/A',
    'Viale Libertino 12/A',
    'Viale della Libertà',
  ])('%s is another', async address => {
    const { body } = await check(connections.GLS, { address, zip: REGISTERED });
    const known = suggestion(["VIALE DELLA LIBERTA' 12/A", CITY, REGISTERED, 'PA', 24]);
    expect(body).toEqual(result('GLS', 'NORMALIZED', [known]));
  });

  test('and where it knows the town alone, the street is not right', async () => {
    const { body } = await check(connections.GLS, { zip: WITHOUT_STREETS });
    expect(body).toEqual(result('GLS', 'NORMALIZED', [suggestion([null, CITY, WITHOUT_STREETS, 'PA', 24])]));
  });
});

test('what BRT says it corrects is corrected, though it looks the same', async () => {
  const { body } = await check(connections.BRT, { zip: CORRECTED });
  expect(body).toEqual(result('BRT', 'NORMALIZED', [suggestion([null, CITY, CORRECTED, 'PA', null])]));
});

describe('who may check', () => {
  test('a key with only that scope', async () => {
    const key = await world.key(caller.companyId, ['addresses:check']);
    expect((await check(connections.DHL, {}, key)).body.code).toBe('ADDRESS_VALID');
  });

  test('no key without it, whatever it asks about, over REST and in the graph', async () => {
    const key = await world.key(caller.companyId, ['carriers:read', 'carriers:manage', 'shipments:quote']);
    for (const fields of [{}, { city: null }]) {
      const { status, body } = await check(connections.DHL, fields, key);
      expect([status, body.code, body.requiredScope]).toEqual([403, 'insufficient_scope', 'addresses:check']);
    }
    const { errors } = await key.graphql(
      'query ($input: AddressCheckInput!) { checkAddress(input: $input) { code } }',
      { input: { ...ADDRESS, carrierCompanyId: connections.DHL } },
    );
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'insufficient_scope', requiredScope: 'addresses:check' });
  });
});

describe('nothing of an address is kept', () => {
  /** Occurs in every part of an address and nowhere else. */
  const MARK = 'Xyzzyq';

  test('neither in the database nor in the log, whatever comes of the check', async () => {
    const watched = logged.as(await world.company());
    // Shows that what is searched would show it.
    const ids = [];
    for (const carrier of ASKED) ids.push(await connectSandbox(watched, carrier, { label: 'Plughville' }));
    const endings = ['39', '90', '91', '92', '93', '94', '96', '97', '98'];
    for (const id of [...ids, await connectCarrier(watched, 'POSTE')]) {
      await Promise.all(
        endings.map(async ending => {
          const fields = { address: `Via ${MARK} 12`, city: `San ${MARK}`, zip: `${MARK} ${ending}`, provincia: MARK };
          const { status, text } = await check(id, fields, watched);
          expect(status).toBe(200);
          // A refusal may say what is wrong, a result what the carrier knows: neither is kept.
          expect(text).not.toContain('"errors"');
        }),
      );
    }
    for (const fields of [{ city: `${MARK}\n${MARK}` }, { zip: MARK.repeat(9) }, { country: MARK }, { [MARK]: MARK }]) {
      expect((await check(ids[0], { address: MARK, provincia: MARK, ...fields }, watched)).status).toBe(422);
    }
    expect((await check(2147483647, { address: MARK }, watched)).status).toBe(404);

    expect(logged.log()).toContain('/addresses/check-address');
    expect(logged.log()).toContain('carrier asked');
    expect(logged.log()).not.toMatch(new RegExp(MARK, 'i'));
    const client = new pg.Client({ connectionString: world.databaseUrl });
    await client.connect();
    try {
      expect(await tablesWith(client, 'Plughville')).toEqual(['public.carrier_connection']);
      expect(await tablesWith(client, MARK)).toEqual([]);
    } finally {
      await client.end();
    }
  });

  /** Tables with a row that has a word in it, in any case, in whatever column: texts, JSON, lists, and bytes. */
  async function tablesWith(client: pg.Client, word: string): Promise<string[]> {
    const { rows: tables } = await client.query<{ name: string; columns: string[]; bytes: string[] }>(
      `select format('%I.%I', table_schema, table_name) as name,
          array_agg(format('%I', column_name)) as columns,
          coalesce(array_agg(format('%I', column_name)) filter (where data_type = 'bytea'), '{}') as bytes
        from information_schema.columns join information_schema.tables using (table_schema, table_name)
        where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')
        group by 1 order by 1`,
    );
    expect(tables.length).toBeGreaterThan(10);
    const found: string[] = [];
    for (const { name, columns, bytes } of tables) {
      const texts = [
        ...columns.map(column => `${column}::text`),
        ...bytes.map(column => `encode(${column}, 'escape')`),
      ];
      const { rowCount } = await client.query(
        `select 1 from ${name} where concat_ws(' ', ${texts.join(', ')}) ilike '%' || $1 || '%' limit 1`,
        [word],
      );
      if (rowCount) found.push(name);
    }
    return found;
  }
});

test('a carrier that says nothing is given up after eight seconds', async () => {
  for (const { carrier, answer, tookMs } of await slow) {
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual(result(carrier, 'UNAVAILABLE'));
    expect(tookMs).toBeGreaterThan(7_000);
    expect(tookMs).toBeLessThan(12_000);
  }
});
