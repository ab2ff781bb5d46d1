import { describe, expect, test } from 'vitest';
import { capCanBelong, provincesOfCap, regionOfProvince } from '../../src/domain/common/places/italy.rules.ts';
import { enclaveOf } from '../../src/domain/common/places/places.rules.ts';
import { areaOf, destinationsAt, findRule } from '../../src/domain/pricing/tariffs/areas/area.rules.ts';
import { areaTable } from '../../src/domain/pricing/tariffs/areas/area-table.rules.ts';
import { DIVIDED_PROVINCES } from '../../src/domain/pricing/tariffs/areas/divided-provinces.rules.ts';
import { placeWarnings } from '../../src/domain/pricing/tariffs/check/place-warnings.rules.ts';
import { readTariff } from '../../src/domain/pricing/tariffs/check/tariff.check.rules.ts';
import { tariffOf, zone } from './tariff-cases.ts';

/** Rules for provinces that were divided: each is met by the CAPs that the province has or had, or warned about. */

function isMet(rules: readonly string[], postalCode: string, province: string): number {
  const table = areaTable(rules.map(rule => ({ provinces: [rule] })));
  const place = destinationsAt({ countryCode: 'IT', postalCode, city: 'Nessuno', province })[0];
  return areaOf(table, findRule(table, place));
}

const ALL_CAPS = Array.from({ length: 10_000 }, (_, i) => `${String(i).padStart(4, '0')}0`).filter(
  cap => provincesOfCap(cap).length > 0 && enclaveOf(cap) === undefined,
);

test('Every CAP meets a rule for the province that is stated, beside rules for all others of its history', () => {
  for (const cap of ALL_CAPS) {
    for (const province of provincesOfCap(cap)) {
      const others = [...DIVIDED_PROVINCES].flat(2).filter(one => one !== province);
      expect([cap, province, isMet([...new Set(others), province], cap, province)]).toEqual([
        cap,
        province,
        new Set(others).size,
      ]);
    }
  }
});

test('No CAP meets a rule for a province that is neither its own nor one of its history', () => {
  for (const cap of ALL_CAPS) {
    for (const province of provincesOfCap(cap)) {
      const related = [...DIVIDED_PROVINCES]
        .filter(pair => pair.flat().includes(province))
        .flatMap(pair => pair.flat());
      const others = ['MI', 'BA', 'FG', 'NU', 'SU', 'CA', 'CN', 'SV'].filter(
        one => one !== province && !related.includes(one),
      );
      for (const other of others)
        expect([cap, province, other, isMet([other], cap, province)]).toEqual([cap, province, other, -1]);
    }
  }
});

describe('A rule for a province that was divided', () => {
  test.each<[rules: string[], cap: string, province: string, met: number]>([
    [['MB'], '20900', 'MI', 0],
    [['MI', 'MB'], '20900', 'MI', 0],
    [['BT'], '76121', 'BA', 0],
    [['BT'], '76121', 'FG', 0],
    [['RN'], '47921', 'FC', 0],
    [['MI'], '20900', 'MB', -1],
    [['FI'], '59100', 'PO', -1],
    [['CA'], '09013', 'SU', 0],
    [['CA'], '09040', 'SU', 0],
    [['SU', 'CA'], '09013', 'CI', 0],
    [['NU'], '08020', 'OT', 0],
    [['SS', 'NU'], '08020', 'OT', 1],
    [['SV'], '12071', 'CN', -1],
  ])('is met as follows: %j, for %s in %s: zone %i', (rules, cap, province, met) => {
    expect(isMet(rules, cap, province)).toBe(met);
  });

  test('is met by a CAP of its present or past provinces, or gives a warning, for every pair', () => {
    for (const [later, formers] of DIVIDED_PROVINCES) {
      for (const former of formers) {
        for (const [named, other] of [
          [later, former],
          [former, later],
        ] as const) {
          const tariff = readTariff(tariffOf({ zones: [zone({ to: { provinces: [named] } })] }));
          const [warning] = placeWarnings(tariff);
          expect(warning).toMatchObject({
            code: 'divided_province',
            path: ['versions', 0, 'zones', 0, 'to', 'provinces', 0],
          });
          expect(warning?.message.it).toContain(other);
          expect(warning?.message.en).toContain(other);
        }
        const both = [
          zone({ code: 'a', to: { provinces: [former] } }),
          zone({ code: 'b', to: { provinces: [later] } }),
        ];
        const messages = placeWarnings(readTariff(tariffOf({ zones: both }))).map(({ message }) => message.en);
        for (const text of messages) expect(text.split('state ')[1]?.split(',')).not.toEqual([former, later]);
      }
    }
  });

  test('names provinces that Italy has, and CAPs that can belong to them', () => {
    for (const [later, formers] of DIVIDED_PROVINCES) {
      for (const one of [later, ...formers]) expect([one, regionOfProvince(one)]).toEqual([one, expect.any(String)]);
      expect(ALL_CAPS.some(cap => capCanBelong(cap, later))).toBe(true);
    }
  });
});
