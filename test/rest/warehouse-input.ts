export const FIELDS = ['name', 'typeId', 'address', 'postalCode', 'city', 'state', 'country'] as const;
export const TEXTS = ['name', 'address', 'postalCode', 'city', 'state'] as const;

interface WrongCase {
  name: string;
  /** Changes to a good body. */
  change: Record<string, unknown>;
  wrong: [pointer: string, code: string][];
}

const wrongCase = (name: string, change: Record<string, unknown>, ...wrong: [string, string][]): WrongCase => ({
  name,
  change,
  wrong,
});

/**
 * One wrong value for each field. Which values are wrong is tested in `rules/fields.test.ts` and `rules/places.test.ts`, and
 * each bound in `contract/input-bounds.slow.test.ts`.
 */
export const WRONG: WrongCase[] = [
  wrongCase(
    'a number for each text',
    Object.fromEntries(TEXTS.map(field => [field, 7])),
    ...TEXTS.map((field): [string, string] => [`/${field}`, 'wrong_type']),
  ),
  wrongCase('typeId in text', { typeId: '1' }, ['/typeId', 'wrong_type']),
  wrongCase('typeId null', { typeId: null }, ['/typeId', 'required']),
  // Upper case would make FI of the ligature.
  wrongCase('a country that is a ligature', { country: '\ufb01' }, ['/country', 'unknown_country']),
  wrongCase('a postal code of another country', { country: 'GB', postalCode: '20138' }, [
    '/postalCode',
    'invalid_postal_code',
  ]),
  wrongCase(
    'a field that is only shown, and unknown ones',
    { isPrincipal: true, companyId: null, 'a/b~': 'x', constructor: 'x' },
    ['/isPrincipal', 'unknown_field'],
    ['/companyId', 'unknown_field'],
    ['/a~1b~0', 'unknown_field'],
    ['/constructor', 'unknown_field'],
  ),
  wrongCase(
    'everything wrong at once, and names each field',
    { name: ' ', address: '\u0000', city: 'x'.repeat(201), state: '', typeId: 9, country: 'XX' },
    ['/name', 'required'],
    ['/address', 'invalid_text'],
    ['/city', 'too_long'],
    ['/state', 'required'],
    ['/country', 'unknown_country'],
    ['/typeId', 'not_allowed'],
  ),
];
