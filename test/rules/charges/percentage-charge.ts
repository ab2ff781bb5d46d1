import { HUNDRED, signed, ZERO } from '../fractions.ts';
import type { ReferenceCharge } from '../reference-charge.ts';

const rates = [
  { from: '2026-01-01', percent: 10 },
  { from: '2026-06-15', percent: 12 },
];

export const charge: ReferenceCharge = {
  cases: [
    { name: 'of the base', price: { percent: 2.95, of: ['base'] }, is: '0.30', why: '2.95 % of 10.00 = 0.295' },
    { name: 'off the base', price: { percent: -5, of: ['base'] }, is: '-0.50', why: '5 % of 10.00' },
    { name: 'by date', price: { rates, of: ['base'] }, is: '1.20', why: '15 June has 12 %' },
    {
      name: 'by date, a day before',
      price: { rates, of: ['base'] },
      ask: { date: '2026-06-14' },
      is: '1.00',
      why: '10 %',
    },
    { name: 'above an amount', price: { percent: 50, of: ['base'], above: 4 }, is: '3.00', why: 'half of 6.00' },
  ],
  amount: ({ percent, rates: dated, of }, { date, amountsIn, above }) => {
    const share = dated ? dated.findLast(({ from }) => from <= date)?.percent : percent;
    return of ? amountsIn(of).minus(above).times(signed(share)).over(HUNDRED) : ZERO;
  },
  random: (dice, { sign, names }) => {
    const of = dice.some(names, 40);
    if (of.length === 0 || dice.chance(50)) return {};
    if (dice.chance(70)) return { percent: sign * dice.decimal(40, 4), of };
    const before = { from: '2026-01-01', percent: sign * dice.decimal(40, 4) };
    return { rates: [before, { from: '2026-07-01', percent: dice.decimal(40, 4) }], of };
  },
};
