import { beforeAll, describe, expect, test } from 'vitest';
import { ASKED, connectSandbox } from '../support/carriers.ts';
import { resultOf } from '../support/graphql-client.ts';
import { connectCarrier } from '../support/platform-side.ts';
import type { Answer } from '../support/rest-client.ts';
import { ADDRESS, CITY, result, suggestion, useAddressChecks } from './address-checks.ts';
import { unnamed } from './raw-http.ts';

const given = useAddressChecks();
const { check, connections, update, world } = given;

describe('A carrier is asked only if it can answer:', () => {
  test.each(['POSTE', 'SDA', 'INPOST'])('%s offers no verification', async carrier => {
    const id = await connectCarrier(given.caller, carrier);
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

  test.each([
    ['GLS', '47890'],
    ['BRT', '47899'],
    ['GLS', '00120'],
  ] as const)('%s verifies nothing at the CAP %s, which is outside Italy', async (carrier, zip) => {
    for (const country of ['IT', undefined]) {
      const { status, body } = await check(connections[carrier], { country, zip, provincia: undefined });
      expect([status, body]).toEqual([200, result(carrier, 'FOREIGN')]);
    }
  });

  test.each([
    ['AE', undefined],
    ['HK', null],
    ['LU', 'L-1009'],
    ['NL', '1234ab'],
  ])('a worldwide carrier is asked about %s with the postal code %s', async (country, zip) => {
    const { status, body } = await check(connections.DHL, { country, zip, provincia: undefined });
    expect([status, body.code]).toEqual([200, 'ADDRESS_VALID']);
  });

  test('no carrier is asked without a postal code if the country has them', async () => {
    const { status, body } = await check(connections.DHL, { country: 'DE', zip: undefined, provincia: undefined });
    expect([status, body.errors?.map(({ pointer, code }: Record<string, string>) => [pointer, code])]).toEqual([
      422,
      [['/zip', 'required']],
    ]);
  });

  test('a worldwide carrier is asked about San Marino if its CAP is written as Italian', async () => {
    // In Italy the province would be required.
    const { status, body } = await check(connections.DHL, { country: 'IT', zip: '47899', provincia: undefined });
    expect([status, body.code]).toEqual([200, 'ADDRESS_VALID']);
    for (const { country } of body.suggestions) expect(country).toBe('SM');
  });

  test.each(
    (['DHL', 'UPS', 'FEDEX'] as const).flatMap(carrier =>
      ['SM', 'VA', 'DE', 'US'].map(country => ({ carrier, country })),
    ),
  )('$carrier is asked about $country', async ({ carrier, country }) => {
    const valid = await check(connections[carrier], { country, zip: '47899', provincia: null });
    expect([valid.status, valid.body.code]).toEqual([200, 'ADDRESS_VALID']);
    const inTime = suggestion([ADDRESS.address, CITY, '47899', null, 48], country);
    expect(valid.body.suggestions).toEqual(carrier === 'UPS' ? [inTime] : []);
    const { body } = await check(connections[carrier], { country, zip: '47892', provincia: undefined });
    expect(body).toEqual(result(carrier, 'NOT_FOUND'));
  });

  test.each(ASKED)('an inactive connection to %s is not used until it is active again', async carrier => {
    const id = await connectSandbox(given.caller, carrier, { isActive: false });
    const { status, body } = await check(id);
    expect(status).toBe(200);
    expect(body).toEqual(result(carrier, 'UNAVAILABLE'));
    await update(id, { isActive: true });
    expect((await check(id)).body.code).toBe('ADDRESS_VALID');
    await update(id, { isActive: false });
    expect((await check(id)).body).toEqual(result(carrier, 'UNAVAILABLE'));
  });

  test.each(ASKED)('a connection to %s without credentials cannot verify', async carrier => {
    const id = await connectSandbox(given.caller, carrier, { credentials: undefined });
    const { status, body } = await check(id);
    expect(status).toBe(200);
    expect(body).toEqual(result(carrier, 'ERROR'));
    // Neither can a connection of a live company: its account is not asked.
    expect((await check(await connectCarrier(given.caller, carrier))).body).toEqual(result(carrier, 'ERROR'));
  });

  test('a reason against any check precedes a reason against this connection', async () => {
    const inactive = await connectSandbox(given.caller, 'GLS', { isActive: false });
    expect((await check(inactive, { country: 'DE' })).body).toEqual(result('GLS', 'FOREIGN'));
    const bare = await connectSandbox(given.caller, 'BRT', { credentials: undefined });
    expect((await check(bare, { country: 'SM' })).body).toEqual(result('BRT', 'FOREIGN'));
    const poste = await connectCarrier(given.caller, 'POSTE', 'Conto', false);
    expect((await check(poste)).body).toEqual(result('POSTE', 'UNSUPPORTED'));
  });
});

describe('For a connection that does not exist', () => {
  let never: Answer;
  beforeAll(async () => {
    never = await check(2147483647);
  });

  test('the response is 404', () => {
    expect([never.status, never.body.code]).toEqual([404, 'carrier_connection_not_found']);
  });

  test.each([0, -1, -2147483648, 2147483646])('%s gets the same response as an id that never existed', async id => {
    expect(unnamed(await check(id))).toEqual(unnamed(never));
  });

  test('another company’s gets the same response as an id that never existed, whatever its state', async () => {
    const other = await world.sandbox();
    for (const overrides of [{}, { isActive: false }, { credentials: undefined }]) {
      const id = await connectSandbox(other, 'DHL', overrides);
      expect(unnamed(await check(id))).toEqual(unnamed(never));
      expect((await check(id, {}, other)).status).toBe(200);
    }
    const poste = await connectCarrier(other, 'POSTE');
    expect(unnamed(await check(poste))).toEqual(unnamed(never));
  });

  test('a disconnected one gets the same response as an id that never existed', async () => {
    const id = await connectSandbox(given.caller, 'BRT');
    expect((await check(id)).status).toBe(200);
    const answer = await given.caller.graphql(
      'mutation ($id: ID!) { disconnectCarrier(input: { id: $id }) { carrierConnection { databaseId } userErrors { code pointer message } } }',
      { id },
    );
    resultOf(answer);
    expect(unnamed(await check(id))).toEqual(unnamed(never));
  });

  test('errors of the address precede the 404', async () => {
    expect((await check(2147483647, { city: ' ' })).status).toBe(422);
  });
});

describe('A wrong body is rejected with the place of each mistake:', () => {
  const long = (n: number) => 'x'.repeat(n);

  // biome-ignore format: a table reads as rows
  test.each<[what: string, fields: object, ...wrong: [pointer: string, code: string][]]>([
    ['no connection',            { carrierCompanyId: undefined },           ['/carrierCompanyId', 'required']],
    ['no address',               { address: undefined },                    ['/address', 'required']],
    ['no city',                  { city: undefined },                       ['/city', 'required']],
    ['no zip',                   { zip: undefined },                        ['/zip', 'required']],
    ['no provincia in Italy',    { provincia: undefined },                  ['/provincia', 'required']],
    ['nor where Italy is meant', { provincia: undefined, country: undefined }, ['/provincia', 'required']],
    ['a null provincia',         { provincia: null },                       ['/provincia', 'required']],
    ['a connection in text',     { carrierCompanyId: '1' },                 ['/carrierCompanyId', 'wrong_type']],
    ['a numeric zip',            { zip: 90139 },                            ['/zip', 'wrong_type']],
    ['an address of 201',        { address: long(201) },                    ['/address', 'too_long']],
    ['a city of 201',            { city: long(201) },                       ['/city', 'too_long']],
    ['a country nobody has',     { country: 'XX' },                         ['/country', 'unknown_country']],
    ['a bell',                   { address: 'Via della\u0007Libertà 12' },      ['/address', 'invalid_text']],
    ['a field that is not ours', { note: 'citofono' },                      ['/note', 'unknown_field']],
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

  test('the empty object, with all that must be given', async () => {
    const answer = await given.caller.rest('POST', '/addresses/check-address', {});
    expect(answer.status).toBe(422);
    expect(answer.body.errors.map((one: { pointer: string; code: string }) => `${one.pointer} ${one.code}`)).toEqual(
      expect.arrayContaining(['/carrierCompanyId required', '/address required', '/city required', '/zip required']),
    );
  });

  test.each([
    ['exactly as long as may be', { address: `Via ${long(196)}`, city: long(200), zip: `${'1'.repeat(18)}39` }],
    ['a letter beyond the basic plane counts once', { city: '𝒫'.repeat(200) }],
    ['blanks around', { address: '  Via della Libertà 12 ', city: ' Palermo', zip: ' 90139 ', provincia: ' PA ' }],
    ['a country in small letters', { country: 'it' }],
    ['no country, which is Italy', { country: undefined }],
    ['a null country, which is Italy', { country: null }],
    ['signs that mean something elsewhere', { address: `Via "D'Annunzio" <12> & {x} %00 \\ ; -- ?q=#`, city: '../..' }],
  ])('but a body is accepted with %s', async (_what, fields) => {
    for (const carrier of ASKED) {
      const { status, body } = await check(connections[carrier], fields);
      expect([carrier, status, body.code]).toEqual([carrier, 200, 'ADDRESS_VALID']);
    }
  });
});
