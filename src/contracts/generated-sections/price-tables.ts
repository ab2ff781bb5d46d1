import type { Area } from '../../domain/pricing/tariffs/areas/place.format.rules.ts';
import { CHARGE_KINDS } from '../../domain/pricing/tariffs/charges/charge-kinds.rules.ts';
import { CONDITION_KINDS } from '../../domain/pricing/tariffs/conditions/condition-kinds.rules.ts';
import { CUSTOMS_TERRITORIES } from '../../domain/pricing/tariffs/conditions/customs-territories.rules.ts';
import { MEASURE_NAMES, MEASURES } from '../../domain/pricing/tariffs/conditions/measures.rules.ts';
import { VAT_TABLE } from '../../domain/pricing/tariffs/vat.rules.ts';
import { FINDING_CODES } from '../../domain/spend/invoices/check/finding-codes.rules.ts';
import {
  COLUMNS,
  type ColumnName,
  type InvoiceMapping,
} from '../../domain/spend/invoices/reading/invoice-mapping.format.rules.ts';
import { INVOICE_MAPPINGS } from '../../domain/spend/invoices/reading/invoice-mappings.catalog.ts';
import { code, table } from './markdown.ts';

/** The ways to charge, as a price can have them. */
export function charges(): string {
  return table(
    ['Part', 'Amount'],
    CHARGE_KINDS.map(({ guide: [fields, amount] }) => [fields, amount]),
  );
}

/** The tests of a condition. */
export function conditions(): string {
  const rows = CONDITION_KINDS.map(({ guide: [fields, holdsWhen] }) => [fields, holdsWhen]);
  const groups = [
    ['`allOf`', 'each of these conditions holds'],
    ['`anyOf`', 'at least one of these conditions holds'],
    ['`noneOf`', 'none of these conditions holds'],
  ];
  return table(['Field', 'Holds when'], [...rows, ...groups]);
}

/** The measures of a shipment. */
export function measures(): string {
  const rows = MEASURE_NAMES.map(name => [`\`${name}\``, MEASURES[name].what, String(MEASURES[name].decimals)]);
  return table(['Measure', 'What it is', 'Decimals'], rows);
}

/** The VAT by destination of tariffs that have no table of their own. */
export function vat(): string {
  const rows = VAT_TABLE.map(({ to, percent, note = '' }) => [destination(to), `${percent} %`, note]);
  return table(['Destination', 'VAT', 'Legal ground'], rows);
}

/** The customs territories that are not just a country. */
export function customs(): string {
  return table(
    ['Territory', 'Places'],
    CUSTOMS_TERRITORIES.map(({ name, places }) => [name, destination(places)]),
  );
}

function destination({ countries = [], postalCodes = [], municipalities = [], anywhere }: Area): string {
  const kinds = [
    ['countries', countries],
    ['postal codes', postalCodes],
    ['comuni', municipalities],
  ] as const;
  const named = kinds.filter(([, places]) => places.length > 0).map(([kind, places]) => `${kind} ${places.join(', ')}`);
  return anywhere ? 'anywhere else' : named.join('; ');
}

/** The errors of an invoice's line. */
export function invoiceFindings(): string {
  return table(
    ['`code`', 'Meaning', 'For the carrier'],
    Object.entries(FINDING_CODES).map(([name, { description, reason }]) => [
      code(name.toUpperCase()),
      description,
      reason,
    ]),
  );
}

/** The columns of `PLAIN`, with their content. */
export function plainInvoiceColumns(): string {
  const { columns, charges } = INVOICE_MAPPINGS.PLAIN as InvoiceMapping;
  const facts = Object.entries(columns).map(([fact, name]) => [code(String(name)), COLUMNS[fact as ColumnName]]);
  const amounts = chargesOf(charges).map(([name]) => [code(name), 'Amount before VAT, EUR.']);
  return table(['Column', 'What it holds'], [...facts, ...amounts]);
}

/** The columns that the mappings of carriers look for. */
export function carrierInvoiceColumns(): string {
  const carriers = Object.values(INVOICE_MAPPINGS).filter(({ name }) => name !== 'PLAIN');
  return carriers
    .map(({ name, columns, charges, corrections = [] }) => {
      const facts = Object.entries(columns).map(([fact, of]) => [code(fact), namesOf(of)]);
      const amounts = chargesOf(charges).map(([of, meaning]) => [meaning, of]);
      const others = corrections.map(({ column, values }) => [
        'corrections',
        `${namesOf(column)}: ${values.join(', ')}`,
      ]);
      return `**${name}**\n\n${table(['What', 'Columns, of which the first that the file has counts'], [...facts, ...amounts, ...others])}`;
    })
    .join('\n\n');
}

function chargesOf(charges: InvoiceMapping['charges']): [names: string, kinds: string][] {
  const kindsOf = ({ kinds = [] }: { readonly kinds?: readonly string[] | undefined }) => kinds.map(code).join(', ');
  if ('name' in charges) {
    const rows = charges.charges.map((one): [string, string] => [
      one.named.join(', '),
      `charge ${one.is ?? kindsOf(one)}`,
    ]);
    const codes = (charges.codes ?? []).map((of): [string, string] => [namesOf(of), 'code of a charge']);
    return [
      ...codes,
      [namesOf(charges.name), 'name of a charge'],
      [namesOf(charges.amount), 'amount of a charge'],
      ...rows,
    ];
  }
  return charges.flatMap((one): [string, string][] => {
    if (!('pairs' in one)) {
      const discounts = (one.less ?? []).map((column): [string, string] => [namesOf(column), 'discount']);
      return [[namesOf(one.column), kindsOf(one)], ...discounts];
    }
    const pairs = one.pairs.map(({ name, code: of, amount }) => [namesOf(amount), namesOf(of ?? name)]);
    const named = one.charges.map((each): [string, string] => [
      each.named.join(', '),
      `charge ${each.is ?? kindsOf(each)}`,
    ]);
    return [
      [shortened(pairs.map(([amount]) => amount)), 'amounts of charges'],
      [shortened(pairs.map(([, name]) => name)), 'codes or names of these charges'],
      ...named,
    ];
  });
}

/** Numbered columns by the first ones and the last. */
function shortened(names: readonly (string | undefined)[]): string {
  return names.length > 20 ? [...names.slice(0, 2), '…', names.at(-1)].join('; ') : names.join('; ');
}

function namesOf(column: InvoiceMapping['columns'][ColumnName]): string {
  return [column ?? []].flat().join(', ');
}
