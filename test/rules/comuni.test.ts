import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { KNOWN_COMUNI } from '../../src/domain/common/places/caps.rules.ts';
import {
  comuneKeys,
  comuneName,
  comuneNames,
  provincesOfPlace,
  readComune,
} from '../../src/domain/common/places/comuni.rules.ts';
import { capCanBelong, provincesOfCap } from '../../src/domain/common/places/italy.rules.ts';
import { sameWords } from '../../src/domain/common/places/place-names.rules.ts';
import { destinationsAt, findRule } from '../../src/domain/pricing/tariffs/areas/area.rules.ts';
import { areaProblems, areaTable } from '../../src/domain/pricing/tariffs/areas/area-table.rules.ts';

/** Whether a rule of a tariff that names one place holds for a destination whose city is written as the other. */
function holds(rule: string, city: string, postalCode: string, province?: string): boolean {
  const areas = [{ municipalities: [rule] }];
  expect(areaProblems(areas)).toEqual([]);
  const table = areaTable(areas);
  return destinationsAt({ countryCode: 'IT', postalCode, city, province }).every(place => findRule(table, place) >= 0);
}

type Case = [one: string, other: string, postalCode: string, province?: string];

describe('Two names of a comune are compared:', () => {
  const SAME: Case[] = [
    ["Sant'Agata Bolognese", 'S. Agata Bolognese', '40019', 'BO'],
    ["Sant'Agata Bolognese", 'Sant Agata Bolognese', '40019', 'BO'],
    ["Sant'Agata Bolognese", 'SANT’AGATA BOLOGNESE', '40019', 'BO'],
    ["Sant'Agata Bolognese", 'S.Agata  Bolognese', '40019', 'BO'],
    ["Sant'Agata Bolognese", 'Santa Agata Bolognese', '40019', 'BO'],
    ['Santa Maria Capua Vetere', 'S. Maria Capua Vetere', '81055', 'CE'],
    ['Santa Maria Capua Vetere', 'S.ta Maria Capua Vetere', '81055', 'CE'],
    ['Sesto San Giovanni', 'SESTO S.GIOVANNI', '20099', 'MI'],
    ['Santo Stefano Belbo', 'San Stefano Belbo', '12058', 'CN'],
    ['Santo Stefano Belbo', 'S.to Stefano Belbo', '12058', 'CN'],
    ['Santi Cosma e Damiano', 'SS. Cosma e Damiano', '04020', 'LT'],
    ['Santi Cosma e Damiano', 'S.S. Cosma e Damiano', '04020', 'LT'],
    ['Bardonecchia', 'Fraz. Bardonecchia', '10052', 'TO'],
    ['Bardonecchia', 'FRAZIONE BARDONECCHIA', '10052', 'TO'],
    ['Bardonecchia', 'Loc. Bardonecchia', '10052', 'TO'],
    ['Bardonecchia', 'Loc.tà Bardonecchia', '10052', 'TO'],
    ['Bardonecchia', 'Località di Bardonecchia', '10052', 'TO'],
    ['Bardonecchia', 'Bardonecchia, fraz. Melezet', '10052', 'TO'],
    ['Livigno', 'Livigno SO', '23041', 'SO'],
    ['Livigno', 'Livigno (SO)', '23041', 'SO'],
    ['Livigno', 'Livigno - SO', '23041'],
    ['Livigno', 'LIVIGNO, SO', '23030', 'SO'],
    ['Livigno', 'Livigno (Sondrio)', '23041', 'SO'],
    ['Arena Po', 'ARENA PO', '27040', 'PV'],
    ['Arena Po', 'Arena Po (PV)', '27040', 'PV'],
    ['Forlì', "Forli'", '47121', 'FC'],
    ['Forlì', 'FORLI', '47121', 'FC'],
    ["L'Aquila", 'L’Aquila', '67100', 'AQ'],
    ["L'Aquila", 'L Aquila', '67100', 'AQ'],
    ['Presicce-Acquarica', 'Presicce Acquarica', '73054', 'LE'],
    ['Presicce-Acquarica', 'Presicce / Acquarica', '73054', 'LE'],
    ['Bolzano', 'Bolzano/Bozen', '39100', 'BZ'],
    ['Bozen', 'Bolzano - Bozen', '39100', 'BZ'],
    ['Bolzano/Bozen', 'Bolzano-Bozen', '39100', 'BZ'],
    ["Reggio nell'Emilia", 'Reggio Emilia', '42121', 'RE'],
    ['Reggio di Calabria', 'Reggio Calabria', '89121', 'RC'],
  ];

  test.each(SAME)('%s = %s', (one, other, postalCode, province) => {
    expect([holds(one, other, postalCode, province), holds(other, one, postalCode, province)]).toEqual([true, true]);
  });

  test.each<Case>([
    ['San Giovanni', 'Santa Giovanna', '40019'],
    ['San Felice', 'Santa Felice', '40019'],
    ['San Donato', 'San Donato Milanese', '20097'],
    ['Arena', 'Arena Po', '27040', 'PV'],
    ['Castro', 'Castro dei Volsci', '03020', 'FR'],
    ['Reggio Emilia', 'Reggio Calabria', '89121', 'RC'],
    ['Roma', 'Roma/Ostia', '00121', 'RM'],
    ['Samone', 'Samone (TN)', '10010', 'TO'],
    ['Livigno', 'Livigno Alto', '23041', 'SO'],
    ['Santa Maria Maggiore', 'Maria Maggiore', '28857', 'VB'],
  ])('%s ≠ %s', (one, other, postalCode, province) => {
    expect([holds(one, other, postalCode, province), holds(other, one, postalCode, province)]).toEqual([false, false]);
  });
});

const WORDS = [
  'S.',
  'Sant’',
  'San',
  'Santo',
  'Santa',
  'SS.',
  'S.ta',
  'S',
  'Fraz.',
  'Loc. di',
  'Agata',
  'Po',
  'Forlì',
  'SO',
  '(SO)',
  '/',
  '-',
  'ß',
];
const written = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 6 }).map(words => words.join(' '));
const anything = fc.oneof(written, fc.string({ unit: 'grapheme', maxLength: 40 }));

describe('The normal form of a name', () => {
  test('stays the same when it is normalized again', () => {
    fc.assert(fc.property(anything, text => comuneName(comuneName(text)) === comuneName(text)));
  });

  test('does not depend on case, accents and blanks', () => {
    fc.assert(
      fc.property(written, text => {
        for (const other of [
          text.toUpperCase(),
          text.toLowerCase(),
          text.normalize('NFD'),
          ` ${text.replaceAll(' ', '  ')} `,
        ])
          expect(comuneName(other)).toBe(comuneName(text));
      }),
    );
  });

  test('gives a comparison that is reflexive and symmetric', () => {
    fc.assert(
      fc.property(anything, anything, (one, other) => {
        const [a, b] = [comuneName(one), comuneName(other)];
        expect(sameWords(a, a)).toBe(true);
        expect(sameWords(a, b)).toBe(sameWords(b, a));
      }),
    );
  });

  test('lets a table find exactly the names that are the same word by word', () => {
    fc.assert(
      fc.property(written, written, (one, other) => {
        const [rule, asked] = [comuneName(one), comuneName(other)];
        const saints = (name: string) => name.split(' ').filter(word => /^san(ta|t)?$/.test(word)).length;
        fc.pre(saints(rule) <= 3 && saints(asked) <= 3);
        expect(comuneKeys(asked, undefined, '00000').includes(rule)).toBe(sameWords(rule, asked));
      }),
    );
  });

  test.each(['S. ', 'Fraz. ', 'loc di ', '(', ', ', 'a-', 's s ', 'SO '])('of repeated %j takes a short time', part => {
    const text = part.repeat(400);
    const startedAt = performance.now();
    comuneNames(text, 'SO');
    readComune(text);
    comuneKeys(text, 'BZ', '39100');
    expect(performance.now() - startedAt).toBeLessThan(1_000);
  });
});

describe('A comune of a rule', () => {
  test.each<[rule: string, city: string, postalCode: string, province: string | undefined, counts: boolean]>([
    ['Livigno', 'Livigno', '23041', undefined, true],
    ['Livigno', 'Livigno', '23030', 'SO', true],
    ['Livigno', 'Livigno', '20121', undefined, false],
    ['Livigno', 'Livigno', '20121', 'MI', false],
    ['Livigno (SO)', 'Livigno', '23032', 'SO', false],
    ['Livigno SO', 'Livigno', '23041', undefined, true],
    ['Trepalle', 'Livigno, fraz. Trepalle', '23041', 'SO', false],
    ['Trepalle', 'Fraz. Trepalle', '23041', 'SO', true],
    ["Campione d'Italia", "Campione d'Italia", '22060', 'CO', true],
    ["Campione d'Italia", "Campione d'Italia", '22100', 'CO', false],
    ['Bagnasco', 'Bagnasco', '12071', undefined, true],
    ['Bagnasco', 'Bagnasco', '12070', undefined, false],
    ['Lipari (ME 98055)', 'Lipari', '98055', undefined, true],
    ['Lipari (98055)', 'Lipari', '98055', undefined, true],
    ['Lipari (ME 98055)', 'Lipari', '98050', undefined, false],
    ['Lipari (ME 98055, 98050)', 'Lipari', '98050', 'ME', true],
    ['Samone (TO)', 'Samone', '10010', undefined, true],
    ['Samone (TO)', 'Samone', '38059', undefined, false],
    ['Samone (Torino)', 'Samone', '10010', 'TO', true],
    // Nothing says where it is.
    ['Samone', 'Samone', '38059', undefined, true],
    ['San Teodoro (SS)', 'San Teodoro (SS)', '08020', undefined, true],
    ['San Teodoro (SS)', 'S. Teodoro', '98030', 'ME', false],
  ])('applies only with a CAP that fits it: %s: %s %s %s: %s', (rule, city, postalCode, province, counts) => {
    expect(holds(rule, city, postalCode, province)).toBe(counts);
  });

  test.each<[rule: string, code: string]>([
    ['Samone (XX)', 'unknown_province'],
    ['Samone ()', 'unknown_province'],
    ['Samone (XX 10010)', 'unknown_province'],
    ['Samone (TO 38059)', 'postal_code_not_in_province'],
    ['Samone (99999)', 'postal_code_not_in_province'],
    [' (TO)', 'invalid_text'],
  ])('can be invalid: %s: %s', (rule, code) => {
    expect(areaProblems([{ municipalities: [rule] }])).toMatchObject([{ code }]);
  });

  test.each<[one: string, other: string, conflict: boolean]>([
    ['S. Agata', "Sant'Agata", true],
    ['San Felice', 'S. Felice', true],
    ['San Felice', 'Santa Felice', false],
    ['Livigno', 'Livigno (SO)', true],
    ['Samone', 'Samone (TO)', false],
    ['Samone (TO)', 'Samone (TN)', false],
    ['Lipari (ME 98055)', 'Lipari (ME 98050)', false],
    ['Lipari (ME 98055 98050)', 'Lipari (98050)', true],
    ['Arena', 'Arena Po', false],
    ['Bolzano (BZ)', 'Bolzano/Bozen (BZ)', true],
  ])('can conflict with one of another zone: %s and %s: %s', (one, other, conflict) => {
    const problems = areaProblems([{ municipalities: [one] }, { municipalities: [other] }]);
    expect(problems.map(({ code }) => code)).toEqual(conflict ? ['conflict'] : []);
  });
});

describe('The provinces to which a place may belong', () => {
  test.each<[cap: string, city: string, provinces: string]>([
    ['12071', 'Bagnasco', 'CN'],
    ['12071', 'MASSIMINO', 'SV'],
    ['12071', 'Altrove', 'CN SV'],
    ['18025', 'Briga Alta', 'CN'],
    ['18025', 'Fraz. Mendatica', 'IM'],
    ['18025', 'Montegrosso Pian Latte', 'IM'],
    ['18025', 'Altrove', 'CN IM'],
    ['18025', 'Altrove (IM)', 'IM'],
    ['18025', 'Altrove IM', 'IM'],
    ['18025', 'Altrove (PA)', 'CN IM'],
    ['61013', 'Sassofeltrio', 'RN'],
    ['61013', 'Mercatino Conca', 'PU'],
    ['61014', '-', 'PU RN'],
    ['47868', 'Montecopiolo', 'RN'],
    ['23806', "Torre de' Busi", 'BG'],
    ['24032', "Torre de' Busi", 'BG'],
    ['32047', 'Sappada', 'UD'],
    ['33012', 'Sappada', 'UD'],
    ['33061', 'Rivignano Teor', 'UD'],
    // Only the CAP's own comuni decide.
    ['20121', 'Bagnasco', 'MI'],
    ['20900', 'Monza', 'MB'],
    ['63900', 'Fermo', 'FM'],
    ['08020', 'Posada', 'NU OT SS'],
    ['08020', 'Posada (NU)', 'NU'],
    ['07026', 'Olbia', 'OT SS'],
    ['07100', 'Sassari', 'SS'],
    ['09045', "Quartu Sant'Elena", 'CA'],
    ['09013', 'Carbonia', 'CA CI SU'],
    ['09025', 'Sanluri', 'CA SU VS'],
    ['09124', 'Cagliari', 'CA'],
    ['09170', 'Oristano', 'OR'],
    ['99999', 'Nowhere', ''],
  ])('follow from its CAP and city: %s %s: %s', (cap, city, provinces) => {
    expect(provincesOfPlace(cap, city).join(' ')).toBe(provinces);
  });

  test('are those to which its CAP can belong, and outside Sardinia only CAPs of known comuni have several', () => {
    const beginnings = Array.from({ length: 10_000 }, (_, i) => `${String(i).padStart(4, '0')}9`);
    const shared = [...KNOWN_COMUNI.flatMap(({ caps }) => caps), ...beginnings].filter(cap => {
      const provinces = provincesOfCap(cap);
      expect([cap, provinces.filter(province => !capCanBelong(cap, province))]).toEqual([cap, []]);
      return provinces.length > 1 && !/^0[789]/.test(cap);
    });
    expect([...new Set(shared)].toSorted()).toEqual(['12071', '18025', '23806', '32047', '61013', '61014']);
  });
});
