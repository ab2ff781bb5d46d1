import type { Fields } from '../rest/tariffs.ts';

/** The shipments that the guide prices by hand on the price lists of the examples. */

type Parcel = readonly [quantity: number, weight: number, length: number, width: number, height: number];
export interface Listed {
  readonly on: string;
  readonly to: readonly [country: string, postalCode: string, city: string, province?: string];
  readonly parcels: readonly Parcel[];
  readonly more?: Fields;
  readonly terms?: Fields;
}

/** Shipments by the numbers that the guide gives them. */
export type Numbered = Readonly<Record<string, Listed>>;

export const NATIONAL: Numbered = {
  B1: { on: '2026-06-15', to: ['IT', '10121', 'Torino', 'TO'], parcels: [[1, 2, 30, 20, 15]] },
  B2: { on: '2026-06-15', to: ['IT', '10121', 'Torino', 'TO'], parcels: [[2, 3, 20, 20, 15]] },
  B3: {
    on: '2026-10-05',
    to: ['IT', '40121', 'Bologna', 'BO'],
    parcels: [
      [1, 9.2, 40, 30, 30],
      [2, 4, 30, 20, 20],
    ],
  },
  B4: {
    on: '2026-06-15',
    to: ['IT', '90139', 'Palermo', 'PA'],
    parcels: [[1, 12, 50, 40, 30]],
    more: { codAmount: 150 },
  },
  B5: { on: '2026-11-23', to: ['IT', '87100', 'Cosenza', 'CS'], parcels: [[2, 8, 40, 30, 30]] },
  B6: { on: '2026-06-15', to: ['IT', '98055', 'Lipari', 'ME'], parcels: [[1, 2, 20, 20, 20]] },
  B7: { on: '2026-11-23', to: ['IT', '30124', 'Venezia', 'VE'], parcels: [[1, 5, 30, 30, 20]] },
  B8: {
    on: '2026-06-15',
    to: ['IT', '00186', 'Roma', 'RM'],
    parcels: [[1, 28, 160, 30, 20]],
    more: { insuranceAmount: 600 },
  },
  B9: {
    on: '2026-10-05',
    to: ['IT', '32043', "Cortina d'Ampezzo", 'BL'],
    parcels: [[1, 42, 60, 40, 40]],
    more: { options: ['piano'] },
  },
  B10: {
    on: '2026-11-23',
    to: ['IT', '20133', 'Milano', 'MI'],
    parcels: [[1, 30, 100, 80, 25]],
    more: { options: ['appuntamento'], codAmount: 300 },
    terms: { codPayment: 'BANK_CHEQUE' },
  },
  B11: { on: '2026-11-23', to: ['IT', '57037', 'Portoferraio', 'LI'], parcels: [[3, 1, 20, 15, 10]] },
  B12: { on: '2026-06-15', to: ['IT', '23041', 'Livigno', 'SO'], parcels: [[1, 1, 20, 15, 10]] },
};

const letter = { to: ['DE', '10115', 'Berlin'], parcels: [[1, 0.4, 30, 22, 2]], on: '2026-11-25' } as const;
const ajaccio = { to: ['FR', '20000', 'Ajaccio'], parcels: [[1, 3, 40, 30, 25]], on: '2026-11-18' } as const;
const madrid = { to: ['ES', '28001', 'Madrid'], parcels: [[2, 12, 50, 40, 35]], on: '2026-06-15' } as const;
const wien = { to: ['AT', '1010', 'Wien'], parcels: [[2, 40, 80, 60, 60]], on: '2026-06-15' } as const;
export const EXPRESS: Numbered = {
  D1: { ...letter, terms: { service: 'express' } },
  D2: letter,
  D3: { ...letter, terms: { service: 'noon' } },
  D4: {
    on: '2026-11-18',
    to: ['FR', '75001', 'Paris'],
    parcels: [[1, 3, 40, 30, 25]],
    more: { options: ['saturday'] },
  },
  D5: { ...ajaccio, terms: { service: 'express' } },
  D6: { ...ajaccio, terms: { service: 'noon' } },
  D7: madrid,
  D8: { ...madrid, terms: { service: 'express' } },
  D9: { on: '2026-11-25', to: ['ES', '35001', 'Las Palmas'], parcels: [[1, 5, 30, 30, 30]] },
  D10: {
    on: '2026-11-10',
    to: ['US', '10001', 'New York'],
    parcels: [[1, 33, 110, 40, 40]],
    more: { options: ['signature'], insuranceAmount: 2000 },
  },
  D11: { ...wien, terms: { service: 'noon' } },
  D12: wien,
  D13: {
    on: '2026-06-15',
    to: ['GB', 'AB33 8AA', 'Alford'],
    parcels: [[1, 2, 30, 20, 20]],
    terms: { goodsValue: 500 },
  },
  D14: {
    on: '2026-11-25',
    to: ['CH', '7562', 'Samnaun'],
    parcels: [[1, 3, 40, 30, 25]],
    terms: { service: 'express', goodsValue: 2500, dutiesAmount: 202.5 },
  },
  D15: {
    on: '2026-06-15',
    to: ['CA', 'X1A 2B3', 'Yellowknife'],
    parcels: [[1, 1.2, 30, 20, 10]],
    terms: { goodsValue: 4000, dutiesAmount: 860 },
  },
  D16: {
    on: '2026-06-15',
    to: ['NL', '1791 AB', 'Den Burg'],
    parcels: [[1, 2, 30, 20, 20]],
    terms: { goodsValue: 500 },
  },
};

interface Pallets {
  readonly count: number;
  readonly kg: number;
  readonly sides: readonly [length: number, width: number, height: number];
  readonly isStackable: boolean;
}
type Town = readonly [postalCode: string, city: string, province: string];

const stackable = (kg: number, height: number, count = 1): Pallets => ({
  count,
  kg,
  sides: [120, 80, height],
  isStackable: true,
});
const single = (kg: number, height: number, count = 1) => ({ ...stackable(kg, height, count), isStackable: false });
const long = (kg: number, isStackable: boolean): Pallets => ({ count: 1, kg, sides: [240, 100, 150], isStackable });

const palletsTo = (to: Town, pallets: readonly Pallets[], more: Fields = {}, terms: Fields = {}): Listed => ({
  on: '2026-11-23',
  to: ['IT', ...to],
  parcels: pallets.map(({ count, kg, sides }) => [count, kg, ...sides]),
  more,
  terms: {
    recipientType: 'BUSINESS',
    pallets: pallets.map(({ isStackable }, parcel) => ({ parcel, isStackable })),
    ...terms,
  },
});

export const FIRENZE = palletsTo(['50122', 'Firenze', 'FI'], [single(550, 100, 2)]);
export const LIVIGNO = palletsTo(['23041', 'Livigno', 'SO'], [stackable(450, 115)], {
  codAmount: 1000,
  insuranceAmount: 5000,
});
export const PALLETS: Numbered = {
  P1: palletsTo(['10121', 'Torino', 'TO'], [stackable(250, 55)]),
  P2: palletsTo(['40121', 'Bologna', 'BO'], [stackable(90, 180)]),
  P3: FIRENZE,
  P4: palletsTo(['00184', 'Roma', 'RM'], [stackable(280, 60), stackable(900, 200, 2)]),
  P5: palletsTo(['80133', 'Napoli', 'NA'], [stackable(1000, 150, 5)], { options: ['sponda'] }),
  P6: palletsTo(
    ['70121', 'Bari', 'BA'],
    [stackable(400, 90)],
    { options: ['sponda', 'appuntamento'] },
    { recipientType: 'PRIVATE' },
  ),
  P7: palletsTo(['90139', 'Palermo', 'PA'], [single(700, 140, 2)]),
  P8: palletsTo(['98055', 'Lipari', 'ME'], [stackable(120, 50)]),
  P9: palletsTo(['09124', 'Cagliari', 'CA'], [stackable(500, 110, 4)]),
  P10: palletsTo(['37121', 'Verona', 'VR'], [long(700, false)]),
  P11: palletsTo(['10121', 'Torino', 'TO'], [stackable(1100, 210), long(1200, true)]),
  P12: LIVIGNO,
};

export const QUINTALI: Numbered = {
  G1: { on: '2026-06-15', to: ['IT', '10121', 'Torino', 'TO'], parcels: [[1, 8, 40, 30, 20]] },
  G2: { on: '2026-06-15', to: ['IT', '40121', 'Bologna', 'BO'], parcels: [[2, 24, 60, 40, 40]] },
  G3: { on: '2026-06-15', to: ['IT', '50121', 'Firenze', 'FI'], parcels: [[1, 30, 120, 80, 90]] },
  G4: { on: '2026-10-05', to: ['IT', '00185', 'Roma', 'RM'], parcels: [[6, 70, 60, 60, 60]] },
  G5: { on: '2026-10-05', to: ['IT', '80121', 'Napoli', 'NA'], parcels: [[9, 80, 80, 60, 60]] },
  G6: { on: '2026-06-15', to: ['IT', '09124', 'Cagliari', 'CA'], parcels: [[2, 55, 60, 40, 40]] },
  G7: {
    on: '2026-06-15',
    to: ['IT', '90139', 'Palermo', 'PA'],
    parcels: [[1, 18, 50, 40, 30]],
    more: { codAmount: 200 },
  },
  G8: { on: '2026-06-15', to: ['IT', '98055', 'Lipari', 'ME'], parcels: [[1, 20, 40, 40, 30]] },
  G9: { on: '2026-10-05', to: ['IT', '37121', 'Verona', 'VR'], parcels: [[1, 45, 210, 40, 30]] },
  G10: {
    on: '2026-10-05',
    to: ['IT', '35121', 'Padova', 'PD'],
    parcels: [[4, 60, 80, 60, 60]],
    more: { options: ['sponda'] },
  },
  G11: {
    on: '2026-06-15',
    to: ['IT', '16121', 'Genova', 'GE'],
    parcels: [[1, 9, 40, 30, 30]],
    more: { options: ['appuntamento'] },
  },
  G12: {
    on: '2026-10-05',
    to: ['IT', '70121', 'Bari', 'BA'],
    parcels: [[1, 90, 120, 80, 100]],
    more: { insuranceAmount: 3000 },
  },
};
