import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readTariff } from '../../src/domain/pricing/tariffs/check/tariff.check.rules.ts';
import { runs } from '../support/property-runs.ts';
import { Dice } from './dice.ts';
import { randomTariff } from './random-tariffs.ts';
import { surcharge, tariffOf } from './tariff-cases.ts';

const schema = JSON.parse(readFileSync(new URL('../../schema/tariff.schema.json', import.meta.url), 'utf8'));
const fits = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);

test('A tariff that the import accepts fits the JSON Schema, also as it is exported', () => {
  fc.assert(
    fc.property(fc.noShrink(fc.integer()), number => {
      const document = randomTariff(new Dice(number));
      for (const one of [document, readTariff(document)]) {
        if (!fits(one)) expect.fail(JSON.stringify(fits.errors));
      }
    }),
    { numRuns: runs(40), seed: 83 },
  );
});

const price = (one: object) => tariffOf(surcharge(one as never));

test.each<[what: string, document: unknown]>([
  ['a price of nothing', price({})],
  ['a percentage of nothing', price({ percent: 5 })],
  ['an index of nothing', price({ index: 'fuel' })],
  ['kilograms above without a price of them', price({ fixed: 1, aboveKg: 3 })],
  ['a range of nothing', tariffOf(surcharge({ fixed: 1 }, { parcels: {} }))],
  ['an origin of nothing', tariffOf({ origins: [{ code: 'o' }] })],
])('The JSON Schema rejects, as the import does, %s', (_what, document) => {
  expect(fits(document)).toBe(false);
  expect(() => readTariff(document)).toThrow();
});

test('The JSON Schema states how many decimals a number may have', () => {
  expect(schema.$defs.Sum.properties.perKg).toMatchObject({ 'x-decimals': 5 });
  expect(schema.$defs.Test.properties.codAmount).toMatchObject({ 'x-decimals': 2 });
});
