import { REMOTE } from './invoiced-tariff.ts';
import type { Caller } from './world.ts';

/** A caller of the graph. */
export type Asking = Pick<Caller, 'graphql'>;

/**
 * Makes invoices of shipments whose prices are known from quotes, and plants mistakes in them: on the lines alone, and with
 * amounts that other quotes of the service have. Nothing of this knows how invoices are checked.
 */

/** Giacenza by that tariff: 6.00, and 1.70 for each day after the second. */
const storagePrice = (days: number) => 600 + 170 * Math.max(0, days - 2);
const REDELIVERY = 510;

type Component = 'base' | 'surcharges' | 'fuel' | 'options' | 'cod' | 'insurance';

/** The quote of the service, in cents. */
interface Quoted extends Readonly<Record<Component, number>> {
  readonly zone: string;
  readonly chargeableKg: number;
  readonly vatPercent: number;
  readonly total: number;
}

interface Place {
  readonly country: string;
  readonly postalCode: string;
  readonly city: string;
  readonly province: string;
}

const place = (postalCode: string, city: string, province: string): Place => ({
  country: 'IT',
  postalCode,
  city,
  province,
});
const MILANO = place('20121', 'Milano', 'MI');
const PALERMO = place('90139', 'Palermo', 'PA');
const PLACES = [
  MILANO,
  place('00185', 'Roma', 'RM'),
  place(REMOTE, 'Canazei', 'TN'),
  PALERMO,
  place('09123', 'Cagliari', 'CA'),
  place('23041', 'Livigno', 'SO'),
];
interface Parcel {
  readonly weight: number;
  readonly length: number;
  readonly width: number;
  readonly height: number;
}
const PARCELS: readonly Parcel[] = [
  { weight: 1.2, length: 20, width: 20, height: 10 },
  { weight: 4, length: 30, width: 20, height: 20 },
  { weight: 8.4, length: 40, width: 30, height: 20 },
  { weight: 2, length: 60, width: 40, height: 30 },
  { weight: 27, length: 60, width: 40, height: 30 },
];
const DAYS = ['2026-09-15', '2026-10-20', '2026-11-03'];
const VALUES = [
  { codAmount: null, insuranceAmount: null },
  { codAmount: 250, insuranceAmount: null },
  { codAmount: null, insuranceAmount: 800 },
  { codAmount: 99.9, insuranceAmount: 1200 },
];

/** Shipments that are alike, with what the service quotes for them and for others that they might be taken for. */
interface Profile {
  readonly place: Place;
  readonly parcel: Parcel;
  readonly date: string;
  readonly codAmount: number | null;
  readonly insuranceAmount: number | null;
  readonly quoted: Quoted;
  readonly heavier: Quoted;
  readonly bulkier: Quoted;
  readonly elsewhere: Quoted;
  readonly otherMonth: Quoted;
  readonly withOption: Quoted;
}

const QUOTES = `query ($inputs: [QuoteInput!]!) { quoteShipments(inputs: $inputs) { quote { ... on QuoteList { items {
  chargeableWeight basePrice surchargesPrice fuelPrice optionsPrice codPrice insurancePrice totalPrice vatRate
  explanation { zone { name } } } } } } }`;
const MAX_QUOTES = 50;

interface QuoteItem extends Readonly<Record<string, unknown>> {
  readonly explanation: { readonly zone: { readonly name: string } };
}

function quotedOf(item: QuoteItem): Quoted {
  const cents = (name: string) => Math.round(Number(item[name]) * 100);
  return {
    base: cents('basePrice'),
    surcharges: cents('surchargesPrice'),
    fuel: cents('fuelPrice'),
    options: cents('optionsPrice'),
    cod: cents('codPrice'),
    insurance: cents('insurancePrice'),
    total: cents('totalPrice'),
    chargeableKg: Number(item.chargeableWeight),
    vatPercent: Number(item.vatRate),
    zone: item.explanation.zone.name,
  };
}

/** Quotes of some shipments on a connection, in their order. */
async function quotesOf(caller: Asking, inputs: readonly object[]): Promise<Quoted[]> {
  const quotes: Quoted[] = [];
  for (let from = 0; from < inputs.length; from += MAX_QUOTES) {
    type Data = { quoteShipments: { quote: { items: QuoteItem[] } | null }[] };
    const { data } = await caller.graphql<Data>(QUOTES, { inputs: inputs.slice(from, from + MAX_QUOTES) });
    for (const { quote } of data.quoteShipments) {
      const [item] = quote?.items ?? [];
      if (!item) throw new Error(`No quote: ${JSON.stringify(data)}`);
      quotes.push(quotedOf(item));
    }
  }
  return quotes;
}

/**
 * Profiles of what varies, quoted on a connection.
 *
 * @param step only one in so many combinations
 */
export async function profilesOf(
  caller: Asking,
  warehouseId: number,
  connectionId: number,
  step = 1,
): Promise<Profile[]> {
  const all = PLACES.flatMap(to =>
    PARCELS.flatMap(parcel => DAYS.flatMap(date => VALUES.map(values => ({ place: to, parcel, date, ...values })))),
  );
  const chosen = all.filter((_, i) => i % step === 0);
  const inputs = chosen.flatMap(({ place: destination, parcel, date: shipmentDate, codAmount, insuranceAmount }) => {
    const parcels = { warehouseId, destination, parcels: [parcel] };
    const terms = { carrierConnectionIds: [connectionId], codAmount, insuranceAmount, shipmentDate };
    const own = { shipment: { parcels }, ...terms };
    const withParcel = (other: object) => ({ ...own, shipment: { parcels: { ...parcels, parcels: [other] } } });
    const isOnIsland = destination.province === 'PA' || destination.province === 'CA';
    return [
      own,
      withParcel({ ...parcel, weight: parcel.weight + 23 }),
      withParcel({ ...parcel, height: parcel.height + 95 }),
      { ...own, shipment: { parcels: { ...parcels, destination: isOnIsland ? MILANO : PALERMO } } },
      { ...own, shipmentDate: DAYS[(DAYS.indexOf(shipmentDate) + 1) % DAYS.length] },
      { ...own, options: ['appointment'] },
    ];
  });
  const quotes = await quotesOf(caller, inputs);
  return chosen.map((one, i) => {
    const [quoted, heavier, bulkier, elsewhere, otherMonth, withOption] = quotes.slice(i * 6, i * 6 + 6) as Six;
    return { ...one, quoted, heavier, bulkier, elsewhere, otherMonth, withOption };
  });
}

type Six = [Quoted, Quoted, Quoted, Quoted, Quoted, Quoted];

/** A shipment of a profile; some lie in storage, return or are delivered again. */
export interface Made {
  readonly trackingNumber: string;
  readonly profile: Profile;
  readonly storageDays: number;
  readonly hasReturned: boolean;
  readonly hasTracking: boolean;
}

export function shipmentsOf(profiles: readonly Profile[], count: number): Made[] {
  return Array.from({ length: count }, (_, i) => ({
    trackingNumber: `INV${String(i + 1).padStart(7, '0')}`,
    profile: profiles[(i * 7) % profiles.length] as Profile,
    storageDays: i % 10 === 3 ? 1 + (i % 6) : 0,
    hasReturned: i % 10 === 6,
    hasTracking: i % 10 === 3 || i % 10 === 6 || i % 10 === 8,
  }));
}

const HELD_ON = '2026-11-06';

/** The records that the platform sends: orders, shipments and events. */
export function fedOf(made: readonly Made[], warehouseId: number, carrierConnectionId: number) {
  const at = (day: number, hour: number) => `2026-11-${String(day).padStart(2, '0')}T${hour}:00:00+01:00`;
  const event = <Code extends string>({ trackingNumber }: Made, statusCode: Code, occurredAt: string) => ({
    carrierConnectionId,
    trackingNumber,
    statusCode,
    occurredAt,
  });
  return {
    orders: made.map(({ trackingNumber, profile: { parcel, place: to, codAmount, insuranceAmount } }) => ({
      orderNumber: `O-${trackingNumber}`,
      warehouseId,
      recipient: {
        address: 'Via Roma 1',
        postalCode: to.postalCode,
        city: to.city,
        province: to.province,
        countryCode: to.country,
      },
      parcels: [parcel],
      codAmount,
      insuranceAmount,
    })),
    shipments: made.map(({ trackingNumber, profile: { date } }) => ({
      carrierConnectionId,
      trackingNumber,
      warehouseId,
      orderNumber: `O-${trackingNumber}`,
      shippedAt: `${date}T09:00:00Z`,
    })),
    events: made
      .filter(({ hasTracking }) => hasTracking)
      .flatMap(one => [
        event(one, 'in_transit', at(4, 10)),
        ...(one.storageDays > 0
          ? [
              event(one, 'held', `${HELD_ON}T11:00:00+01:00`),
              event(one, 'out_for_delivery', at(5 + one.storageDays, 12)),
            ]
          : []),
        event(one, one.hasReturned ? 'returning' : 'delivered', at(20, 15)),
      ]),
  };
}

const COLUMNS = [
  ...['tracking_number', 'date', 'chargeable_kg', 'real_kg', 'zone', 'base', 'surcharges', 'fuel', 'options', 'cod'],
  ...['insurance', 'storage_days', 'storage', 'redelivery', 'return', 'net', 'vat_percent', 'vat_amount'],
] as const;
type Row = Record<(typeof COLUMNS)[number], string | number>;

const AMOUNTS = [
  ...(['base', 'surcharges', 'fuel', 'options', 'cod', 'insurance', 'storage', 'redelivery', 'return'] as const),
];
type Amount = (typeof AMOUNTS)[number];

/** A line before it is written: amounts in cents. */
interface Draft extends Record<Amount, number> {
  number: string;
  date: string;
  chargeableKg: number;
  realKg: number;
  zone: string;
  storageDays: number;
  vatPercent: number;
  /** The excess of the stated total over the amounts. */
  totalOff: number;
  vatOff: number;
}

function draftOf({ trackingNumber, profile, storageDays, hasReturned }: Made, i: number): Draft {
  const quoted = i % 10 === 5 ? profile.withOption : profile.quoted;
  return {
    ...amountsOf(quoted),
    number: trackingNumber,
    date: profile.date,
    chargeableKg: quoted.chargeableKg,
    realKg: profile.parcel.weight,
    zone: i % 2 === 0 ? quoted.zone : '',
    storageDays,
    storage: storageDays > 0 ? storagePrice(storageDays) : 0,
    redelivery: i % 10 === 8 ? REDELIVERY : 0,
    return: hasReturned ? quoted.base : 0,
    vatPercent: quoted.vatPercent,
    totalOff: 0,
    vatOff: 0,
  };
}

function amountsOf({ base, surcharges, fuel, options, cod, insurance }: Quoted) {
  return { base, surcharges, fuel, options, cod, insurance };
}

/** A mistake in a line; false where it would make no difference to this one. */
type Plant = (draft: Draft, made: Made) => boolean;

/** Amounts that another quote has of what depends on weight and place. */
const asQuoted = (draft: Draft, { base, surcharges, fuel, chargeableKg }: Quoted, own: Quoted) => {
  Object.assign(draft, { base, surcharges, fuel, chargeableKg });
  return base !== own.base && draft.options === 0;
};
const add = (name: Amount, cents: number, onlyIf: (draft: Draft, made: Made) => boolean = () => true): Plant => {
  return (draft, made) => {
    draft[name] += cents;
    return onlyIf(draft, made);
  };
};
const fuelRate = ({ date }: Draft) => (date < '2026-10' ? 9.7 : date < '2026-11' ? 12.4 : 15.9);
/** Fuel is a percentage of base and surcharges: a carrier that charges more of them charges more fuel. */
const refuelled = (draft: Draft): true => {
  draft.fuel = Math.round(((draft.base + draft.surcharges) * fuelRate(draft)) / 100 + 1e-9);
  return true;
};

export const PLANTS: Readonly<Record<string, Plant>> = {
  weight_band: (draft, { profile }) => {
    draft.realKg = profile.parcel.weight + 23;
    return asQuoted(draft, profile.heavier, profile.quoted);
  },
  volumetric: (draft, { profile }) => asQuoted(draft, profile.bulkier, profile.quoted),
  zone: (draft, { profile }) => {
    if (draft.zone !== '') draft.zone = profile.elsewhere.zone;
    // There, another surcharge would be missing too.
    return asQuoted(draft, profile.elsewhere, profile.quoted) && profile.place.postalCode !== REMOTE;
  },
  base_price: (draft, { profile }) => {
    const { base, surcharges } = profile.quoted;
    draft.base += 37;
    draft.surcharges = surcharges - istatOf(base) + istatOf(draft.base);
    return refuelled(draft);
  },
  surcharge_not_due: (draft, { profile }) => {
    draft.surcharges += 450;
    return refuelled(draft) && profile.place.postalCode !== REMOTE;
  },
  surcharge_amount: draft => {
    draft.surcharges += 333;
    return refuelled(draft);
  },
  option: add('options', 999, ({ options }) => options === 999),
  fuel_month: (draft, { profile }) => {
    draft.fuel = profile.otherMonth.fuel;
    return Math.abs(profile.otherMonth.fuel - profile.quoted.fuel) > 1;
  },
  fuel: add('fuel', 777),
  cod_fee: add('cod', 150),
  insurance: add('insurance', 210),
  storage_days: draft => {
    if (draft.storageDays === 0) return false;
    draft.storageDays += 4;
    const before = draft.storage;
    draft.storage = storagePrice(draft.storageDays);
    return draft.storage !== before;
  },
  storage: (draft, { storageDays, hasTracking }) => {
    draft.storageDays = 3;
    draft.storage = storagePrice(3);
    return hasTracking && storageDays === 0;
  },
  return: (draft, { hasTracking, hasReturned }) => {
    draft.return = draft.base;
    return hasTracking && !hasReturned;
  },
  after_shipment: add(
    'redelivery',
    240,
    (_draft, { hasTracking, storageDays, hasReturned }) => hasTracking && storageDays === 0 && !hasReturned,
  ),
  duplicate: () => true,
  unknown_shipment: draft => {
    draft.number = `X${draft.number}`;
    return true;
  },
  total: draft => {
    draft.totalOff = 100;
    return true;
  },
  vat: draft => {
    draft.vatPercent = draft.vatPercent === 22 ? 0 : 22;
    return true;
  },
  rounding: draft => {
    draft.base += 1;
    return refuelledAsBefore(draft);
  },
};

/** The surcharge that is a percentage of the base price. */
function istatOf(base: number): number {
  return Math.round((base * 29) / 1000 + 1e-9);
}

/** A cent more of base must not change amounts that depend on it. */
function refuelledAsBefore(draft: Draft): boolean {
  const { fuel, base } = draft;
  refuelled(draft);
  return draft.fuel === fuel && istatOf(base) === istatOf(base - 1);
}

/** The error that was planted in a line of an invoice. */
interface Planted {
  readonly code: string;
  /** The overbilled amount of the line before VAT, in cents; undefined where VAT alone is wrong. */
  readonly over: number | undefined;
}

export interface MadeInvoice {
  readonly csv: string;
  /** By the row of the file, from 1. */
  readonly planted: ReadonlyMap<number, Planted>;
  readonly rows: number;
}

const sum = (draft: Draft) => AMOUNTS.reduce((total, name) => total + draft[name], 0);

/**
 * An invoice of all shipments, as an Italian spreadsheet writes it.
 *
 * @param every a mistake is planted in one of so many lines, of all kinds alike; 0 for none
 */
export function invoiceOf(made: readonly Made[], every: number): MadeInvoice {
  const rows: string[] = [COLUMNS.join(';')];
  const planted = new Map<number, Planted>();
  const kinds = Object.entries(PLANTS);
  const times = new Map<string, number>(kinds.map(([code]) => [code, 0]));
  for (const [i, one] of made.entries()) {
    const draft = draftOf(one, i);
    if (every === 0 || i % every !== 0) {
      rows.push(rowOf(draft));
      continue;
    }
    // The kind that was planted least, of those that make a difference here.
    for (const [code, plant] of kinds.toSorted(([x], [y]) => (times.get(x) ?? 0) - (times.get(y) ?? 0))) {
      const wrong = { ...draft };
      if (!plant(wrong, one)) continue;
      if (code === 'duplicate') rows.push(rowOf(draft));
      rows.push(rowOf(wrong));
      planted.set(rows.length, { code, over: overOf(code, draft, wrong) });
      times.set(code, (times.get(code) ?? 0) + 1);
      break;
    }
  }
  return { csv: `${rows.join('\r\n')}\r\n`, planted, rows: rows.length - 1 };
}

/** The amount that an error adds to a line; a redelivery may rightly be billed twice. */
function overOf(code: string, draft: Draft, wrong: Draft): number | undefined {
  if (code === 'vat') return undefined;
  if (code === 'duplicate') return sum(wrong) - wrong.redelivery;
  return code === 'unknown_shipment' ? sum(wrong) : sum(wrong) + wrong.totalOff - sum(draft);
}

const italian = (cents: number) =>
  (cents / 100)
    .toFixed(2)
    .replace('.', ',')
    .replace(/(\d)(\d{3},)/, '$1.$2');

function rowOf(draft: Draft): string {
  const net = sum(draft) + draft.totalOff;
  const [year, month, day] = draft.date.split('-');
  const row: Row = {
    tracking_number: draft.number,
    date: `${day}/${month}/${year}`,
    chargeable_kg: String(draft.chargeableKg).replace('.', ','),
    real_kg: String(draft.realKg).replace('.', ','),
    zone: draft.zone,
    ...(Object.fromEntries(AMOUNTS.map(name => [name, italian(draft[name])])) as Record<Amount, string>),
    storage_days: draft.storageDays || '',
    net: italian(net),
    vat_percent: draft.vatPercent,
    vat_amount: italian(Math.round((net * draft.vatPercent) / 100) + draft.vatOff),
  };
  return COLUMNS.map(name => row[name]).join(';');
}
