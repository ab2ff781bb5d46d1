import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { shown } from './quote-support.ts';
import { REFERENCE_CONDITIONS } from './reference-condition.ts';
import { priceOn, surcharge, tariffOf } from './tariff-cases.ts';

describe.each(REFERENCE_CONDITIONS)('The cases of %s hold as stated by hand:', (_file, { cases }) => {
  test.each(cases)('$name: $holds', ({ when, version, ask = {}, holds }) => {
    const { lines } = shown(priceOn(tariffOf({ ...version, ...surcharge({ fixed: 1 }, when) }), ask)) as {
      lines: Record<string, string>;
    };
    expect(lines.extra).toBe(holds ? '1.00' : undefined);
  });
});

test('Every condition has cases by hand, and holds as the guide states', () => {
  const kinds = readdirSync(new URL('../../src/domain/pricing/tariffs/conditions/', import.meta.url))
    .filter(file => file.endsWith('-condition.rules.ts'))
    .map(file => file.replace('.rules', ''));
  expect(REFERENCE_CONDITIONS.map(([file]) => file)).toEqual(kinds.toSorted());
  for (const [file, { cases }] of REFERENCE_CONDITIONS) expect(cases.length, file).toBeGreaterThan(0);
});
