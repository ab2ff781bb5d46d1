import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { priceIn } from '../../src/domain/pricing/quotes/price/province.rules.ts';
import { areaOf, destinationsAt } from '../../src/domain/pricing/tariffs/areas/area.rules.ts';
import { readTariff } from '../../src/domain/pricing/tariffs/check/tariff.check.rules.ts';
import { compileTariff } from '../../src/domain/pricing/tariffs/compile/compile.rules.ts';
import { price } from '../../src/domain/pricing/tariffs/engine/quote.rules.ts';
import type { Exclusion } from '../../src/domain/pricing/tariffs/exclusion.rules.ts';
import type { Price } from '../../src/domain/pricing/tariffs/price.rules.ts';
import { Dice } from './dice.ts';
import { shipmentOf, shown } from './quote-support.ts';
import { randomAsk, randomTariff } from './random-tariffs.ts';

/** CAPs that lie in several provinces, and what the places of random tariffs become, so that their rules are about these. */
const BORDERS = [
  {
    caps: { '12071': ['CN', 'SV'], '18025': ['CN', 'IM'] },
    places: { PA: 'CN', MI: 'SV', SO: 'IM', Sicilia: 'Liguria', Lombardia: 'Piemonte' },
    codes: { '90139': '12071', '901*': '120*', '90010': '18025', '20*': '180*' },
  },
  {
    caps: { '08020': ['NU', 'OT', 'SS'] },
    places: { PA: 'NU', MI: 'OT', SO: 'SS', Sicilia: 'Sardegna', Lombardia: 'Liguria' },
    codes: { '90139': '08020', '901*': '080*', '90010': '07020', '20*': '07*' },
  },
] as const;

function moved<Document>(document: Document, names: Readonly<Record<string, string>>): Document {
  return JSON.parse(JSON.stringify(document), (_key, value) => names[value] ?? value);
}

/** Everything that callers see of a result. */
function seen(result: Price | Exclusion) {
  if (!result.ok) return { ...shown(result), reason: result.reason };
  const { version, vatRule } = result;
  return { ...shown(result), vatNote: version.vat[areaOf(version.vatTable, vatRule)]?.note };
}

/** The value in a document at a path; a version without VAT of its own has the VAT of the service. */
function standsAt(document: unknown, path: readonly (string | number)[]): boolean {
  if (path.at(-1) === 'vat') return true;
  let value = document;
  for (const step of path) value = (value as Record<string, unknown> | undefined)?.[step];
  return value !== undefined;
}

test('A CAP of several provinces is priced without a province exactly where each of them has the same price', () => {
  const met: Record<string, number> = {};
  const count = (what: string) => {
    met[what] = (met[what] ?? 0) + 1;
  };
  fc.assert(
    fc.property(fc.noShrink(fc.integer()), number => {
      const dice = new Dice(number);
      const { caps, places, codes } = dice.of(BORDERS);
      const document = moved(randomTariff(dice), { ...places, ...codes, Palermo: 'Altrove' });
      const engine = compileTariff(readTariff(document));
      for (let i = 0; i < 30; i++) {
        const [postalCode, provinces] = dice.of(Object.entries<readonly string[]>(caps));
        const to = { countryCode: 'IT', postalCode, city: dice.of(['Altrove', 'Da nessuna parte']) };
        const ask = { ...randomAsk(dice), to };
        const results = provinces.map(province => price(engine, shipmentOf({ ...ask, to: { ...to, province } })));
        const found = priceIn(engine, shipmentOf(ask), destinationsAt(to));
        // The case is printed only if it fails, because it is long.
        const same = (got: unknown, wanted: unknown) => {
          if (!isDeepStrictEqual(got, wanted)) expect(got, JSON.stringify({ ask, document })).toEqual(wanted);
        };
        const [first, ...others] = results.map(seen);
        const isAlike = others.every(other => isDeepStrictEqual(other, first));
        const priced = results.filter(({ ok }) => ok).length;
        if (priced === 0 || isAlike) {
          same(seen(found), first);
          count(`${priced === 0 ? 'excluded' : 'priced'} ${isAlike ? 'alike' : 'variously'}`);
        } else {
          const { code, reason, rule } = found as Exclusion;
          same({ code, reason }, { code: 'PROVINCE_NEEDED', reason: { is: 'province', postalCode, provinces } });
          same(standsAt(document, rule), true);
          count(priced === results.length ? 'prices differ' : 'priced in some');
        }
      }
    }),
    { numRuns: 100, seed: 83 },
  );
  expect(Object.keys(met)).toHaveLength(5);
  for (const [what, often] of Object.entries(met)) expect(often, what).toBeGreaterThan(20);
});
