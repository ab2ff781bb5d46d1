import { describe, expect, test } from 'vitest';
import { answerOf, type Json } from './processes.ts';
import { demo, demoTariff, refusal, useTariffCommands, whole } from './tariff-files.ts';

const { connection, run, fileOf, json, stored, quoteOn, check } = useTariffCommands();

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
    expect(rows.at(-1)).toEqual(['+50', ...served.map(({ beyond }: Json) => beyond[0].price.toFixed(2))]);

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
    zones[2].beyond[0].price = 30;
    expected.versions[1] = { ...expected.versions[1], zones };

    await Promise.all(
      writings.map(async ({ name, write }, i) => {
        const file = await fileOf('edited.csv', write(edited));
        const imported = await json('import', '--yes', file, '--connection', `${ids[i]}`);
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
        '--yes',
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
    await json('import', '--yes', csv, '--connection', `${id}`, '--valid-from', '2025-01-01');
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
      json('import', '--yes', file, '--grid', grid, '--valid-from', '2026-01-01', '--connection', `${id}`),
      check(file),
    ]);
    expect(answerOf(checked)).toEqual({ file, versions: 1, zones: 4, places: 32, bands: 12 });
    expect(imported).toMatchObject({ bands: 12 });
    expect((await stored(id)).document).toEqual(whole(tariff));
    const said = refusal(refused);
    expect(said).toHaveLength(3);
    expect(said[0]).toMatch(/:1:\d+ \/versions\/0\/zones\/0\/bands must have at least one band$/);
  });

  test('a grid that does not fit the zones, or has errors, is rejected with its own cells', async () => {
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
    expect(refusal(unreadable)).toEqual([expect.stringMatching(/^\S+broken\.csv is not CSV: .*line 2/i)]);
    expect(answerOf(alone)).toMatchObject({ zones: 2, bands: 2 });
  });

  test('what a tariff may not hold is rejected with its cell, without a database', async () => {
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
