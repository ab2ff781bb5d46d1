export const FIELDS = ['name', 'typeId', 'address', 'postalCode', 'city', 'state', 'country'] as const;
export const TEXTS = ['name', 'address', 'postalCode', 'city', 'state'] as const;

interface WrongCase {
  name: string;
  /** Changes to a good body. */
  change: Record<string, unknown>;
  wrong: [pointer: string, code: string][];
}

const BLANK: [string, unknown][] = [
  ['empty', ''],
  ['blank', '   '],
  ['only line breaks', '\n\t\r\n'],
  ['null', null],
];
const NOT_TEXT: [string, unknown][] = [
  ['a number', 7],
  ['true', true],
  ['a list', ['x']],
  ['an object', { x: 1 }],
];
const BAD_TEXT: [string, string][] = [
  ['U+0000 inside', 'a\u0000b'],
  ['U+0000 alone', '\u0000'],
  ['a bell', 'a\u0007b'],
  ['a line break inside', 'a\nb'],
  ['a tab inside', 'a\tb'],
  ['U+007F', 'a\u007fb'],
  ['a lone high surrogate', 'a\ud83d'],
  ['a lone low surrogate', '\udce6a'],
];

const WRONG_TEXTS: WrongCase[] = TEXTS.flatMap(field => [
  ...BLANK.map(([what, value]) => ({
    name: `${field} ${what}`,
    change: { [field]: value },
    wrong: [[`/${field}`, 'required']] as [string, string][],
  })),
  ...NOT_TEXT.map(([what, value]) => ({
    name: `${field} ${what}`,
    change: { [field]: value },
    wrong: [[`/${field}`, 'wrong_type']] as [string, string][],
  })),
  ...BAD_TEXT.map(([what, value]) => ({
    name: `${field} with ${what}`,
    change: { [field]: value, country: 'GH' },
    wrong: [[`/${field}`, 'invalid_text']] as [string, string][],
  })),
  {
    name: `${field} too long`,
    change: { [field]: 'x'.repeat(field === 'postalCode' ? 21 : 201), country: 'GH' },
    wrong: [[`/${field}`, 'too_long']],
  },
]);

const WRONG_TYPE_IDS: WrongCase[] = (
  [
    [0, 'not_allowed'],
    [5, 'not_allowed'],
    [-1, 'not_allowed'],
    [2_147_483_647, 'not_allowed'],
    [2_147_483_648, 'wrong_type'],
    [1.5, 'wrong_type'],
    [1e100, 'wrong_type'],
    ['1', 'wrong_type'],
    ['', 'wrong_type'],
    [true, 'wrong_type'],
    [[1], 'wrong_type'],
    [{}, 'wrong_type'],
    [null, 'required'],
  ] as [unknown, string][]
).map(([typeId, code]) => ({
  name: `typeId ${JSON.stringify(typeId)}`,
  change: { typeId },
  wrong: [['/typeId', code]],
}));

const WRONG_COUNTRIES: WrongCase[] = [
  ...['XX', 'UK', 'ZZ', 'EU', 'XK', 'AA', 'IIT', 'ITA', 'I', 'I T', 'Italia', '39', '', '  ', 'IT\u0000'].map(
    country => [country, 'unknown_country'] as const,
  ),
  // Upper case would make ıt, ſe and the ligature ﬁ into IT, SE and FI.
  ...['ıt', 'ſe', '\ufb01'].map(country => [country, 'unknown_country'] as const),
  ...[7, true, ['IT'], { code: 'IT' }].map(country => [country, 'wrong_type'] as const),
  [null, 'required'] as const,
].map(([country, code]) => ({
  name: `country ${JSON.stringify(country)}`,
  change: { country },
  wrong: [['/country', code]],
}));

const WRONG_POSTAL_CODES: WrongCase[] = (
  [
    ['IT', '2013'],
    ['IT', '201388'],
    ['IT', '2013A'],
    ['IT', '20 138'],
    ['IT', 'IT-20138'],
    ['IT', '٢٠١٣٨'],
    ['IT', '２０１３８'],
    ['it', '2013'],
    ['SM', '2013'],
    ['US', '1234'],
    ['GB', '20138'],
    ['NL', '20138'],
    ['CR', '10101x'],
  ] as const
).map(([country, postalCode]) => ({
  name: `postal code ${postalCode} of ${country}`,
  change: { country, postalCode },
  wrong: [['/postalCode', 'invalid_postal_code']],
}));

const UNKNOWN_FIELDS: WrongCase[] = (
  [
    ['companyId', '/companyId'],
    ['id', '/id'],
    ['isPrincipal', '/isPrincipal'],
    ['Name', '/Name'],
    ['', '/'],
    ['a/b', '/a~1b'],
    ['~', '/~0'],
    ['constructor', '/constructor'],
    ['toString', '/toString'],
    ['hasOwnProperty', '/hasOwnProperty'],
  ] as const
).map(([field, pointer]) => ({
  name: `unknown field ${JSON.stringify(field)}`,
  change: { [field]: 'x' },
  wrong: [[pointer, 'unknown_field']],
}));

export const WRONG: WrongCase[] = [
  ...WRONG_TEXTS,
  ...WRONG_TYPE_IDS,
  ...WRONG_COUNTRIES,
  ...WRONG_POSTAL_CODES,
  ...UNKNOWN_FIELDS,
  {
    name: 'an unknown field that is null',
    change: { companyId: null },
    wrong: [['/companyId', 'unknown_field']],
  },
  {
    name: 'everything wrong at once, each told',
    change: { name: ' ', address: '\u0000', city: 'x'.repeat(201), state: '', typeId: 9, country: 'XX' },
    wrong: [
      ['/name', 'required'],
      ['/address', 'invalid_text'],
      ['/city', 'too_long'],
      ['/state', 'required'],
      ['/country', 'unknown_country'],
      ['/typeId', 'not_allowed'],
    ],
  },
];
