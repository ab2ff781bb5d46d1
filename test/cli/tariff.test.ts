import { access, mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { connectCarrier, createWarehouse, importTariff } from '../rest/feed.ts';
import { freePort } from '../support/ports.ts';
import { type Caller, useWorld } from '../support/world.ts';
import { inProcess } from './in-process.ts';
import { answerOf, type Ended, type Env, expectSentence, type Json, useProcesses } from './processes.ts';

const DEMO = fileURLToPath(new URL('../../src/demo/tariffs', import.meta.url));
const PALERMO = { country: 'IT', postalCode: '90139', city: 'Palermo', province: 'PA' };
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const world = useWorld();
const processes = useProcesses();
let folder: string;
let settings: Env;
/** Settings with which no database can be opened. */
let nowhere: Env;
let caller: Caller;
let warehouseId: number;
beforeAll(async () => {
  folder = dirname(await processes.dataDir());
  settings = { DATA_DIR: join(folder, 'data'), DATABASE_URL: world.databaseUrl };
  nowhere = { DATA_DIR: join(folder, 'none'), DATABASE_URL: `postgres://me@127.0.0.1:${await freePort()}/x` };
  caller = await world.company();
  warehouseId = await createWarehouse(caller);
});

const run = (...args: string[]) => inProcess(['tariff', ...args], settings);
/** The same in a process of its own. */
const start = (...args: string[]) => processes.cli(['tariff', ...args], settings);
const json = async (...args: string[]): Promise<Json> => answerOf(await run(...args, '--json'));
/** `tariff check`, which has no database. */
const check = (...args: string[]) => inProcess(['--json', 'tariff', 'check', ...args], nowhere);

let files = 0;
/** Writes a file of its own for a test; answers where. */
async function fileOf(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, String(++files), name);
  await mkdir(dirname(path));
  await writeFile(path, content);
  return path;
}

const demo = (carrier: string) => join(DEMO, `${carrier}.json`);
const demoTariff = async (carrier: string): Promise<Json> => JSON.parse(await readFile(demo(carrier), 'utf8'));

/** A connection, with a tariff unless there is none. */
async function connection(tariff?: object, of = caller): Promise<number> {
  const id = await connectCarrier(of, 'GLS');
  if (tariff) await importTariff(of, id, tariff);
  return id;
}

/** What the graph has of a connection's tariff. */
async function stored(id: number): Promise<Json> {
  const { data } = await caller.graphql<{ tariffs: Json[] }>('{ tariffs { id carrierCompanyId } }');
  const { id: tariffId } = data.tariffs.find(({ carrierCompanyId }) => carrierCompanyId === id) ?? {};
  const whole = await caller.graphql<{ tariff: Json }>(
    'query ($id: Int!) { tariff(id: $id) { carrierCompanyId updatedAt document } }',
    { id: tariffId },
  );
  return whole.data.tariff;
}

/** What a parcel of 4 kg costs on a connection; undefined where it does not apply. */
async function quoteOn(id: number, fields: object = {}): Promise<Json> {
  const parcels = [{ weight: 4, length: 10, width: 10, height: 10 }];
  const body = { warehouseId, destination: PALERMO, parcels, carrierCompanyIds: [id], ...fields };
  const answer = await caller.rest('POST', '/shipments/quote', body);
  expect(answer.status).toBe(200);
  return Array.isArray(answer.body) ? answer.body[0] : undefined;
}

/** A tariff as it is exported: with what the form supplies where it was left out. */
function whole({ $schema: _, ...tariff }: Json): Json {
  return {
    currency: 'EUR',
    ...tariff,
    versions: tariff.versions.map(({ zones, ...version }: Json) => ({
      limits: {},
      surcharges: [],
      options: [],
      ...version,
      zones: zones.map((zone: Json) => ({ bands: [], ...zone })),
    })),
  };
}

const zone = (code: string, to: object, ...bands: [upToKg: number, price: number][]) => ({
  code,
  name: code,
  to,
  bands: bands.map(([upToKg, price]) => ({ upToKg, price })),
});

const tariffOf = (...zones: object[]) => ({
  name: 'Listino',
  versions: [{ label: '2020', validFrom: '2020-01-01', weight: { per: 'shipment', roundUpToKg: 0.1 }, zones }],
});

const ITALY = tariffOf(zone('italia', { countries: ['IT'] }, [10, 5], [20, 8]));

/** What exited with 1, told nothing on standard output and no stack. */
function refusal({ code, stdout, stderr }: Ended): string[] {
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/\n$/);
  expect(stderr).not.toMatch(/^ +at |node_modules/m);
  return stderr.trimEnd().split('\n');
}

describe.concurrent('tariff check needs no database', () => {
  test.each([
    { carrier: 'brt', versions: 1, zones: 6 },
    { carrier: 'dhl', versions: 1, zones: 9 },
    { carrier: 'gls', versions: 2, zones: 14 },
    { carrier: 'inpost', versions: 1, zones: 4 },
    { carrier: 'poste', versions: 1, zones: 5 },
  ])('of $carrier', async ({ carrier, versions, zones }) => {
    const tariff = await demoTariff(carrier);
    const all = tariff.versions.flatMap((version: Json) => version.zones);
    expect(all).toHaveLength(zones);
    const places = all.reduce((sum: number, { to }: Json) => sum + Object.values(to).flat().length, 0);
    const bands = all.reduce((sum: number, one: Json) => sum + (one.bands ?? []).length, 0);
    expect(answerOf(await check(demo(carrier)))).toEqual({ file: demo(carrier), versions, zones, places, bands });
    await expect(access(nowhere.DATA_DIR ?? '')).rejects.toThrow('ENOENT');
  });

  test('of a grid by itself', async () => {
    const file = await fileOf('Listino.CSV', '\ufeffup_to_kg;A;B\r\n1;5,50;6\r\n3;7;\r\n+10;1;2\r\n');
    const checked = await processes.cli(['--json', 'tariff', 'check', file], nowhere);
    expect(answerOf(checked)).toEqual({ file, zones: 2, bands: 3 });
  });
});

describe.concurrent('import and export', () => {
  test.each([
    ['gls', start],
    ['dhl', run],
  ] as const)('%s comes out as it went in, and again', async (carrier, call) => {
    const id = await connection();
    const tariff = await demoTariff(carrier);
    const imported = answerOf(await call('import', demo(carrier), '--connection', `${id}`, '--json'));
    expect(imported).toMatchObject({
      tariffId: expect.any(Number),
      name: tariff.name,
      versions: tariff.versions.length,
    });
    const first = join(folder, `${carrier}-1.json`);
    expect(await call('export', '--connection', `${id}`, '--out', first)).toMatchObject({
      code: 0,
      stdout: '',
      stderr: '',
    });
    const text = await readFile(first, 'utf8');
    expect(JSON.parse(text)).toEqual(whole(tariff));
    // The table that a person reads.
    const again = await call('import', first, '--connection', `${id}`);
    expect(again).toMatchObject({ code: 0, stderr: '' });
    expect(again.stdout).toMatch(new RegExp(`^tariffId +${imported.tariffId}\nname +`));
    const { code, stdout, stderr } = await call('export', '--connection', `${id}`, '--format', 'json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(text);
    expect(await stored(id)).toMatchObject({ document: whole(tariff) });
  });
});

describe.concurrent('the grid as a spreadsheet', () => {
  const quoted = (cell: string) => `"${cell}"`;
  const writings: { name: string; write: (rows: string[][]) => string }[] = [
    {
      name: 'semicolons, decimal commas, CRLF and a BOM',
      write: rows => `\ufeff${rows.map(row => `${row.join(';').replaceAll('.', ',')}\r\n`).join('')}`,
    },
    {
      name: 'commas, decimal points, quoted cells',
      write: rows => rows.map(row => row.map(quoted).join(',')).join('\n'),
    },
    {
      name: 'commas, and decimal commas in quotes',
      write: rows =>
        rows
          .map(row => row.map(cell => (cell.includes('.') ? quoted(cell.replace('.', ',')) : cell)).join(','))
          .join('\n'),
    },
    {
      name: 'tabs, decimal commas, blank rows at the end',
      write: rows => `${rows.map(row => row.join('\t').replaceAll('.', ',')).join('\r\n')}\r\n\t\t\r\n\r\n`,
    },
  ];

  test('is edited and put back, and exactly the edited prices change', async () => {
    const tariff = await demoTariff('gls');
    const ids = await Promise.all(writings.map(() => connection(tariff)));
    const exported = await run('export', '--connection', `${ids[0]}`, '--format', 'csv');
    expect(exported).toMatchObject({ code: 0, stderr: '' });
    const rows = exported.stdout
      .trimEnd()
      .split('\n')
      .map(line => line.replaceAll(',', '.').split(';'));
    expect(exported.stdout).not.toContain('.');
    const served = tariff.versions[1].zones;
    expect(rows[0]).toEqual(['up_to_kg', ...served.map(({ code }: Json) => code)]);
    expect(rows).toHaveLength(12);
    expect(rows.at(-1)).toEqual(['+50', ...served.map(({ beyond }: Json) => beyond.price.toFixed(2))]);

    // Up to 5 kg to Sicily, the last band of Italy, and the step to Sardinia.
    const edited = structuredClone(rows);
    const price = (row: number, column: number, text: string) => {
      if (edited[row]?.[column] === undefined) throw new Error(`no cell ${row}, ${column}`);
      edited[row][column] = text;
    };
    price(3, 2, '12.34');
    price(10, 1, '1050.5');
    price(11, 3, '30');
    const expected = whole(tariff);
    const zones = structuredClone(expected.versions[1].zones);
    zones[1].bands[2].price = 12.34;
    zones[0].bands[9].price = 1050.5;
    zones[2].beyond.price = 30;
    expected.versions[1] = { ...expected.versions[1], zones };

    await Promise.all(
      writings.map(async ({ name, write }, i) => {
        const file = await fileOf('edited.csv', write(edited));
        const imported = await json('import', file, '--connection', `${ids[i]}`);
        expect(imported, name).toMatchObject({ versions: 2, zones: 14 });
        const { document } = await stored(ids[i] ?? 0);
        expect(document, name).toEqual(expected);
        expect(await quoteOn(ids[i] ?? 0), name).toMatchObject({ basePrice: 12.34 });
      }),
    );
  });

  test('--valid-from picks the version, on the way out and on the way in', async () => {
    const tariff = await demoTariff('gls');
    const id = await connection(tariff);
    const before = await stored(id);
    const [old, none, noneIn] = await Promise.all([
      run('export', '--connection', `${id}`, '--format', 'csv', '--valid-from', '2025-01-01'),
      run('export', '--connection', `${id}`, '--format', 'csv', '--valid-from', '2024-01-01'),
      run(
        'import',
        await fileOf('x.csv', 'up_to_kg;italia\n1;1'),
        '--connection',
        `${id}`,
        '--valid-from',
        '2025-12-31',
      ),
    ]);
    for (const refused of [none, noneIn]) {
      const [line = '', ...more] = refusal(refused);
      expect(line).toContain('2025-01-01, 2026-01-01');
      expect(more).toEqual([]);
    }
    expect(await stored(id)).toEqual(before);

    const [first = '', ...rest] = old.stdout.split('\n');
    const csv = await fileOf('2025.csv', [first, ...rest].join('\n').replace('\n1;5,50;', '\n1;4,44;'));
    await json('import', csv, '--connection', `${id}`, '--valid-from', '2025-01-01');
    const expected = whole(tariff);
    expected.versions[0].zones[0].bands[0].price = 4.44;
    expect((await stored(id)).document).toEqual(expected);
  });

  test('beside a JSON file that has no bands', async () => {
    const tariff = await demoTariff('inpost');
    const empty = structuredClone(tariff);
    for (const one of empty.versions[0].zones) delete one.bands;
    const file = await fileOf('inpost.json', JSON.stringify(empty));
    const grid = await fileOf(
      'grid.csv',
      'over_kg;up_to_kg;isole_minori;italia;calabria_sicilia_sardegna\n0;2;7,90;3,95;4,45\n2;5;9,20;4,60;5,20\n5;10;11,60;5,70;6,50\n10;25;16,50;8,20;9,40\n',
    );
    const id = await connection();
    const [checked, imported, refused] = await Promise.all([
      check(file, '--grid', grid),
      json('import', file, '--grid', grid, '--valid-from', '2026-01-01', '--connection', `${id}`),
      check(file),
    ]);
    expect(answerOf(checked)).toEqual({ file, versions: 1, zones: 4, places: 32, bands: 12 });
    expect(imported).toMatchObject({ bands: 12 });
    expect((await stored(id)).document).toEqual(whole(tariff));
    const said = refusal(refused);
    expect(said).toHaveLength(3);
    expect(said[0]).toMatch(/:1:\d+ \/versions\/0\/zones\/0\/bands must have at least one band$/);
  });

  test('a grid that does not fit the zones, or has errors, is refused by its own cells', async () => {
    const grid = await fileOf('zones.csv', 'up_to_kg;italia;estero\n2;1;1');
    // A cell of two lines is in one row, as in a spreadsheet; a blank row counts.
    const rows = ['over_kg;up_to_kg;italia', '0;2;"3\n"', '2;5;6', '', '4;5;7', '5;6;7;8', '6;7;-1'];
    const cells = await fileOf('cells.csv', `${rows.join('\n')}\n`);
    const broken = await fileOf('broken.csv', 'up_to_kg;italia\n1;"5\n');
    const [unfit, wrong, unreadable, alone] = await Promise.all([
      check(demo('inpost'), '--grid', grid),
      check(demo('inpost'), '--grid', cells),
      check(demo('inpost'), '--grid', broken),
      check(grid, '--json'),
    ]);
    expect(refusal(unfit)).toEqual([
      expect.stringMatching(/^\S+zones\.csv:row 1, column C: must be one of italia, /),
      expect.stringMatching(/^\S+zones\.csv:row 1: must have a column .*calabria_sicilia_sardegna$/),
      expect.stringMatching(/^\S+zones\.csv:row 1: must have a column .*isole_minori$/),
    ]);
    expect(refusal(wrong).toSorted()).toEqual([
      `${cells}:row 5, column A: must be where the row above ends, 5`,
      `${cells}:row 5, column B: must be more than in the row above, 5`,
      `${cells}:row 6, column D: has more cells than the first row`,
      expect.stringMatching(/:row 7, column C: must be a price .*2 decimals$/),
    ]);
    expect(refusal(unreadable)).toEqual([expect.stringMatching(/^\S+broken\.csv: .*line 2/i)]);
    expect(answerOf(alone)).toMatchObject({ zones: 2, bands: 2 });
  });

  test('what a tariff may not hold is refused by its cell, without a database', async () => {
    const grid = await fileOf(
      'bounds.csv',
      'up_to_kg;italia;calabria_sicilia_sardegna;isole_minori\n2;5;100000,01;6\n5;5;200000;6\n100000,001;8;9;9',
    );
    const said = refusal(await check(demo('inpost'), '--grid', grid));
    expect(said.map(line => line.replace(/ must .*/, ''))).toEqual([
      `${grid}:row 2, column C:`,
      `${grid}:row 3, column C:`,
      `${grid}:row 4, column A:`,
    ]);
  });
});

/** Line and column of what stands once in a text, as an editor shows them. */
function place(text: string, part: string): string {
  expect(text.split(part)).toHaveLength(2);
  const [before = ''] = text.split(part, 1);
  const lines = before.split('\n');
  return `${lines.length}:${(lines.at(-1)?.length ?? 0) + 1}`;
}

describe.concurrent('a refused file is named with line, column and pointer', () => {
  test('of what does not fit the form', async () => {
    const text = `{
  "name": "Errori",
  "versions": [
    {
      "label": "2026",
      "validFrom": "2026-02-30",
      "weight": { "per": "pallet", "roundUpToKg": 1 },
      "zones": [
        { "code": "a", "name": "Città", "to": { "countries": ["IT"] }, "bands": [{ "upToKg": 0, "price": "5" }] },
        { "name": "B", "to": { "anywhere": true }, "bands": [], "colour~/": "red" }
      ]
    }
  ]
}
`;
    const file = await fileOf('form.json', text);
    const said = refusal(await check(file));
    const expected = [
      '6:20 /versions/0/validFrom',
      '7:26 /versions/0/weight/per',
      `${place(text, '0, "price"')} /versions/0/zones/0/bands/0/upToKg`,
      `${place(text, '"5" }')} /versions/0/zones/0/bands/0/price`,
      // Where it is missing, its owner.
      '10:9 /versions/0/zones/1/code',
      `${place(text, '"red"')} /versions/0/zones/1/colour~0~1`,
    ];
    expect(said.map(line => line.replace(/ (?:must|is not) .*/, '')).toSorted()).toEqual(
      expected.map(line => `${file}:${line}`).toSorted(),
    );
    expect(said).toContain(`${file}:6:20 /versions/0/validFrom must be a calendar day, such as 2026-01-31`);
    expect(said).toContain(`${file}:10:9 /versions/0/zones/1/code must be given`);
  });

  test('of what the form can’t say, also with CRLF and a BOM', async () => {
    const text = JSON.stringify(
      {
        ...tariffOf(
          zone('a', { provinces: ['PA'] }, [10, 5.005], [10, 6]),
          zone('b', { provinces: ['Palermo'] }, [1, 1]),
          zone('c', { regions: ['Atlantide'] }, [1, 1]),
        ),
      },
      null,
      2,
    )
      .replace(
        '"zones": [',
        '"surcharges": [{ "code": "istat", "description": "x", "price": { "percent": 1, "of": ["no"] } }],\n"zones": [',
      )
      .replaceAll('\n', '\r\n');
    const file = await fileOf('rules.json', `\ufeff${text}`);
    const said = refusal(await check(file));
    const second = text.slice(text.indexOf('"upToKg": 10') + 12);
    expect(second.split('"upToKg": 10')).toHaveLength(2);
    expect(said.map(line => line.replace(/ (?:must|names|\(|is|does) ?.*/, '')).toSorted()).toEqual(
      [
        `${place(text, '5.005')} /versions/0/zones/0/bands/0/price`,
        `${place(text, '10,\r\n              "price": 6')} /versions/0/zones/0/bands/1/upToKg`,
        `${place(text, '"Palermo"')} /versions/0/zones/1/to/provinces/0`,
        `${place(text, '"Atlantide"')} /versions/0/zones/2/to/regions/0`,
        `${place(text, '["no"]')} /versions/0/surcharges/0/price/of`,
      ]
        .map(line => `${file}:${line}`)
        .toSorted(),
    );
  });

  const contents: { name: string; file: () => Promise<string>; says: RegExp }[] = [
    {
      name: 'JSON with a comma too many',
      file: () => fileOf('comma.json', '{\n  "name": "è",\n  "versions": [1,]\n}\n'),
      says: /^\S+comma\.json:3:1[78] is not JSON\b/,
    },
    {
      name: 'JSON with a comment',
      file: () => fileOf('comment.json', '{\n  // Listino\n  "name": "x"\n}\n'),
      says: /^\S+comment\.json:2:3 is not JSON\b/,
    },
    { name: 'JSON cut off', file: () => fileOf('cut.json', '{\n  "name": "x",\n  "vers'), says: /:3:3 is not JSON\b/ },
    { name: 'an empty file', file: () => fileOf('empty.json', ''), says: /^\S+empty\.json:1:1 is not JSON\b/ },
    { name: 'an empty grid', file: () => fileOf('empty.csv', ''), says: /^\S+empty\.csv:row 1, column A: .*up_to_kg/ },
    {
      name: 'a missing file',
      file: async () => join(folder, 'missing.json'),
      says: /^\S+missing\.json does not exist$/,
    },
    { name: 'a folder', file: async () => folder, says: /^\S+ is a folder$/ },
    {
      name: 'a binary file',
      file: () => fileOf('binary.json', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0xff, 0xfe])),
      says: /^\S+binary\.json is not UTF-8 text$/,
    },
    {
      name: 'a path through what is no folder',
      file: async () => join(await fileOf('file.json', '{}'), 'x.json'),
      says: /^\S+x\.json (?!is not UTF-8 text)/,
    },
    {
      name: 'a JSON value of another kind',
      file: () => fileOf('list.json', '\n []'),
      says: /^\S+list\.json:2:2 +must be/,
    },
  ];
  test.each(contents)('$name', async ({ file, says }) => {
    const path = await file();
    const lines = refusal(await check(path));
    expect(lines[0]).toMatch(says);
    expect(lines[0]).toContain(basename(path));
    if (!path.endsWith('.csv') || path.includes('missing')) expect(lines).toHaveLength(1);
  });
});

describe.concurrent('misused, it exits with 2', () => {
  const cases: { name: string; args: string[]; names: string }[] = [
    { name: 'an import without --connection', args: ['import', demo('gls')], names: '--connection' },
    { name: 'an export without --connection', args: ['export'], names: '--connection' },
    { name: 'the connection 0', args: ['export', '--connection', '0'], names: 'whole number from 1' },
    { name: 'a connection past all ids', args: ['export', '--connection', '2147483648'], names: 'whole number from 1' },
    { name: 'an unknown format', args: ['export', '--connection', '1', '--format', 'xlsx'], names: 'json, csv' },
    { name: 'a grid beside a grid', args: ['check', 'x.csv', '--grid', 'y.csv'], names: 'leave out --grid' },
    {
      name: 'a version for no grid',
      args: ['check', demo('gls'), '--valid-from', '2024-01-01'],
      names: '--valid-from',
    },
  ];
  test.each(cases)('$name', async ({ args, names }) => {
    const { code, stdout, stderr } = await inProcess(['--json', 'tariff', ...args], nowhere);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    const [said = ''] = stderr.split('\n\nUsage: ');
    expect(said).toContain(names);
    expect(said.trim()).not.toContain('\n');
  });
});

describe.concurrent('failing, it exits with 1 and says why in one line', () => {
  const cases: { name: string; args: () => Promise<string[]>; says: RegExp }[] = [
    {
      name: 'an import on an unknown connection',
      args: async () => ['import', demo('gls'), '--connection', '2147483647'],
      says: /2147483647.*tariff list/,
    },
    {
      name: 'an export where there is no tariff',
      args: async () => ['export', '--connection', `${await connection()}`],
      says: /has no tariff/,
    },
    {
      name: 'a grid where there is no tariff',
      args: async () => ['import', await fileOf('a.csv', 'up_to_kg;A\n1;1'), '--connection', `${await connection()}`],
      says: /has no tariff/,
    },
    {
      name: 'an export into a folder that is missing',
      args: async () => [
        'export',
        '--connection',
        `${await connection(ITALY)}`,
        '--out',
        join(folder, 'gone', 'x.json'),
      ],
      says: /x\.json/,
    },
    {
      name: 'a name that cannot be stored',
      args: async () => {
        const file = await fileOf(
          'half.json',
          JSON.stringify(ITALY).replace('"name":"italia"', '"name":"Italia\\ud800"'),
        );
        return ['import', file, '--connection', `${await connection()}`];
      },
      says: /\w/,
    },
  ];
  test.each(cases)('$name', async ({ args, says }) => {
    const { code, stdout, stderr } = await run(...(await args()));
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expectSentence(stderr);
    expect(stderr).toMatch(says);
  });

  test('a refused import leaves the tariff that is there, whole', async () => {
    const id = await connection(await demoTariff('gls'));
    const before = await stored(id);
    const bad = structuredClone(await demoTariff('gls'));
    bad.versions[1].zones[6].bands[9].upToKg = 1;
    const refused = await Promise.all([
      run('import', await fileOf('bad.json', JSON.stringify(bad)), '--connection', `${id}`),
      run('import', await fileOf('bad.csv', 'up_to_kg;italia\n1;1\n1;2'), '--connection', `${id}`),
      // Refused by PostgreSQL, in the midst of it.
      run(
        'import',
        await fileOf(
          'nul.json',
          JSON.stringify(bad)
            .replace('Vaticano', 'Vaticano\\u0000')
            .replace('"upToKg":1,"price":44.1', '"upToKg":100,"price":44.1'),
        ),
        '--connection',
        `${id}`,
      ),
    ]);
    for (const one of refused) refusal(one);
    expect(refused[0]?.stderr).toContain('/versions/1/zones/6/bands/9/upToKg');
    expect(refused[1]?.stderr).toContain('bad.csv:row 3, column A:');
    expect(refused[2]?.stderr).toMatch(/U\+0000|character/);
    expect(await stored(id)).toEqual(before);
  });
});

describe('tariff list', () => {
  test('shows every connection, with its tariff or without', async () => {
    const [one, other] = [await world.company(), await world.company()];
    const [bare, priced] = [await connection(undefined, one), await connection(await demoTariff('gls'), one)];
    const theirs = await connectCarrier(other, 'DHL', 'Estero', false);
    const [all, ofOne, ofNone, table] = await Promise.all([
      json('list'),
      json('list', '--company', one.companyId),
      run('list', '--company', '00000000-0000-4000-8000-000000000000'),
      start('list', '--company', one.companyId),
    ]);
    const without = { tariff: null, versions: null, validUntil: null, updatedAt: null };
    const gls = { companyId: one.companyId, carrier: 'GLS Italy', label: 'Conto', isActive: true };
    expect(ofOne).toEqual([
      { connectionId: bare, ...gls, ...without },
      {
        connectionId: priced,
        ...gls,
        tariff: 'GLS nazionale (esempio)',
        versions: ['2025-01-01', '2026-01-01'],
        validUntil: null,
        updatedAt: expect.stringMatching(ISO),
      },
    ]);
    expect(all).toEqual(expect.arrayContaining(ofOne));
    expect(all).toContainEqual({
      connectionId: theirs,
      companyId: other.companyId,
      carrier: 'DHL Express',
      label: 'Estero',
      isActive: false,
      ...without,
    });
    const ids = all.map(({ connectionId }: Json) => connectionId);
    expect(ids).toEqual(ids.toSorted((a: number, b: number) => a - b));
    expect(ofNone).toMatchObject({ code: 1, stdout: '', stderr: 'company must be the id of a company\n' });
    expect(table).toMatchObject({ code: 0, stderr: '' });
    expect(table.stdout).toMatch(/connectionId .* tariff .* versions/);
    expect(table.stdout).toMatch(new RegExp(`│ ${bare} .*│ – +│ – +│ – +│ – +│`));
    expect(table.stdout).toMatch(
      new RegExp(`│ ${priced} .*│ GLS nazionale \\(esempio\\) +│ 2025-01-01, 2026-01-01 +│ – +│`),
    );
    expect(table.stdout).not.toContain('DHL Express');
  });
});

describe('a large tariff', () => {
  test('20,000 CAPs and 40 bands take a few seconds', async () => {
    const caps = Array.from({ length: 20_000 }, (_, i) => String(15_000 + 4 * i));
    const bands = (price: number) => Array.from({ length: 40 }, (_, i): [number, number] => [i + 1, price + i]);
    const tariff = tariffOf(
      zone('remote', { postalCodes: caps }, ...bands(50)),
      zone('italia', { countries: ['IT'] }, ...bands(5)),
    );
    const id = await connection();
    const large = await fileOf('large.json', JSON.stringify(tariff));
    const startedAtMs = performance.now();
    const answer = answerOf(await start('import', large, '--connection', `${id}`, '--json'));
    expect(performance.now() - startedAtMs).toBeLessThan(8_000);
    expect(answer).toMatchObject({ zones: 2, places: 20_001, bands: 80 });
    expect((await stored(id)).document).toEqual(whole(tariff));
    const { stdout } = await run('export', '--connection', `${id}`, '--format', 'csv');
    expect(stdout).toBe(
      `up_to_kg;remote;italia\n${bands(0)
        .map(([kg, i]) => `${kg};${50 + i},00;${5 + i},00\n`)
        .join('')}`,
    );
    // 4 kg; 90140 is the 18,786th of the CAPs, and 90139 is none.
    expect(await quoteOn(id, { destination: { ...PALERMO, postalCode: '90140' } })).toMatchObject({ basePrice: 53 });
    expect(await quoteOn(id)).toMatchObject({ basePrice: 8 });
  });
});

describe('a running service', () => {
  test('prices by what was imported within a second, and by one tariff or the other', async () => {
    const id = await connection(ITALY);
    expect(await quoteOn(id)).toMatchObject({ basePrice: 5 });
    const dearer = tariffOf(zone('italia', { countries: ['IT'] }, [3, 6], [10, 77.7]));
    const file = await fileOf('dearer.json', JSON.stringify(dearer));
    const seen = new Set<number>();
    let lastOldAtMs = 0;
    const isNew = vi.waitUntil(
      async () => {
        const askedAtMs = Date.now();
        const { basePrice } = await quoteOn(id);
        seen.add(basePrice);
        if (basePrice === 5) lastOldAtMs = askedAtMs;
        return basePrice === 77.7;
      },
      { timeout: 15_000, interval: 5 },
    );
    const [imported] = await Promise.all([start('import', file, '--connection', `${id}`), isNew]);
    expect(imported.code).toBe(0);
    expect([...seen]).toEqual([5, 77.7]);
    const { updatedAt } = await stored(id);
    expect(lastOldAtMs - Date.parse(updatedAt)).toBeLessThan(1_000);
    expect(await quoteOn(id)).toMatchObject({ basePrice: 77.7 });
  });
});
