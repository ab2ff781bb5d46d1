import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readTariff } from '../../src/domain/pricing/tariffs/check/tariff.check.rules.ts';
import { compileTariff } from '../../src/domain/pricing/tariffs/compile/compile.rules.ts';
import { tariffChanges } from '../../src/domain/pricing/tariffs/revisions/tariff-changes.rules.ts';
import { accountOf, countInMonth, type MonthSums } from '../../src/domain/spend/simulations/account-sums.rules.ts';
import { runs } from '../support/property-runs.ts';
import { problemsOf } from './quote-support.ts';

const FEES = [
  { code: 'canone', description: 'Canone', per: 'month', price: 25 },
  { code: 'ritiro', description: 'Ritiro', per: 'pickup', price: 3.5 },
];
const MINIMUM = { code: 'minimo', description: 'Minimo mensile', price: 100 };
const BONUS = {
  code: 'premio',
  description: 'Premio annuo',
  by: 'shipments',
  steps: [
    { from: 100, percent: 1 },
    { from: 1000, percent: 2.5 },
  ],
};
const ACCOUNT = { fees: FEES, minimum: MINIMUM, bonus: BONUS };
const document = (account: object, more: object[] = []) => {
  const { format, name, versions } = versionOf(account);
  return { format, name, versions: [...versions, ...more] };
};
const versionOf = (account: object, fields: object = {}) => ({
  format: 2,
  name: 'Listino',
  versions: [
    {
      label: '2026',
      validFrom: '2026-01-01',
      weight: { per: 'shipment', roundUp: [{ toKg: 1 }] },
      zones: [{ code: 'it', name: 'Italia', to: { countries: ['IT'] }, bands: [{ upToKg: 50, price: 5 }] }],
      account,
      ...fields,
    },
  ],
});
const compiled = (tariff: object) => compileTariff(readTariff(tariff));

interface Sent {
  readonly date: string;
  readonly warehouseId: number;
  readonly cents: number;
}

function monthsOf(sent: readonly Sent[]): MonthSums {
  const months: MonthSums = {};
  for (const { date, warehouseId, cents } of sent) {
    const shipment = { date, origin: { warehouseId } };
    countInMonth(months, { shipment } as never, { totalCents: cents } as never);
  }
  return months;
}

describe('The charge of an account', () => {
  const SENT = [
    { date: '2026-03-02', warehouseId: 1, cents: 4_000 },
    { date: '2026-03-02', warehouseId: 1, cents: 2_000 },
    { date: '2026-03-02', warehouseId: 2, cents: 1_000 },
    { date: '2026-03-31', warehouseId: 1, cents: 1_500 },
    { date: '2026-05-31', warehouseId: 1, cents: 20_000 },
  ];

  test('includes a fee for each month and each day of pickups of a warehouse, and the difference of months to the minimum', () => {
    const period = { from: '2026-03-01', to: '2026-05-31' };
    const { charges, bonus } = accountOf(compiled(document(ACCOUNT)), monthsOf(SENT), period, null);
    // March has three pickups and 85.00, April nothing, May one pickup and 200.00.
    expect(charges).toEqual([
      { code: 'canone', description: 'Canone', months: 3, cents: 7_500 },
      { code: 'ritiro', description: 'Ritiro', months: 2, cents: 1_400 },
      { code: 'minimo', description: 'Minimo mensile', months: 2, cents: 1_500 + 10_000 },
    ]);
    // 5 shipments in 92 days are 19 a year.
    expect(bonus).toMatchObject({ cents: 0, calculation: expect.stringContaining('19 shipments in a year') });
  });

  test('follows the version on the first day of a month, or the one that begins in it', () => {
    const period = { from: '2026-02-01', to: '2026-04-10' };
    const [first] = versionOf({ fees: [{ ...FEES[0], price: 10 }] }, { validFrom: '2026-02-15' }).versions;
    const [second] = versionOf({ fees: [{ ...FEES[0], price: 20 }] }, { validFrom: '2026-03-15' }).versions;
    const tariff = compiled({ format: 2, name: 'Listino', versions: [first, second] });
    // 10 in February and March, 20 in April.
    expect(accountOf(tariff, {}, period, null).charges).toMatchObject([{ code: 'canone', months: 3, cents: 4_000 }]);
    expect(accountOf(tariff, {}, period, '2026-06-01').charges).toMatchObject([{ cents: 6_000 }]);
    expect(accountOf(tariff, {}, { from: '2025-01-01', to: '2025-01-31' }, null).charges).toEqual([]);
  });

  test('has a bonus for all shipments once the volume of a year reaches a step', () => {
    const sent = Array.from({ length: 90 }, (_, i) => ({ ...SENT[0], cents: 1_000 + i })) as Sent[];
    const bonusOf = (bonus: object, to: string) =>
      accountOf(compiled(document({ bonus })), monthsOf(sent), { from: '2026-03-01', to }, null).bonus?.cents;
    // 940.05 in 31 days: 1,059 shipments and 11,068.33 a year.
    expect(bonusOf(BONUS, '2026-03-31')).toBe(-2_350);
    expect(bonusOf(BONUS, '2026-06-30')).toBe(-940);
    const bySpend = { ...BONUS, by: 'spend', steps: [{ from: 11_068.33, percent: 10 }] };
    expect(bonusOf(bySpend, '2026-03-31')).toBe(-9_401);
    expect(bonusOf({ ...bySpend, steps: [{ from: 11_068.34, percent: 10 }] }, '2026-03-31')).toBe(0);
  });

  test('equals a calculation day by day', () => {
    const day = fc
      .integer({ min: 0, max: 364 })
      .map(n => new Date(Date.UTC(2026, 0, 1 + n)).toISOString().slice(0, 10));
    const one = fc.record({
      date: day,
      warehouseId: fc.integer({ min: 1, max: 3 }),
      cents: fc.integer({ min: 0, max: 9_000 }),
    });
    const period = { from: '2026-01-01', to: '2026-12-31' };
    const tariff = compiled(document(ACCOUNT));
    fc.assert(
      fc.property(fc.array(one, { maxLength: 200 }), sent => {
        let [pickups, missing] = [0, 0];
        for (let month = 1; month <= 12; month++) {
          const own = sent.filter(({ date }) => Number(date.slice(5, 7)) === month);
          pickups += new Set(own.map(({ date, warehouseId }) => `${date} ${warehouseId}`)).size;
          missing += Math.max(0, 10_000 - own.reduce((sum, { cents }) => sum + cents, 0));
        }
        const { charges } = accountOf(tariff, monthsOf(sent), period, null);
        expect(charges.map(({ cents }) => cents)).toEqual([12 * 2_500, 350 * pickups, missing]);
      }),
      { numRuns: runs(300) },
    );
  });
});

describe('An account of a tariff is rejected if it is wrong:', () => {
  const A = '/versions/0/account';
  test.each<[string, object, ...string[]]>([
    ['empty', {}, `${A} required`],
    ['a code twice', { fees: FEES, minimum: { ...MINIMUM, code: 'ritiro' } }, `${A}/minimum/code duplicate`],
    [
      'steps that do not ascend',
      {
        bonus: {
          ...BONUS,
          steps: [
            { from: 5, percent: 1 },
            { from: 5, percent: 2 },
          ],
        },
      },
      `${A}/bonus/steps/1/from overlap`,
    ],
    [
      'half a shipment',
      { bonus: { ...BONUS, steps: [{ from: 5.5, percent: 1 }] } },
      `${A}/bonus/steps/0/from too_precise`,
    ],
    ['a price of three decimals', { fees: [{ ...FEES[0], price: 1.234 }] }, `${A}/fees/0/price too_precise`],
    ['an unknown unit', { fees: [{ ...FEES[0], per: 'year' }] }, `${A}/fees/0/per not_allowed`],
  ])('%s', (_, account, ...problems) => {
    expect(problemsOf(document(account))).toEqual(problems);
  });
});

test('A changed fee, minimum or bonus of an account is a change of its price', () => {
  const [ritiro, step] = [
    { ...FEES[1], price: 4 },
    { from: 1000, percent: 3 },
  ];
  const after = {
    fees: [FEES[0], ritiro],
    minimum: { ...MINIMUM, price: 110 },
    bonus: { ...BONUS, steps: [BONUS.steps[0], step] },
  };
  const changes = tariffChanges(readTariff(document(ACCOUNT)), readTariff(document(after)));
  expect(changes.map(({ part, aspect, line, text }) => [part, aspect, line, text])).toEqual([
    ['account', 'price', 'ritiro', 'from 2026-01-01: account Ritiro (ritiro), price: 3.50 → 4.00 (+14.3 %)'],
    ['account', 'price', 'minimo', 'from 2026-01-01: account Minimo mensile (minimo), price: 100.00 → 110.00 (+10 %)'],
    [
      'account',
      'price',
      'premio',
      'from 2026-01-01: account Premio annuo (premio), steps, 1000, percent: 2.5 → 3 (+20 %)',
    ],
  ]);
});
