import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { shown } from './quote-support.ts';
import { REFERENCE_CHARGES } from './reference-charge.ts';
import { priceOn, surcharge, tariffOf } from './tariff-cases.ts';

describe.each(REFERENCE_CHARGES)('The cases of %s have the prices calculated by hand:', (_file, { cases }) => {
  test.each(cases)('$name: $why', ({ price, when, ask = {}, is }) => {
    expect(shown(priceOn(tariffOf(surcharge(price, when)), ask))).toMatchObject({
      lines: { base: '10.00', extra: is },
    });
  });
});

test('Every way to charge has prices by hand, and its amount as the guide states it', () => {
  const kinds = readdirSync(new URL('../../src/domain/pricing/tariffs/charges/', import.meta.url))
    .filter(file => file.endsWith('-charge.rules.ts'))
    .map(file => file.replace('.rules', ''));
  expect(REFERENCE_CHARGES.map(([file]) => file)).toEqual(kinds.toSorted());
  for (const [file, { cases }] of REFERENCE_CHARGES) expect(cases.length, file).toBeGreaterThan(0);
});
