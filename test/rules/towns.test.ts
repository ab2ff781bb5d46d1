import { expect, test } from 'vitest';
import { destinationsAt, findRule, ruleAt } from '../../src/domain/pricing/tariffs/areas/area.rules.ts';
import { areaProblems, areaTable } from '../../src/domain/pricing/tariffs/areas/area-table.rules.ts';

/** Towns abroad, which carriers list as remote. */

const RULES = [
  'CH Samnaun',
  'DE Neustadt (67433)',
  'ES Vielha e Mijaran',
  'FR Chamonix-Mont-Blanc',
  'NO Å i Lofoten',
] as const;

test.each<[country: string, postalCode: string, city: string, found: string | undefined]>([
  ['CH', '7562', 'Samnaun', 'CH Samnaun'],
  ['CH', '7563', 'SAMNAUN ', 'CH Samnaun'],
  ['CH', '7563', 'Samnaun Dorf', undefined],
  ['AT', '7562', 'Samnaun', undefined],
  // Chieti is CH too.
  ['IT', '66100', 'Samnaun', undefined],
  ['DE', '67433', 'Neustadt', 'DE Neustadt (67433)'],
  ['DE', '01844', 'Neustadt', undefined],
  ['ES', '25530', 'VIELHA E MIJARÀN', 'ES Vielha e Mijaran'],
  ['FR', '74400', 'Chamonix Mont Blanc', 'FR Chamonix-Mont-Blanc'],
  ['NO', '8392', 'å i lofoten', 'NO Å i Lofoten'],
])('The place %s %s %s is the town %s', (countryCode, postalCode, city, found) => {
  const areas = [{ towns: [...RULES] }];
  expect(areaProblems(areas)).toEqual([]);
  const table = areaTable(areas);
  expect(ruleAt(table, findRule(table, destinationsAt({ countryCode, postalCode, city })[0]))?.text).toBe(found);
});

test('A town comes after postal codes and before its country, and one with a postal code before one without', () => {
  const areas = [
    { countries: ['CH'] },
    { towns: ['CH Lugano'] },
    { towns: ['CH Lugano (6900)'] },
    { postalCodes: ['CH 6906'] },
  ];
  expect(areaProblems(areas)).toEqual([]);
  const table = areaTable(areas);
  const found = ['6900', '6906', '6962'].map(postalCode => {
    const rule = findRule(table, destinationsAt({ countryCode: 'CH', postalCode, city: 'Lugano' })[0]);
    return ruleAt(table, rule)?.text;
  });
  expect(found).toEqual(['CH Lugano (6900)', 'CH 6906', 'CH Lugano']);
});

test.each<[town: string, code: string]>([
  ['Samnaun', 'invalid_text'],
  ['CH', 'invalid_text'],
  ['CH ', 'invalid_text'],
  ['CH -', 'invalid_text'],
  ['XK Pristina', 'unknown_country'],
  ['IT Lipari', 'not_allowed'],
  ['CH Lugano ()', 'invalid_text'],
  [`CH ${'a'.repeat(200)}`, 'invalid_text'],
  ['CH Lu\u0000gano', 'invalid_text'],
])('The town %j is rejected: %s', (town, code) => {
  expect(areaProblems([{ towns: [town] }])).toMatchObject([{ code, rule: { path: ['towns', 0] } }]);
});

test('Two zones cannot both have a town, however it is written', () => {
  const problems = areaProblems([{ towns: ['FR Chamonix-Mont-Blanc'] }, { towns: ['FR CHAMONIX MONT BLANC'] }]);
  expect(problems).toMatchObject([{ code: 'conflict' }]);
});
