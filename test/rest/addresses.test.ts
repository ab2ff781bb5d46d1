import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { ASKED, type Asked, askedAt, CREDENTIALS, connectSandbox, useLoggedApp } from '../support/carriers.ts';
import { connectCarrier } from '../support/platform-side.ts';
import {
  ADDRESS,
  CITY,
  type CODES,
  CORRECTED,
  GENERIC_CAP,
  REGISTERED,
  type Row,
  result,
  suggestion,
  useAddressChecks,
  WITHOUT_STREETS,
} from './address-checks.ts';

const given = useAddressChecks();
const { world, sandbox, check, connections, update } = given;

const logged = useLoggedApp(world, askedAt(sandbox));

const STREET = 'VIA DELLA LIBERTÀ 12';

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

  ['BRT', 'valid',           '90139', 'VALID'],
  ['BRT', 'corrected',       '90190', 'NORMALIZED',  [ADDRESS.address, CITY, '90100', 'PA', null]],
  // BRT routes to one place.
  ['BRT', 'several',         '90191', 'NORMALIZED',  [ADDRESS.address, CITY, '90100', 'PA', null]],
  ['BRT', 'not found',       '90192', 'NOT_FOUND'],
  ['BRT', 'invalid',         '90193', 'INVALID'],
  ['BRT', 'offline',         '90194', 'UNAVAILABLE'],
  ['BRT', '429',             '90196', 'UNAVAILABLE'],
  ['BRT', 'bad credentials', '90197', 'ERROR'],
  ['BRT', 'malformed',       '90198', 'ERROR'],

  ['DHL', 'valid',           '90139', 'VALID'],
  ['DHL', 'corrected',       '90190', 'NORMALIZED',  [ADDRESS.address, CITY, '90100', 'PA', null]],
  ['DHL', 'several',         '90191', 'NORMALIZED',  [ADDRESS.address, CITY, '90101', 'PA', null], [ADDRESS.address, CITY, '90102', 'PA', null]],
  ['DHL', 'not found',       '90192', 'NOT_FOUND'],
  ['DHL', 'invalid',         '90193', 'INVALID'],
  ['DHL', 'offline',         '90194', 'UNAVAILABLE'],
  ['DHL', '429',             '90196', 'UNAVAILABLE'],
  ['DHL', 'bad credentials', '90197', 'ERROR'],
  ['DHL', 'malformed',       '90198', 'ERROR'],

  ['UPS', 'valid',           '90139', 'VALID',       [ADDRESS.address, CITY, '90139', 'PA', 24]],
  ['UPS', 'corrected',       '90190', 'NORMALIZED',  [ADDRESS.address, CITY, '90100', 'PA', null]],
  ['UPS', 'several',         '90191', 'NORMALIZED',  [ADDRESS.address, CITY, '90101', 'PA', null], [ADDRESS.address, CITY, '90102', 'PA', null]],
  ['UPS', 'not found',       '90192', 'NOT_FOUND'],
  ['UPS', 'invalid',         '90193', 'INVALID'],
  ['UPS', 'offline',         '90194', 'UNAVAILABLE'],
  ['UPS', '429',             '90196', 'UNAVAILABLE'],
  ['UPS', 'bad credentials', '90197', 'ERROR'],
  ['UPS', 'malformed',       '90198', 'ERROR'],

  ['FEDEX', 'valid',           '90139', 'VALID'],
  ['FEDEX', 'corrected',       '90190', 'NORMALIZED', [ADDRESS.address, ADDRESS.city, '90100', 'PA', null]],
  ['FEDEX', 'several',         '90191', 'NORMALIZED', [ADDRESS.address, ADDRESS.city, '90101', 'PA', null], [ADDRESS.address, ADDRESS.city, '90102', 'PA', null]],
  ['FEDEX', 'not found',       '90192', 'NOT_FOUND'],
  ['FEDEX', 'invalid',         '90193', 'INVALID'],
  ['FEDEX', 'offline',         '90194', 'UNAVAILABLE'],
  ['FEDEX', '429',             '90196', 'UNAVAILABLE'],
  ['FEDEX', 'bad credentials', '90197', 'ERROR'],
  ['FEDEX', 'malformed',       '90198', 'ERROR'],
];

describe('The results of a carrier become the same few outcomes:', () => {
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

  test.each(ASKED)('and the same through the graph: a correction by %s', async carrier => {
    const zip = '90190';
    const input = { ...ADDRESS, zip, carrierConnectionId: connections[carrier] };
    const { data, errors } = await given.caller.graphql(
      `query ($input: AddressCheckInput!) { checkAddress(input: $input) {
        status code message carrierCode carrierName verificationType countryScope
        suggestions { streetLine1 streetLine2 city zip province country transitTimeHours }
      } }`,
      { input },
    );
    expect(errors).toBeUndefined();
    expect(data.checkAddress).toEqual((await check(connections[carrier], { zip })).body);
  });

  test.each(ASKED)('the suggestion of %s is valid when it is checked as a whole', async carrier => {
    const [{ streetLine1, city, zip, province, country }] = (await check(connections[carrier], { zip: '90190' })).body
      .suggestions;
    const { body } = await check(connections[carrier], {
      address: streetLine1,
      city,
      zip,
      provincia: province,
      country,
    });
    expect(body.code).toBe('ADDRESS_VALID');
  });
});

describe('With an account that the carrier does not know', () => {
  /** Credentials for tracking only, and a client of BRT, which its stand-in does not compare. */
  const NOT_ASKED_FOR = ['contractCode', 'trackClientId', 'trackClientSecret', 'clientCode'];

  test.each(
    ASKED.flatMap(carrier =>
      Object.keys(CREDENTIALS[carrier])
        .filter(name => !NOT_ASKED_FOR.includes(name))
        .map(name => ({ carrier, name })),
    ),
  )('$carrier and another $name cannot verify', async ({ carrier, name }) => {
    const credentials = { ...CREDENTIALS[carrier], [name]: 'another' };
    const { status, body } = await check(await connectSandbox(given.caller, carrier, { credentials }));
    expect(status).toBe(200);
    expect(body).toEqual(result(carrier, 'ERROR'));
  });

  test.each(ASKED)('%s verifies only once it has the right one', async carrier => {
    const wrong = Object.fromEntries(Object.keys(CREDENTIALS[carrier]).map(name => [name, 'another']));
    const id = await connectSandbox(given.caller, carrier, { credentials: wrong });
    expect((await check(id)).body.code).toBe('VERIFICATION_ERROR');
    await update(id, { credentials: CREDENTIALS[carrier] });
    expect((await check(id)).body.code).toBe('ADDRESS_VALID');
    await update(id, { credentials: wrong });
    expect((await check(id)).body.code).toBe('VERIFICATION_ERROR');
  });
});

describe('A province', () => {
  test.each([
    ['PA', 'PA'],
    ['Palermo', 'PA'],
    ['Forlì-Cesena', 'FC'],
    // Sardinia's come and go: one that nobody knows is the carrier's to judge.
    ['xq', 'XQ'],
  ])('such as %s is sent as %s', async (provincia, asked) => {
    for (const carrier of ['GLS', 'BRT', 'DHL'] as const) {
      // One that is corrected, so that the carrier repeats its province.
      const { body } = await check(connections[carrier], { provincia, zip: '90190' });
      expect(body.code).toBe('ADDRESS_NORMALIZED');
      expect(body.suggestions[0].province).toBe(asked);
    }
  });
});

describe("In GLS’ registry, which has VIALE DELLA LIBERTA' 12/A,", () => {
  test.each(['Viale della Libertà 12/A', 'Viale della Libertà n. 12/a', '  viale  della  libertà   n° 12 - A '])(
    '%s is the same address',
    async address => {
      const { body } = await check(connections.GLS, { address, zip: REGISTERED, city: 'palermo' });
      const known = suggestion(["VIALE DELLA LIBERTA' 12/A", CITY, REGISTERED, 'PA', 24]);
      expect(body).toEqual(result('GLS', 'VALID', [known]));
    },
  );

  test.each(['Via della Libertà 12/A', 'Viale della Libertà 12/B', 'Viale della Libertà'])(
    '%s is another address',
    async address => {
      const { body } = await check(connections.GLS, { address, zip: REGISTERED });
      const known = suggestion(["VIALE DELLA LIBERTA' 12/A", CITY, REGISTERED, 'PA', 24]);
      expect(body).toEqual(result('GLS', 'NORMALIZED', [known]));
    },
  );

  test('a town without streets makes the street a correction', async () => {
    const { body } = await check(connections.GLS, { zip: WITHOUT_STREETS });
    expect(body).toEqual(result('GLS', 'NORMALIZED', [suggestion([null, CITY, WITHOUT_STREETS, 'PA', 24])]));
  });
});

describe('FedEx compares the postal code alone,', () => {
  test.each([
    [{ city: 'Palermo', provincia: 'PA', zip: '20121' }],
    [{ city: 'Bagheria', provincia: 'PA', zip: '20121' }],
    [{ city: 'Palermo', provincia: 'PA', zip: '90046' }],
  ])('and %j is not found, by the service’s own table', async place => {
    const { body } = await check(connections.FEDEX, place);
    expect(body).toEqual({
      ...result('FEDEX', 'NOT_FOUND'),
      message: 'FedEx verifica solo il CAP, che non è quello della città indicata.',
    });
    expect((await check(connections.DHL, place)).body.code).toBe('ADDRESS_VALID');
  });
});

test('The generic CAP of a city is not suggested in place of a street’s own CAP', async () => {
  const { body } = await check(connections.GLS, { zip: GENERIC_CAP });
  const suggestions = ['VIA LIBERTA', 'VIALE LIBERTA'].map(street => suggestion([street, CITY, GENERIC_CAP, 'PA', 24]));
  expect(body).toEqual(result('GLS', 'NORMALIZED', suggestions));
});

test('An address that BRT reports as corrected is corrected, even if it looks the same', async () => {
  const { body } = await check(connections.BRT, { zip: CORRECTED });
  expect(body).toEqual(result('BRT', 'NORMALIZED', [suggestion([ADDRESS.address, CITY, CORRECTED, 'PA', null])]));
});

describe('Only the area of an address is kept, with the calls to carriers,', () => {
  /** Occurs in street and city, and nowhere else. */
  const MARK = 'Xyzzyq';
  /** Occurs in what calls to carriers are kept with. */
  const AREA = 'Qvvykz';

  test('and nothing in the log, whatever the result of the check', async () => {
    const watched = logged.as(await world.sandbox());
    // Shows that the search would find it.
    const ids = [];
    for (const carrier of ASKED) ids.push(await connectSandbox(watched, carrier, { label: 'Plughville' }));
    const endings = ['39', '90', '91', '92', '93', '94', '96', '97', '98'];
    for (const id of [...ids, await connectCarrier(watched, 'POSTE')]) {
      await Promise.all(
        endings.map(async ending => {
          const fields = { address: `Via ${MARK} 12`, city: `San ${MARK}`, zip: `${AREA} ${ending}`, provincia: AREA };
          const { status, text } = await check(id, fields, watched);
          expect(status).toBe(200);
          // A rejection may quote the error, and a result the carrier's data: neither is kept.
          expect(text).not.toContain('"errors"');
        }),
      );
    }
    for (const fields of [
      { city: `${MARK}\u0007${MARK}` },
      { zip: AREA.repeat(9) },
      { country: MARK },
      { [MARK]: MARK },
    ]) {
      expect((await check(ids[0], { address: MARK, provincia: AREA, ...fields }, watched)).status).toBe(422);
    }
    expect((await check(2147483647, { address: MARK }, watched)).status).toBe(404);

    expect(logged.log()).toContain('/addresses/check-address');
    expect(logged.log()).toContain('carrier asked');
    expect(logged.log()).not.toMatch(new RegExp(`${MARK}|${AREA}`, 'i'));
    const client = new pg.Client({ connectionString: world.ownerUrl });
    await client.connect();
    try {
      expect(await tablesWith(client, 'Plughville')).toEqual(['public.audit_entry', 'public.carrier_connection']);
      expect(await tablesWith(client, MARK)).toEqual([]);
      const calls = ['public.carrier_call'];
      await expect.poll(() => tablesWith(client, AREA), { timeout: 10_000 }).toEqual(calls);
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
          -- The rows of a partition are its table's.
          and not (select relispartition from pg_class where oid = format('%I.%I', table_schema, table_name)::regclass)
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
