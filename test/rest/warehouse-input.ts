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
 * One wrong value of each kind that a field has. Which texts, countries and postal codes are wrong is tested in
 * `rules/fields.test.ts` and `rules/places.test.ts`, and each bound in `contract/input-bounds.test.ts`.
 */
export const WRONG: WrongCase[] = [
  ...TEXTS.flatMap(field => [
    wrongCase(`${field} blank`, { [field]: ' \n' }, [`/${field}`, 'required']),
    wrongCase(`${field} a number`, { [field]: 7 }, [`/${field}`, 'wrong_type']),
    // Ghana is a country without a known form of postal codes.
    wrongCase(`${field} with U+0000`, { [field]: 'a\u0000b', country: 'GH' }, [`/${field}`, 'invalid_text']),
  ]),
  wrongCase('a name of characters that nobody sees', { name: ' \u200b\u2060 ' }, ['/name', 'required']),
  wrongCase('typeId 5', { typeId: 5 }, ['/typeId', 'not_allowed']),
  wrongCase('typeId in text', { typeId: '1' }, ['/typeId', 'wrong_type']),
  wrongCase('typeId null', { typeId: null }, ['/typeId', 'required']),
  wrongCase('a country that nobody has', { country: 'XX' }, ['/country', 'unknown_country']),
  // Upper case would make ıt, ſe and the ligature ﬁ into IT, SE and FI.
  ...['ıt', 'ſe', '\ufb01'].map(country =>
    wrongCase(`country ${country}`, { country }, ['/country', 'unknown_country']),
  ),
  wrongCase('a country that is a number', { country: 39 }, ['/country', 'wrong_type']),
  wrongCase('a postal code of another country', { country: 'GB', postalCode: '20138' }, [
    '/postalCode',
    'invalid_postal_code',
  ]),
  wrongCase('a postal code that its country does not have', { postalCode: '2013', country: 'it' }, [
    '/postalCode',
    'invalid_postal_code',
  ]),
  wrongCase('an unknown field', { companyId: 'x' }, ['/companyId', 'unknown_field']),
  wrongCase('an unknown field that is null', { companyId: null }, ['/companyId', 'unknown_field']),
  wrongCase('a field that is only shown', { isPrincipal: true }, ['/isPrincipal', 'unknown_field']),
  wrongCase('an unknown field whose name needs escapes', { 'a/b~': 'x' }, ['/a~1b~0', 'unknown_field']),
  wrongCase('a field of the prototype', { constructor: 'x' }, ['/constructor', 'unknown_field']),
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
