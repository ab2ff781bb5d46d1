import type { Issue } from '../../../../platform/fault.ts';
import { type BilledCharge, sumOf } from '../billed-line.rules.ts';
import { type InvoiceHeader, namesOf, oneOf } from './invoice-header.rules.ts';
import {
  CHARGE_KINDS,
  type ChargeKind,
  type ChargeMeaning,
  type ChargePairs,
  type ChargeRows,
  type InvoiceMapping,
  type MappedColumn,
  type NamedCharge,
} from './invoice-mapping.format.rules.ts';

/** Reads the amounts of a row of an invoice: columns of amounts, pairs of a name and an amount, or one charge a row. */

/** The cents in a column; null for an empty cell, and for one that is reported. */
type CentsAt = (at: number) => number | null;

interface ReadCharges {
  readonly charges: readonly BilledCharge[];
  /** The amount of a row that is VAT alone. */
  readonly vatCents?: number;
  /** Whether the row only informs, and bills nothing. */
  readonly isNothing?: true;
}

export interface ChargeReader {
  readonly covers: readonly ChargeKind[];
  /** Positions of columns with amounts. */
  readonly amountsAt: readonly number[];
  /** @param net the total of the row, if it states one */
  read(cells: readonly string[], centsAt: CentsAt, net: number | null): ReadCharges;
}

/** Names of charges and zones are compared without case, blanks and accents. */
export function normal(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[\p{M}\s._]+/gu, '')
    .toLowerCase();
}

export function chargeReader(header: InvoiceHeader, { charges }: InvoiceMapping, issues: Issue[]): ChargeReader {
  return 'name' in charges ? inRows(header, charges, issues) : inColumns(header, charges, issues);
}

type Named = (...texts: readonly string[]) => Omit<NamedCharge, 'named'> | undefined;

/** The first charge that has one of the texts of a row as its name. */
function namedIn(charges: readonly NamedCharge[]): Named {
  const known = charges.flatMap(({ named, ...meaning }) =>
    named.map(one => ({ meaning, isBeginning: one.endsWith('*'), text: normal(one.replace(/\*$/, '')) })),
  );
  return (...texts) => {
    const sought = texts.map(normal).filter(text => text !== '');
    const isOne = ({ isBeginning, text }: (typeof known)[number]) =>
      sought.some(one => (isBeginning ? one.startsWith(text) : one === text));
    return known.find(isOne)?.meaning;
  };
}

function inRows(header: InvoiceHeader, { name, codes = [], amount, charges, otherwise }: ChargeRows, issues: Issue[]) {
  const [nameAt, amountAt] = [header.find(name, 'name of the charge'), header.find(amount, 'amount of the charge')];
  const codesAt = codes.map(code => header.find(code, 'code of the charge')).filter(at => at >= 0);
  for (const [at, column] of [
    [nameAt, name],
    [amountAt, amount],
  ] as const) {
    if (at >= 0) continue;
    issues.push({
      path: [header.row],
      code: 'required',
      message: `must have the column ${namesOf(column).join(' or ')}`,
    });
  }
  const named = namedIn(charges);
  return {
    covers: CHARGE_KINDS,
    amountsAt: amountAt < 0 ? [] : [amountAt],
    read(cells: readonly string[], centsAt: CentsAt): ReadCharges {
      const texts = [nameAt, ...codesAt].map(at => cells[at] ?? '');
      const { is, ...meaning } = named(...texts) ?? { kinds: [otherwise] };
      const cents = centsAt(amountAt) ?? 0;
      if (is === 'nothing') return { charges: [], isNothing: true };
      if (is === 'vat') return { charges: [], vatCents: cents };
      return { charges: [chargeOf(meaning, texts.find(text => text !== '') ?? '', cents)] };
    },
  };
}

/** The charges of a row and the discounts on them; a discount on a charge above zero is above zero too. */
interface Gross {
  readonly charge: BilledCharge;
  readonly discount: number;
}

function inColumns(header: InvoiceHeader, all: Exclude<InvoiceMapping['charges'], ChargeRows>, issues: Issue[]) {
  const lessAt = (columns: readonly MappedColumn[] = []) =>
    columns.map(column => header.find(column, 'discount')).filter(at => at >= 0);
  const found = all
    .flatMap(one => ('pairs' in one ? [] : [one]))
    .map(({ column, less, ...meaning }) => ({
      meaning,
      at: header.find(column, [...(meaning.kinds ?? []), ...(meaning.lines ?? [])].join(', ')),
      less: lessAt(less),
    }))
    .filter(({ at }) => at >= 0);
  const pairs = all.flatMap(one => ('pairs' in one ? [pairsIn(header, one, lessAt)] : []));
  if (found.length === 0 && pairs.every(({ amountsAt }) => amountsAt.length === 0)) {
    const names = all.flatMap(one =>
      'pairs' in one ? one.pairs.flatMap(({ amount }) => namesOf(amount)) : namesOf(one.column),
    );
    issues.push({ path: [header.row], code: 'required', message: `must have a column with amounts${oneOf(names)}` });
  }
  const ofPairs = pairs.flatMap(({ kinds }) => kinds);
  const amountsOf = (centsAt: CentsAt): Gross[] =>
    found.flatMap(({ at, meaning, less }) => {
      const cents = centsAt(at);
      return cents === null ? [] : [grossOf(chargeOf(meaning, normal(header.names[at] ?? ''), cents), less, centsAt)];
    });
  return {
    covers: CHARGE_KINDS.filter(kind => ofPairs.includes(kind) || found.some(one => one.meaning.kinds?.includes(kind))),
    amountsAt: [...found.flatMap(({ at, less }) => [at, ...less]), ...pairs.flatMap(one => one.amountsAt)],
    read(cells: readonly string[], centsAt: CentsAt, net: number | null): ReadCharges {
      const ofColumns = amountsOf(centsAt);
      const ofPairs = pairs.map(one => one.read(cells, centsAt, ofColumns));
      const charges = withoutDiscounts(discounted([...ofColumns, ...ofPairs.flatMap(({ gross }) => gross)]), net);
      const vat = ofPairs.flatMap(({ vatCents }) => vatCents ?? []);
      return { charges, ...(vat.length > 0 && { vatCents: vat.reduce((sum, cents) => sum + cents, 0) }) };
    },
  };
}

/** A base price with the base prices of the other sign as its discounts: some carriers bill discounts as charges. */
function discounted(gross: readonly Gross[]): readonly Gross[] {
  const ofBase = gross.filter(({ charge }) => charge.kinds.join() === 'base' && charge.cents !== 0);
  const [first] = ofBase;
  const others = first ? ofBase.filter(({ charge }) => Math.sign(charge.cents) !== Math.sign(first.charge.cents)) : [];
  if (others.length === 0) return gross;
  const discount = -sumOf(others.map(({ charge }) => charge));
  return gross.flatMap(one =>
    others.includes(one) ? [] : one === first ? { ...one, discount: one.discount + discount } : one,
  );
}

/** Discounts are taken off, unless the total shows that the amounts are without them already. */
function withoutDiscounts(gross: readonly Gross[], net: number | null): readonly BilledCharge[] {
  const charges = gross.map(({ charge }) => charge);
  const isWithout = net !== null && sumOf(charges) === net;
  return isWithout ? charges : gross.map(({ charge, discount }) => ({ ...charge, cents: charge.cents - discount }));
}

function grossOf(charge: BilledCharge, less: readonly number[], centsAt: CentsAt): Gross {
  const discount = less.reduce((sum, at) => sum + Math.abs(centsAt(at) ?? 0), 0);
  return { charge, discount: charge.cents < 0 ? -discount : discount };
}

function pairsIn(
  header: InvoiceHeader,
  { pairs, sum, charges, otherwise }: ChargePairs,
  lessAt: (columns?: readonly MappedColumn[]) => readonly number[],
) {
  const named = namedIn(charges);
  const found = pairs
    .map(({ name, code, amount, less }) => ({
      nameAt: header.find(name, 'name of the charge'),
      codeAt: code === undefined ? -1 : header.find(code, 'code of the charge'),
      at: header.find(amount, 'amount of the charge'),
      less: lessAt(less),
    }))
    .filter(({ at, nameAt, codeAt }) => at >= 0 && (nameAt >= 0 || codeAt >= 0));
  const sumAt = sum === undefined || found.length > 0 ? -1 : header.find(sum, 'sum of the other charges');
  const kinds = [...new Set([otherwise, ...charges.flatMap(one => one.kinds ?? [])])];
  /** Kinds that one amount can cover. */
  const priced = kinds.filter(kind => ['surcharges', 'fuel', 'options', 'cod', 'insurance'].includes(kind));
  return {
    kinds: found.length > 0 || sumAt >= 0 ? kinds : [],
    amountsAt: [...found.flatMap(({ at, less }) => [at, ...less]), ...(sumAt < 0 ? [] : [sumAt])],
    read(cells: readonly string[], centsAt: CentsAt, others: readonly Gross[]): { gross: Gross[]; vatCents?: number } {
      if (sumAt >= 0) {
        const known = others.filter(({ charge }) => !charge.kinds.includes('base'));
        const rest = (centsAt(sumAt) ?? 0) - known.reduce((total, { charge }) => total + charge.cents, 0);
        const charge = chargeOf({ kinds: priced }, header.names[sumAt] ?? '', rest);
        return { gross: rest === 0 ? [] : [{ charge, discount: 0 }] };
      }
      const gross: Gross[] = [];
      let vatCents: number | undefined;
      for (const { nameAt, codeAt, at, less } of found) {
        const cents = centsAt(at) ?? 0;
        const texts = [cells[nameAt] ?? '', cells[codeAt] ?? ''];
        const { is, ...meaning } = named(...texts) ?? { kinds: [otherwise] };
        if (is === 'vat' && cents !== 0) vatCents = (vatCents ?? 0) + cents;
        if (is !== undefined || cents === 0) continue;
        gross.push(grossOf(chargeOf(meaning, texts.find(text => text !== '') ?? '', cents), less, centsAt));
      }
      return { gross, ...(vatCents !== undefined && { vatCents }) };
    },
  };
}

function chargeOf({ kinds = [], lines = [] }: ChargeMeaning, name: string, cents: number): BilledCharge {
  return { kinds, lines, name, cents };
}
