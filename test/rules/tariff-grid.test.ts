import { describe, expect, test } from 'vitest';
import { gridOf, readGrid, withGrid } from '../../src/domain/tariffs/grid/tariff.grid.rules.ts';
import { Fault } from '../../src/platform/fault.ts';
import { type Tariff, type Zone, type Zones, zone } from './grid-zones.ts';

/** A row for each line, cells between semicolons. */
const cells = (text: string) => text.split('\n').map(line => line.split(';'));

/** The bands of each zone in a grid: `1=5` a price up to 1 kg, `+100=7` a price for each further 100 kg. */
function shown(text: string): Record<string, string> {
  const { zones } = readGrid(cells(text));
  return Object.fromEntries(
    zones.map(({ code, bands, beyond }) => [
      code,
      [
        ...bands.map(({ upToKg, price }) => `${upToKg}=${price}`),
        ...(beyond ? [`+${beyond.everyKg}=${beyond.price}`] : []),
      ].join(' '),
    ]),
  );
}

/** The errors, as `row column code`. */
function problems(work: () => unknown): string[] {
  try {
    work();
    return [];
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    expect(error.code).toBe('validation_failed');
    return (error.options.issues ?? []).map(({ path, code }) => [...path, code].join(' '));
  }
}

const refusals = (text: string) => problems(() => readGrid(cells(text)));

describe('what a grid says', () => {
  const cases: { name: string; text: string; says: Record<string, string> }[] = [
    { name: 'weights, then zones', text: 'up_to_kg;A;B\n1;5;6\n3;7;8', says: { A: '1=5 3=7', B: '1=6 3=8' } },
    { name: 'weights with an Italian name', text: 'Peso fino a (kg);A\n1;5', says: { A: '1=5' } },
    {
      name: 'from and up to, with Italian names',
      text: 'Da kg;Fino a kg;A\n0;1;5\n1;3;7',
      says: { A: '1=5 3=7' },
    },
    {
      name: 'from and up to, then zones',
      text: 'over_kg;up_to_kg;A;B\n0;1;5;6\n1;3;7;8',
      says: { A: '1=5 3=7', B: '1=6 3=8' },
    },
    {
      name: 'from and up to, with a step whose first cell is empty',
      text: 'over_kg;up_to_kg;A\n0;1;5\n;+10;2',
      says: { A: '1=5 +10=2' },
    },
    { name: 'one step for all', text: 'up_to_kg;A;B\n5;1;2\n+100;7,5;8', says: { A: '5=1 +100=7.5', B: '5=2 +100=8' } },
    {
      name: 'a step of its own for each zone',
      text: 'up_to_kg;A;B;C\n5;1;2;3\n+50;7;-;-\n+100;-;8;-',
      says: { A: '5=1 +50=7', B: '5=2 +100=8', C: '5=3' },
    },
    {
      name: 'the same step in two rows, for different zones',
      text: 'up_to_kg;A;B\n5;1;2\n+50;7;-\n+50;-;8',
      says: { A: '5=1 +50=7', B: '5=2 +50=8' },
    },
    { name: 'a step of part of a kilogram', text: 'up_to_kg;A\n5;1\n+0,5;7', says: { A: '5=1 +0.5=7' } },
    {
      name: 'a zone without the first bands',
      text: 'up_to_kg;A;B\n1;-;5\n3;-;6\n5;9;7',
      says: { A: '5=9', B: '1=5 3=6 5=7' },
    },
    {
      name: 'a zone without the last bands',
      text: 'up_to_kg;A;B\n1;4;5\n3;-;6\n5;-;7',
      says: { A: '1=4', B: '1=5 3=6 5=7' },
    },
    {
      name: 'blank rows in between and at the end',
      text: 'up_to_kg;A;B\n\n1;4;5\n;;\n3; - ;6\n\n+10;-;2\n;;\n',
      says: { A: '1=4', B: '1=5 3=6 +10=2' },
    },
    { name: 'a price of 0', text: 'up_to_kg;A\n1;0\n3;0,00', says: { A: '1=0 3=0' } },
    { name: 'grams', text: 'up_to_kg;A\n0,001;1\n0.25;2\n99999.999;3', says: { A: '0.001=1 0.25=2 99999.999=3' } },
  ];
  test.each(cases)('$name', ({ text, says }) => {
    expect(shown(text)).toEqual(says);
  });

  test('cells and names are taken without the spaces around them', () => {
    expect(shown(' up_to_kg ; A ;\tB\n 1 ; 5,50 ; 6 \n +10 ; 2 ; -')).toEqual({ A: '1=5.5 +10=2', B: '1=6' });
  });
});

/** One of each kind: how a number is read is tested in `rules/cell-values.test.ts`. */
describe('numbers', () => {
  test.each([
    ['5', 5],
    ['5,5', 5.5],
    ['1.234,50', 1234.5],
    ['0', 0],
    ['0,01', 0.01],
    ['100.000,00', 100_000],
    ['€ 4,35', 4.35],
  ])('a price of %s is %d', (cell, price) => {
    expect(
      readGrid([
        ['up_to_kg', 'A'],
        ['1', cell],
      ]).zones[0]?.bands,
    ).toEqual([{ upToKg: 1, price }]);
  });

  test.each([
    ['1', 1],
    ['1,5', 1.5],
    ['0,125', 0.125],
    ['1.250,125', 1250.125],
    ['10 kg', 10],
  ])('a weight of %s is %d kg', (cell, upToKg) => {
    expect(
      readGrid([
        ['up_to_kg', 'A'],
        [cell, '7'],
      ]).zones[0]?.bands,
    ).toEqual([{ upToKg, price: 7 }]);
  });

  test.each([
    '5,505',
    '1.234', // thousands or thousandths: nobody knows
    '-5',
    '+5',
    'five',
    '--',
    '9999999999999',
  ])('a price of %s is refused', cell => {
    const found = problems(() =>
      readGrid([
        ['up_to_kg', 'A', 'B'],
        ['1', '5', '5'],
        ['2', '5', cell],
      ]),
    );
    expect(found).toEqual(['3 C invalid_decimal']);
  });

  test.each(['0', '+0', '+', '-1', '1,2345', 'kg', '', '++5'])(
    'a weight of %j is refused, and nothing else of its row',
    cell => {
      const rows = [
        ['up_to_kg', 'A', 'B'],
        ['1', '5', '5'],
        [cell, '6', 'x'],
        ['20', '7', '7'],
      ];
      expect(problems(() => readGrid(rows))).toEqual(['3 A invalid_decimal']);
    },
  );
});

describe('rejected', () => {
  const cases: { name: string; text: string; says: string[] }[] = [
    { name: 'nothing at all', text: '', says: ['1 A required', '1 B required'] },
    { name: 'no zone', text: 'up_to_kg\n1', says: ['1 B required'] },
    { name: 'no zone after two columns of weights', text: 'over_kg;up_to_kg\n0;1', says: ['1 C required'] },
    { name: 'another first column', text: 'kg;A\n1;5', says: ['1 A required'] },
    { name: 'another second column', text: 'over_kg;A\n0;1', says: ['1 B required', '1 C required'] },
    { name: 'an empty name', text: 'up_to_kg;A;;C\n1;5;6;7', says: ['1 C required'] },
    { name: 'a name twice', text: 'up_to_kg;A;B;A\n1;5;6;7', says: ['1 D duplicate'] },
    { name: 'a name thrice', text: 'up_to_kg;A;A; A\n1;5;6;7', says: ['1 C duplicate', '1 D duplicate'] },
    { name: 'a zone without a band', text: 'up_to_kg;A;B\n1;5;-\n3;6;-', says: ['1 C required'] },
    { name: 'a zone with nothing but a step', text: 'up_to_kg;A;B\n1;5;-\n+10;6;7', says: ['1 C required'] },
    { name: 'no row', text: 'up_to_kg;A;B', says: ['1 B required', '1 C required'] },
    { name: 'a weight as in the row above', text: 'up_to_kg;A\n1;5\n1;6', says: ['3 A overlap'] },
    { name: 'a weight below the row above', text: 'up_to_kg;A\n5;5\n3;6\n7;8', says: ['3 A overlap'] },
    {
      name: 'weights that turn back, each against the greatest',
      text: 'up_to_kg;A\n5;5\n3;6\n4;8',
      says: ['3 A overlap', '4 A overlap'],
    },
    { name: 'a gap', text: 'over_kg;up_to_kg;A\n0;1;5\n2;3;6', says: ['3 A gap'] },
    { name: 'an overlap', text: 'over_kg;up_to_kg;A\n0;2;5\n1;3;6', says: ['3 A overlap'] },
    { name: 'a first band that does not begin at 0', text: 'over_kg;up_to_kg;A\n1;2;5', says: ['2 A gap'] },
    { name: 'a band without a beginning', text: 'over_kg;up_to_kg;A\n0;2;5\n;3;6', says: ['3 A gap'] },
    { name: 'a beginning that is no number', text: 'over_kg;up_to_kg;A\n0;2;5\nx;3;6', says: ['3 A gap'] },
    {
      name: 'a band that ends before it begins',
      text: 'over_kg;up_to_kg;A\n0;5;5\n5;3;6',
      says: ['3 B overlap'],
    },
    { name: 'a gap by a gram', text: 'over_kg;up_to_kg;A\n0;1;5\n1,0010;3;6', says: ['3 A gap'] },
    { name: 'a hole in a column', text: 'up_to_kg;A;B\n1;5;5\n3;-;6\n5;7;7', says: ['4 B gap'] },
    { name: 'a hole of two rows', text: 'up_to_kg;A;B\n1;5;5\n3;-;6\n5;-;7\n7;8;8\n9;9;9', says: ['5 B gap'] },
    {
      name: 'two holes in a column',
      text: 'up_to_kg;A;B\n1;5;5\n3;-;6\n5;7;7\n7;-;8\n9;9;9',
      says: ['4 B gap', '6 B gap'],
    },
    { name: 'a second step of a zone', text: 'up_to_kg;A;B\n1;5;5\n+10;1;-\n+20;2;3', says: ['4 B duplicate'] },
    {
      name: 'the same step again',
      text: 'up_to_kg;A;B\n1;5;5\n+10;1;2\n+10;1;2',
      says: ['4 B duplicate', '4 C duplicate'],
    },
    { name: 'a band after a step', text: 'up_to_kg;A\n1;5\n+10;1\n3;6', says: ['4 A not_allowed'] },
    {
      name: 'every band after a step',
      text: 'up_to_kg;A\n1;5\n+10;1\n3;6\n\n5;7',
      says: ['4 A not_allowed', '6 A not_allowed'],
    },
    {
      name: 'a band after a step, where bands have a beginning',
      text: 'over_kg;up_to_kg;A\n0;1;5\n;+10;1\n1;3;6',
      says: ['4 B not_allowed'],
    },
    { name: 'an empty cell', text: 'up_to_kg;A;B\n1;5;5\n3;;6\n5;7;7', says: ['3 B required'] },
    { name: 'a row that ends before its last cell', text: 'up_to_kg;A;B\n1;5;5\n3;6', says: ['3 C required'] },
    { name: 'an empty cell of a step', text: 'up_to_kg;A;B\n1;5;5\n+10;1;', says: ['3 C required'] },
    { name: 'too many cells', text: 'up_to_kg;A\n1;5;6', says: ['2 C unknown_field'] },
    { name: 'many too many cells, once', text: 'up_to_kg;A\n1;5;6;7;8\n3;6', says: ['2 C unknown_field'] },
    { name: 'rows are counted with the blank ones', text: 'up_to_kg;A\n\n1;5\n;\n3;x', says: ['5 B invalid_decimal'] },
  ];
  test.each(cases)('$name', ({ text, says }) => {
    expect(refusals(text)).toEqual(says);
  });

  test('all that is wrong is reported at once', () => {
    const found = refusals('up_to_kg;A;A;B\n1;5;5;5\n0;5;5;5\n0,5;5;5;5\n7;1;1;1;1\n9;1;1;-1');
    expect(found.toSorted()).toEqual([
      '1 C duplicate',
      '3 A invalid_decimal',
      '4 A overlap',
      '5 E unknown_field',
      '6 D invalid_decimal',
    ]);
  });

  test('a price that is not a number is not reported again as a missing price', () => {
    expect(refusals('up_to_kg;A;B\n1;5;5\n3;x;6\n5;7;7')).toEqual(['3 B invalid_decimal']);
  });

  test('nor as the only band that its zone would have', () => {
    expect(refusals('up_to_kg;A;B\n1;x;5')).toEqual(['2 B invalid_decimal']);
  });

  test.each([
    [25, 'Z'],
    [26, 'AA'],
    [27, 'AB'],
    [51, 'AZ'],
    [52, 'BA'],
    [701, 'ZZ'],
    [702, 'AAA'],
  ])('the cell after %d others is in column %s', (index, column) => {
    const header = ['up_to_kg', ...Array.from({ length: 710 }, (_, i) => `z${i}`)];
    const row = header.map((_, i): string => (i === index ? 'x' : '1'));
    const twice = header.with(index, 'z0');
    const prices: string[] = header.map(() => '1');
    expect(problems(() => readGrid([header, prices, row.with(0, '2')]))).toEqual([`3 ${column} invalid_decimal`]);
    expect(problems(() => readGrid([twice, prices]))).toEqual([`1 ${column} duplicate`]);
  });

  test('messages state the allowed values, with the limit that applies', () => {
    const messages = (text: string) => {
      try {
        readGrid(cells(text));
      } catch (error) {
        return ((error as Fault).options.issues ?? []).map(({ message }) => message);
      }
      return [];
    };
    expect(messages('kg;A\n1;5').join()).toContain('up_to_kg');
    expect(messages('over_kg;up_to_kg;A\n0;2,5;5\n1;3;6').join()).toMatch(/\b2\.5$/);
    expect(messages('up_to_kg;A\n5;1\n4;2').join()).toMatch(/\b5$/);
    expect(messages('up_to_kg;A\n5;1\n\n+10;2\n7;2').join()).toContain('row 4');
    expect(messages('up_to_kg;A\n5;-1').join()).toContain('2 decimals');
    expect(messages('up_to_kg;A\n-5;1').join()).toContain('3 decimals');
  });
});

describe('the cells of zones', () => {
  const text = (zones: Zones) =>
    gridOf(zones)
      .map(row => row.join(';'))
      .join('\n');

  test('zones with the same bands', () => {
    const bands = [
      { upToKg: 0.5, price: 5.05 },
      { upToKg: 10, price: 1000 },
    ];
    const beyond = [{ everyKg: 0.1, price: 0.01 }];
    expect(text([zone('A', { bands, beyond }), zone('B', { bands })])).toBe(
      'up_to_kg;A;B\n0,5;5,05;5,05\n10;1000,00;1000,00\n+0,1;0,01;-',
    );
  });

  test('wider bands are repeated, and shorter columns end', () => {
    const a = zone('A', {
      bands: [
        { upToKg: 5, price: 7 },
        { upToKg: 20, price: 9 },
      ],
    });
    const b = zone('B', {
      bands: [
        { upToKg: 1, price: 1 },
        { upToKg: 10, price: 2 },
      ],
    });
    expect(text([a, b])).toBe('up_to_kg;A;B\n1;7,00;1,00\n5;7,00;2,00\n10;9,00;2,00\n20;9,00;-');
  });

  test('steps that differ are sorted by size, and zones that are not served are left out', () => {
    const zones = [
      zone('A', { beyond: [{ everyKg: 100, price: 9 }] }),
      zone('closed', { bands: [], notServed: 'Sospeso' }),
      zone('B', { beyond: [{ everyKg: 20, price: 3 }] }),
      zone('C'),
    ];
    expect(text(zones)).toBe('up_to_kg;A;B;C\n1;5,00;5,00;5,00\n+20;-;3,00;-\n+100;9,00;-;-');
  });

  test('rows are as wide as the first', () => {
    const zones = [zone('A'), zone('B', { bands: [{ upToKg: 3, price: 1 }], beyond: [{ everyKg: 5, price: 1 }] })];
    for (const row of gridOf(zones)) expect(row).toHaveLength(3);
  });
});

describe('a grid put in a tariff', () => {
  const version = (validFrom: string, zones: Zone[]): Tariff['versions'][number] => ({
    label: validFrom,
    validFrom,
    origins: [],
    weight: { per: 'shipment', volumetric: [], minimums: [], roundUp: [{ toKg: 1 }] },
    limits: {},
    zones,
    surcharges: [],
    fuel: [],
    options: [],
    cod: [],
    insurance: [],
    afterShipment: [],
  });
  const closed = zone('closed', { bands: [], notServed: 'Sospeso' });
  const a = zone('A', { deliveryDays: 2, beyond: [{ everyKg: 10, price: 1 }] });
  const tariff: Tariff = {
    format: 2,
    name: 'Listino',
    currency: 'EUR',
    versions: [version('2025-01-01', [a, zone('B'), closed]), version('2026-01-01', [a, zone('B'), closed])],
  };
  const put = (text: string, validFrom = '2026-01-01') => withGrid(tariff, readGrid(cells(text)), validFrom);

  test.each(['2025-01-01', '2026-01-01'])('bands and steps of %s alone are replaced', validFrom => {
    const before = structuredClone(tariff);
    const zones = [
      { ...a, bands: [{ upToKg: 2, price: 3 }], beyond: [] },
      { ...zone('B'), bands: [{ upToKg: 2, price: 4 }], beyond: [{ everyKg: 5, price: 6 }] },
      closed,
    ];
    const versions = tariff.versions.map(one => (one.validFrom === validFrom ? { ...one, zones } : one));
    expect(put('up_to_kg;A;B\n2;3;4\n+5;-;6', validFrom)).toEqual({ ...tariff, versions });
    expect(tariff).toEqual(before);
  });

  test('columns may stand in another order', () => {
    expect(put('up_to_kg;B;A\n2;3;4')).toEqual(put('up_to_kg;A;B\n2;4;3'));
  });

  test('bands are not shared between the grid and the tariff', () => {
    const grid = readGrid(cells('up_to_kg;A;B\n2;3;4'));
    withGrid(tariff, grid, '2026-01-01').versions[1]?.zones[0]?.bands.push({ upToKg: 9, price: 9 });
    expect(grid.zones[0]?.bands).toHaveLength(1);
  });

  test.each([
    ['a column that is no zone', 'up_to_kg;A;X;B\n2;1;1;1', ['1 C unknown_zone']],
    ['a name in other letters', 'up_to_kg;a;B\n2;1;1', ['1 B unknown_zone', '1 required']],
    ['a zone without a column', 'up_to_kg;A\n2;1', ['1 required']],
    ['a column of a zone that is not served', 'up_to_kg;A;B;closed\n2;1;1;1', ['1 D unknown_zone']],
    [
      'all of it',
      'over_kg;up_to_kg;X;Y\n0;2;1;1',
      ['1 C unknown_zone', '1 D unknown_zone', '1 required', '1 required'],
    ],
  ])('%s is refused', (_name, text, says) => {
    expect(problems(() => put(text))).toEqual(says);
  });

  test('messages name the zones', () => {
    const said = () => {
      try {
        put('up_to_kg;A;X\n2;1;1');
      } catch (error) {
        return ((error as Fault).options.issues ?? []).map(({ message }) => message);
      }
      return [];
    };
    expect(said()).toEqual([expect.stringMatching(/\bA, B$/), expect.stringMatching(/\bB$/)]);
  });
});

describe('a number with three digits after its only sign', () => {
  const bandsOf = (first: string, second: string) =>
    readGrid([
      ['up_to_kg', 'A'],
      ['1', first],
      ['2', second],
    ]).zones[0]?.bands.map(({ price }) => price);

  test('is read as the other prices are, and otherwise rejected with both readings', () => {
    expect(bandsOf('12,50', '1.234')).toEqual([12.5, 1234]);
    expect(() => bandsOf('12', '1.234')).toThrow('it can be 1234 or 1.234');
  });

  test('is exact in a workbook', () => {
    expect(
      readGrid([
        ['up_to_kg', 'A'],
        [1.125, 4.35],
      ]).zones[0]?.bands,
    ).toEqual([{ upToKg: 1.125, price: 4.35 }]);
  });
});
