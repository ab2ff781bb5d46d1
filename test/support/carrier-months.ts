import { DHL_HEADER, dhlRow, extraCharges, upsPackage, upsRow } from './carrier-files.ts';

/** A month of shipments as each carrier bills it: the amounts are stated once, and written with the columns of the carrier. */

/** A billed shipment; amounts are cents. */
export interface Billed {
  readonly number: string;
  readonly kg: number;
  readonly realKg: number;
  readonly base: number;
  readonly fuel: number;
  readonly remote: number;
  readonly insurance: number;
  readonly vatPercent: number;
  /** The difference of the total and the sum of the charges. */
  readonly beyond: number;
  /** Other packages: of the amounts, 3.80 and a tenth of it are for each. */
  readonly packages: readonly string[];
}

const PRICES = [
  { kg: 4, base: 610 },
  { kg: 8, base: 780 },
  { kg: 12, base: 1020 },
] as const;
const numberOf = (i: number) => `1000000${String(i).padStart(3, '0')}`;
const REMOTE_LINES = [5, 15];
const PACKAGES = 10;
const CREDIT = 30;

function billed(i: number, more: Partial<Billed> = {}): Billed {
  const { kg, base } = PRICES[i % PRICES.length] as (typeof PRICES)[number];
  const one = { number: numberOf(i), kg, realKg: kg, base, fuel: base / 10 };
  const remote = REMOTE_LINES.includes(i) ? 450 : 0;
  const packages = i === PACKAGES ? [`${numberOf(i)}9`] : [];
  return { ...one, remote, insurance: 0, vatPercent: 22, beyond: 0, packages, ...more };
}

const lines = (more: Readonly<Record<number, Partial<Billed>>> = {}) =>
  Array.from({ length: CREDIT }, (_, i) => billed(i + 1, more[i + 1]));

const CREDITED = { number: numberOf(1), base: -100, fuel: 0 };

/** The shipments of the month, and of an earlier invoice. */
export const SHIPPED = [...lines(), billed(33)];
export const EARLIER: readonly Billed[] = [billed(33)];
export const RIGHT: readonly Billed[] = lines({ [CREDIT]: CREDITED });
/** Ten mistakes. */
export const WRONG: readonly Billed[] = lines({
  [CREDIT]: CREDITED,
  2: { base: 1319 },
  3: { kg: 8, realKg: 8, base: 780, fuel: 78 },
  6: { fuel: 73 },
  9: { number: numberOf(33) },
  12: { number: numberOf(99) },
  15: { remote: 550 },
  18: { vatPercent: 10 },
  21: { kg: 8, base: 780, fuel: 78 },
  24: { remote: 450 },
  27: { beyond: 100 },
});
export const MISTAKES = {
  base_price: '2.99',
  weight_band: '1.87',
  fuel: '0.12',
  duplicate: '6.71',
  unknown_shipment: '6.71',
  surcharge_amount: '1.00',
  vat: '-0.81',
  volumetric: '1.87',
  surcharge_not_due: '4.50',
  total: '1.00',
};

const chargesOf = ({ base, fuel, remote, insurance }: Billed) => base + fuel + remote + insurance;
const netOf = (one: Billed) => chargesOf(one) + one.beyond;
const vatOf = (one: Billed) => Math.round((netOf(one) * one.vatPercent) / 100);
const point = (cents: number) => (cents / 100).toFixed(2);
const comma = (cents: number) => point(cents).replace('.', ',');
const sum = (all: readonly Billed[], of: (one: Billed) => number) => all.reduce((cents, one) => cents + of(one), 0);
/** Every second line has pounds. */
const weightOf = (kg: number, i: number) =>
  (i % 2 === 0 ? [`${kg}.0`, 'K'] : [(kg * 2.2).toFixed(1), 'L']) as [string, string];

/** A shipment as its packages, the first of which has the number of the shipment. */
function packagesOf(one: Billed): Billed[] {
  const each = { base: 380, fuel: 38, kg: 3, realKg: 3, remote: 0, beyond: 0, packages: [] };
  const others = one.packages.map(number => ({ ...one, ...each, number }));
  const count = others.length;
  const first = { base: one.base - 380 * count, fuel: one.fuel - 38 * count, kg: one.kg - 3 * count };
  return [{ ...one, ...first, realKg: one.realKg - 3 * count }, ...others];
}

export interface Month {
  readonly carrier: string;
  readonly mapping: string;
  readonly rows: (all: readonly Billed[]) => string[];
  /** Lines beside one for each shipment. */
  readonly otherLines?: number;
  /** The mistake that the file cannot have, so that it has another one. */
  readonly lacks?: 'vat' | 'total';
}

const italian =
  (head: string, row: (one: Billed) => readonly string[], totals: (all: readonly Billed[]) => readonly string[]) =>
  (all: readonly Billed[]) => [head, ...all.map(one => row(one).join(';')), ...totals(all)];

const PLAIN: Month['rows'] = all => [
  'tracking_number;date;chargeable_kg;real_kg;base;surcharges;fuel;net;vat_percent',
  ...all.flatMap(packagesOf).map(one => {
    const amounts = [one.base, one.remote, one.fuel, netOf(one)].map(comma);
    return [one.number, '03/11/2026', one.kg, one.realKg, ...amounts, one.vatPercent].join(';');
  }),
  `;;;;${[sum(all, ({ base }) => base), sum(all, ({ remote }) => remote), sum(all, ({ fuel }) => fuel), sum(all, netOf)].map(comma).join(';')};`,
];

const BRT = italian(
  'Numero spedizione;Data spedizione;Rif. mittente;Peso reale;Peso tass.;Zona;Trasporto;Supplementi;Supplemento carburante;Imponibile;Aliquota IVA;Importo IVA;Valuta',
  one => [
    ...[one.number, '03/11/2026', 'R', `${one.realKg},0`, `${one.kg},0`, 'Italia'],
    ...[one.base, one.remote, one.fuel, netOf(one)].map(comma),
    ...[`${one.vatPercent},00`, comma(vatOf(one)), 'EUR'],
  ],
  all => [`TOTALE FATTURA;;;;;;;;;${comma(sum(all, netOf))};;${comma(sum(all, vatOf))};`],
);

const GLS = italian(
  'Data spedizione;N. sped.;BDA;Peso;Peso vol.;Peso fatturato;Zona;Nolo;Altre spese;Adeguamento carburante;Totale;% IVA',
  one => [
    ...['03/11/26', one.number, '0', `${one.realKg},0`, `${one.kg},0`, `${one.kg},0`, 'Italia'],
    ...[one.base, one.remote, one.fuel, netOf(one)].map(comma),
    `${one.vatPercent}`,
  ],
  all => ['Tot.Giorno', 'TOTALI'].map(label => `${label};;;;;;;;;;${comma(sum(all, netOf))};`),
);

const POSTE = italian(
  'Codice spedizione;Data accettazione;Peso reale (kg);Peso tassato (kg);Zona;Tariffa;Supplementi;Adeguamento carburante;Totale netto;IVA %',
  one => [
    ...[one.number, '2026-11-03', `${one.realKg},00`, `${one.kg},00`, 'Italia'],
    ...[one.base, one.remote, one.fuel, netOf(one)].map(cents => `€ ${comma(cents)}`),
    `${one.vatPercent}%`,
  ],
  all => [`Totale generale;;;;;;;;€ ${comma(sum(all, netOf))};`],
);

/** Discounts beside a greater base price, the invoice's own row, and duties. */
const DHL: Month['rows'] = all => [
  DHL_HEADER,
  dhlRow({ 'Line Type': 'I', 'Total amount (excl. VAT)': point(sum(all, netOf)), 'Total Tax': point(sum(all, vatOf)) }),
  ...all.map(one => {
    const list = one.base > 0 ? one.base + 120 : one.base;
    const remote = ['OO', 'REMOTE AREA DELIVERY', point(one.remote)] as const;
    const fuel = ['FF', 'FUEL SURCHARGE', point(one.fuel)] as const;
    return dhlRow({
      ...extraCharges(...(one.remote === 0 ? [fuel] : [remote, fuel])),
      'Shipment Number': one.number,
      'Cust Scale Weight (A)': String(one.realKg),
      'DHL Vol Weight (W)': one.kg > one.realKg ? String(one.kg) : '0',
      'Weight (kg)': String(one.kg),
      'Weight Charge': point(list),
      'Discount 1': 'VOLUME DISCOUNT',
      'Discount 1 Amount': point(one.base - list),
      'Total amount (excl. VAT)': point(netOf(one)),
      'Total Tax': point(vatOf(one)),
    });
  }),
  dhlRow({
    ...extraCharges(['XB', 'IMPORT EXPORT TAXES', '44.00'], ['DD', 'DUTY TAX PAID', '15.00']),
    ...{ 'Shipment Number': numberOf(28), 'Product Name': 'DUTIES & TAXES', 'Weight (kg)': '0', 'Weight Charge': '0' },
    ...{ 'Total amount (excl. VAT)': '59.00', 'Total Tax': '0' },
  }),
];

/** Five rows a package, without a header. */
const UPS: Month['rows'] = all =>
  all.flatMap((shipment, i) =>
    packagesOf(shipment).flatMap(one => {
      const of = { lead: shipment.number, tracking: one.number };
      const [kg, unit] = weightOf(one.kg, i);
      const [real] = weightOf(one.realKg, i);
      const amounts = { base: point(one.base), fuel: point(one.fuel), vat: point(vatOf(one)) };
      const remote = upsRow({ ...of, class: 'ACC', code: 'ESD', text: 'Area remota', net: point(one.remote) });
      return [...upsPackage({ ...of, kg, unit, real }, amounts), ...(one.remote === 0 ? [] : [remote])];
    }),
  );

const PAIRS = 6;
const FEDEX_COLUMNS = [
  ...['Bill to Account Number', 'Invoice Date', 'Invoice Number', 'Original Amount Due', 'Payor'],
  ...[
    'Ground Tracking ID Prefix',
    'Express or Ground Tracking ID',
    'Transportation Charge Amount',
    'Net Charge Amount',
  ],
  ...['Service Type', 'Shipment Date', 'Actual Weight Amount', 'Actual Weight Units', 'Rated Weight Amount'],
  ...['Rated Weight Units', 'Number of Pieces', 'TDMasterTrackingID', 'Original Customer Reference', 'Zone Code'],
  ...['Tendered Date', 'MPS Package ID'],
];
const FEDEX_HEADER = [
  ...FEDEX_COLUMNS,
  ...Array.from({ length: PAIRS }, () => ['Tracking ID Charge Description', 'Tracking ID Charge Amount']).flat(),
  'Shipment Notes',
].join(',');

function fedexRow(cells: Readonly<Record<string, string>>, pairs: readonly (readonly [string, number])[]): string {
  const charged = pairs.filter(([, cents]) => cents !== 0);
  const padded = Array.from({ length: PAIRS }, (_, i) => charged[i]);
  return [
    ...FEDEX_COLUMNS.map(name => cells[name] ?? ''),
    ...padded.flatMap(pair => (pair ? [pair[0], point(pair[1])] : ['', ''])),
    '',
  ].join(',');
}

/** Discounts as charges under repeated names, packages with a common number, and rows of packages without amounts. */
const FEDEX: Month['rows'] = all => [
  FEDEX_HEADER,
  ...all.flatMap((shipment, i) =>
    packagesOf(shipment).map(one => {
      const list = one.base > 0 ? 500 : 0;
      const [kg, unit] = weightOf(one.kg, i);
      const cells = {
        'Express or Ground Tracking ID': one.number,
        'Transportation Charge Amount': point(one.base + list),
        'Net Charge Amount': point(netOf(one)),
        'Service Type': 'FedEx Regional Economy',
        'Shipment Date': '20261103',
        'Actual Weight Amount': weightOf(one.realKg, i)[0],
        'Actual Weight Units': unit,
        'Rated Weight Amount': kg,
        'Rated Weight Units': unit,
        TDMasterTrackingID: shipment.packages.length > 0 ? shipment.number : '',
      };
      const discounts = [['Discount', list && -300] as const, ['Earned Discount', list && -200] as const];
      const others = [['Out of Delivery Area Tier A', one.remote] as const, ['Declared Value', one.insurance] as const];
      return fedexRow(cells, [...discounts, ['Fuel Surcharge', one.fuel], ...others]);
    }),
  ),
  ...['', '8'].map(end =>
    fedexRow({ 'Express or Ground Tracking ID': numberOf(4), 'MPS Package ID': numberOf(4) + end }, []),
  ),
];

const EDI_COLUMNS = [
  ...[
    'Master EDI No',
    'Invoice Number',
    'Invoice Date',
    'Bill-To Account',
    'Cntry',
    'Total VAT Amt',
    'Tracking Number',
  ],
  ...['Ship Date', 'Svc', 'Pkg', 'Ref 1', 'Net Chrg', 'Curr', 'Chrg 1', 'Freight Amt', 'Chrg 2', 'Vol Disc', 'Chrg 3'],
  ...['Earned Disc', 'Chrg 6', 'Fuel Amt', 'Chrg 8', 'DAS Amt', 'Chrg 10', 'D.V. Amt', 'Chrg 16', 'Duty Amt'],
  ...['Chrg 18', 'Orig VAT Amt', 'Pcs', 'Bill Wt', 'Orig Wt', 'Wt Unit', 'Cntry1'],
];

/** A column for each charge, discounts below zero, and duties and VAT that were advanced. */
const FEDEX_EDI: Month['rows'] = all => [
  EDI_COLUMNS.join(','),
  ...all.map(one => {
    const list = one.base > 0 ? 500 : 0;
    const duties = one.number === numberOf(28) ? 4400 : 0;
    const [kg, unit] = weightOf(one.kg, 0);
    const cells: Readonly<Record<string, string>> = {
      ...{ 'Total VAT Amt': '99.99', 'Tracking Number': one.number, 'Ship Date': '20261103', Curr: 'EUR', Pcs: '1' },
      ...{ 'Net Chrg': point(netOf(one) + duties), 'Freight Amt': point(one.base + list), 'Vol Disc': point(-list) },
      ...{ 'Earned Disc': '0.00', 'Fuel Amt': point(one.fuel), 'DAS Amt': point(one.remote) },
      ...{ 'D.V. Amt': point(one.insurance), 'Duty Amt': point(duties / 2), 'Orig VAT Amt': point(duties / 2) },
      ...{ 'Bill Wt': kg, 'Orig Wt': weightOf(one.realKg, 0)[0], 'Wt Unit': unit },
    };
    return EDI_COLUMNS.map(name => cells[name] ?? '').join(',');
  }),
];

export const MONTHS: Readonly<Record<string, Month>> = {
  'the plain columns, with a row for each package': { carrier: 'SDA', mapping: 'PLAIN', rows: PLAIN },
  BRT: { carrier: 'BRT', mapping: 'BRT', rows: BRT },
  GLS: { carrier: 'GLS', mapping: 'GLS', rows: GLS },
  'Poste Italiane': { carrier: 'POSTE', mapping: 'POSTE', rows: POSTE },
  "DHL's MyBill": { carrier: 'DHL', mapping: 'DHL', rows: DHL, otherLines: 1 },
  "UPS' billing data": { carrier: 'UPS', mapping: 'UPS', rows: UPS, lacks: 'total' },
  'FedEx Billing Online': { carrier: 'FEDEX', mapping: 'FEDEX', rows: FEDEX, otherLines: 2, lacks: 'vat' },
  "FedEx' EDI file": { carrier: 'FEDEX', mapping: 'FEDEX', rows: FEDEX_EDI, lacks: 'vat' },
};
