import { expect, test } from 'vitest';
import { readTariff } from '../../src/domain/pricing/tariffs/check/tariff.check.rules.ts';
import { compileTariff } from '../../src/domain/pricing/tariffs/compile/compile.rules.ts';
import { DEMO_TARIFFS } from '../rest/tariffs.ts';
import { Dice } from './dice.ts';
import { randomTariff } from './random-tariffs.ts';

test('A compiled tariff is plain data, and is the same after a copy to another thread', () => {
  const documents = [
    ...DEMO_TARIFFS.map(([, tariff]) => tariff),
    ...Array.from({ length: 50 }, (_, i) => randomTariff(new Dice(i))),
  ];
  for (const document of documents) {
    const compiled = compileTariff(readTariff(document));
    expect(structuredClone(compiled)).toStrictEqual(compiled);
  }
});
