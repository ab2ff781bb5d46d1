import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { expectSentence } from './processes.ts';
import { demo, ITALY, refusal, tariffOf, useTariffCommands, zone } from './tariff-files.ts';

const given = useTariffCommands();
const { fileOf, check, connection, run } = given;

/** Line and column of what stands once in a text, as an editor shows them. */
function place(text: string, part: string): string {
  expect(text.split(part)).toHaveLength(2);
  const [before = ''] = text.split(part, 1);
  const lines = before.split('\n');
  return `${lines.length}:${(lines.at(-1)?.length ?? 0) + 1}`;
}

describe.concurrent('A rejected tariff is named with line, column and pointer', () => {
  test('for each violation of the JSON Schema', async () => {
    const text = `{
  "format": 2, "name": "Errori",
  "versions": [
    {
      "label": "2026",
      "validFrom": "2026-02-30",
      "weight": { "per": "pallet", "roundUp": [{ "toKg": 1 }] },
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
    expect(said).toContain(
      `${file}:6:20 /versions/0/validFrom must be a calendar day in the years 2000 to 2099, such as 2026-01-31`,
    );
    expect(said).toContain(`${file}:10:9 /versions/0/zones/1/code must be given`);
  });

  test('for a missing format, and for nothing else', async () => {
    const example = new URL('../../schema/examples/tariffs/brt-like.json', import.meta.url);
    const { format: _, ...without } = JSON.parse(await readFile(example, 'utf8'));
    const file = await fileOf('no-format.json', JSON.stringify({ ...without, versions: [] }));
    expect(refusal(await check(file))).toEqual([`${file}:1:1 /format must be 2`]);
  });

  test('for each violation of a rule, also with CRLF and a BOM', async () => {
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
    {
      name: 'a missing file',
      file: async () => join(given.folder, 'missing.json'),
      says: /^\S+missing\.json does not exist$/,
    },
    { name: 'a folder', file: async () => given.folder, says: /^\S+ is a folder$/ },
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
  test.each(contents)('for $name', async ({ file, says }) => {
    const path = await file();
    const lines = refusal(await check(path));
    expect(lines[0]).toMatch(says);
    expect(lines[0]).toContain(basename(path));
    expect(lines).toHaveLength(1);
  });
});

describe.concurrent('A failure of a tariff command exits with 1, and one line prints the reason:', () => {
  const cases: { name: string; args: () => Promise<string[]>; says: RegExp }[] = [
    {
      name: 'an import on an unknown connection',
      args: async () => ['import', demo('gls'), '--yes', '--connection', '2147483647'],
      says: /carrier connection/,
    },
    {
      name: 'an export where there is no tariff',
      args: async () => ['export', '--connection', `${await connection()}`],
      says: /^There is none\./,
    },
    {
      name: 'an export into a folder that is missing',
      args: async () => [
        'export',
        '--connection',
        `${await connection(ITALY)}`,
        '--out',
        join(given.folder, 'gone', 'x.json'),
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
        return ['import', file, '--yes', '--connection', `${await connection()}`];
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
});
