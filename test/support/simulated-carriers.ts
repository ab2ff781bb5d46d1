import { pseudoRandom } from '../bench/pseudo-random.ts';
import { isWorkingDay } from './working-days.ts';

/**
 * Parcels of three invented carriers over many months, day by day, with what real ones do: slower and faster lanes, a
 * slow drift, a strike, a peak season with its volume, attempts that fail, deliveries on Saturdays, returns, losses and
 * parcels that stay silent. It shares no code with the calculation of promises.
 */

export interface Simulation {
  readonly seed: number;
  /** `YYYY-MM-DD`. */
  readonly from: string;
  readonly days: number;
  /** On an ordinary working day, of all carriers. */
  readonly parcelsPerDay: number;
  /** To so many provinces alone, and nothing abroad; to all where left out. */
  readonly provinces?: number;
  /** Over these days the first carrier slows down and the third one gets faster. */
  readonly drift: readonly [from: string, until: string];
  /** On these days the second carrier delivers nothing. */
  readonly strike: readonly [from: string, until: string];
  /** Twice the parcels, and all carriers slower. */
  readonly peak: readonly [from: string, until: string];
}

export interface Step {
  readonly at: Date;
  readonly statusCode: string;
}

export interface Parcel {
  /** 0, 1 or 2. */
  readonly carrier: number;
  readonly countryCode: string;
  readonly postalCode: string;
  readonly province: string | null;
  /** Kilograms; null where the platform does not say. */
  readonly weight: number | null;
  readonly createdAt: Date;
  readonly scannedAt: Date;
  /** From the first scan to the latest event, ascending. */
  readonly steps: readonly Step[];
  readonly deliveredAt: Date | null;
  /** Days to delivery of a tariff that was written in an ordinary season. */
  readonly tariffDays: number;
  /** The carrier's estimate after the scan of the parcel: it knows its lanes, but no drift, strike or season. */
  readonly carrierDate: Date;
}

interface Province {
  readonly code: string;
  /** The beginnings of its CAPs: three digits for the city, three for the rest. */
  readonly city: string;
  readonly rest: string;
  readonly share: number;
  /** Working days from the scan to the first attempt. */
  readonly base: number;
}

const province = (code: string, city: string, rest: string, share: number, base: number): Province => ({
  code,
  city,
  rest,
  share,
  base,
});

const PROVINCES: readonly Province[] = [
  province('MI', '201', '200', 15, 1),
  province('RM', '001', '000', 13, 1),
  province('NA', '801', '800', 9, 2),
  province('TO', '101', '100', 7, 1),
  province('BS', '251', '250', 4, 1),
  province('BO', '401', '400', 4, 1),
  province('FI', '501', '500', 4, 1),
  province('PD', '351', '350', 3.5, 1),
  province('BA', '701', '700', 4, 2),
  province('PA', '901', '900', 4, 3),
  province('CT', '951', '950', 4, 3),
  province('GE', '161', '160', 3, 1),
  province('VR', '371', '370', 3, 1),
  province('SA', '841', '840', 3, 2),
  province('LE', '731', '730', 2, 2),
  province('CS', '871', '870', 1.5, 3),
  province('PG', '061', '060', 1.5, 2),
  province('AN', '601', '600', 1.5, 2),
  province('PE', '651', '650', 1, 2),
  province('UD', '331', '330', 1, 1),
  province('TN', '381', '380', 1, 2),
  province('RA', '481', '480', 1, 1),
  province('SI', '531', '530', 0.8, 2),
  province('PZ', '851', '850', 0.7, 3),
  province('RG', '971', '970', 0.7, 3),
  province('EN', '941', '940', 0.5, 4),
  province('TR', '051', '050', 0.4, 2),
  province('RI', '021', '020', 0.3, 2),
  province('SO', '231', '230', 0.3, 2),
  province('AO', '111', '110', 0.25, 2),
  province('CB', '861', '860', 0.2, 3),
];
const ABROAD = [
  { countryCode: 'DE', digits: 5, base: 3 },
  { countryCode: 'FR', digits: 5, base: 3 },
  { countryCode: 'AT', digits: 4, base: 2 },
] as const;
const ABROAD_SHARE = 0.05;
/** These parcels are silent between the first scan and the end. */
const QUIET_SHARE = 0.1;
const QUIET_STEPS: ReadonlySet<string> = new Set(['shipped', 'delivered', 'returning', 'returned', 'lost']);
/** Places outside the city from this number on have few parcels, which take a day more; no tariff says so. */
const REMOTE_FROM = 60;

/** The chance that an attempt succeeds, before and after the drift; shares of the parcels; attempts on Saturdays. */
const CARRIERS = [
  { share: 0.4, before: 0.86, after: 0.6, slower: 0.3, saturdays: 0 },
  { share: 0.35, before: 0.78, after: 0.78, slower: 0, saturdays: 0 },
  { share: 0.25, before: 0.68, after: 0.86, slower: 0, saturdays: 0.4 },
] as const;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export function simulate(simulation: Simulation): Parcel[] {
  const random = pseudoRandom(simulation.seed);
  // The first numbers of neighbouring seeds are neighbours.
  for (let i = 0; i < 20; i++) random();
  const parcels: Parcel[] = [];
  const first = Date.parse(`${simulation.from}T00:00:00Z`);
  for (let i = 0; i < simulation.days; i++) {
    const day = dayOf(first + i * DAY_MS);
    if (!isWorkingDay(day)) continue;
    const count = simulation.parcelsPerDay * (isWithin(day, simulation.peak) ? 2 : 1) * (0.8 + 0.4 * random());
    for (let j = 0; j < count; j++) parcels.push(parcelOf(day, simulation, random));
  }
  return parcels.sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
}

function parcelOf(day: string, simulation: Simulation, random: () => number): Parcel {
  const carrier = pick(CARRIERS, random);
  const { countryCode, postalCode, province, base, isRemote } = destination(simulation, random);
  const weight = random() < 0.1 ? null : random() < 0.02 ? 40 + 150 * random() : 0.3 + 5 * -Math.log(1 - random());
  const isQuiet = random() < QUIET_SHARE;
  const isHeavy = (weight ?? 0) > 30;
  // A lane of its own for each carrier and postal code, which nothing else shows.
  const lane = laneEffect(`${carrier}${postalCode}`);
  const scannedAt = at(day, random() < 0.85 ? 15 + 5 * random() : 7 + 8 * random());
  const usual = base + (isHeavy ? 1 : 0) + (isRemote ? 1 : 0);
  const steps: Step[] = [
    { at: scannedAt, statusCode: 'shipped' },
    { at: new Date(scannedAt.getTime() + (2 + 4 * random()) * HOUR_MS), statusCode: 'in_transit' },
  ];
  const { before } = CARRIERS[carrier] as (typeof CARRIERS)[number];
  const parcel = {
    carrier,
    countryCode,
    postalCode,
    province,
    weight,
    scannedAt,
    steps,
    createdAt: new Date(scannedAt.getTime() - (1 + 20 * random()) * HOUR_MS),
    tariffDays: countryCode === 'IT' ? (base <= 1 ? 1 : base + 1) : 5,
    carrierDate: at(later(day, usual + (before + lane < 0.8 ? 1 : 0)), 20),
  };
  const deliveredAt = travel(day, parcel, { usual, lane }, simulation, random);
  return {
    ...parcel,
    steps: isQuiet ? steps.filter(({ statusCode }) => QUIET_STEPS.has(statusCode)) : steps,
    deliveredAt,
  };
}

/** Takes a parcel from its scan to its end and notes the steps; returns when it was delivered. */
function travel(
  day: string,
  { carrier, steps }: { carrier: number; steps: Step[] },
  { usual, lane }: { usual: number; lane: number },
  simulation: Simulation,
  random: () => number,
): Date | null {
  const { before, after, slower, saturdays } = CARRIERS[carrier] as (typeof CARRIERS)[number];
  const fate = random();
  const progress = isWithin(day, simulation.drift)
    ? (Date.parse(day) - Date.parse(simulation.drift[0])) /
      (Date.parse(simulation.drift[1]) - Date.parse(simulation.drift[0]))
    : day > simulation.drift[1]
      ? 1
      : 0;
  const isPeak = isWithin(day, simulation.peak);
  const extra = (random() < slower * progress ? 1 : 0) + (isPeak && random() < 0.25 ? 1 : 0);
  // Nothing more is heard of it.
  if (fate < 0.005) return null;
  let today = later(day, usual + extra);
  steps.push({ at: at(today, 4 + 2 * random()), statusCode: 'at_depot' });
  if (fate < 0.01) return null;
  for (let attempts = 0; ; today = nextDay(today, saturdays > random())) {
    if (carrier === 1 && isWithin(today, simulation.strike)) continue;
    const afterStrike = carrier === 1 && today > simulation.strike[1] && today <= later(simulation.strike[1], 3);
    attempts++;
    const chance = (before + (after - before) * progress + lane) * (isPeak ? 0.75 : 1) * (afterStrike ? 0.6 : 1);
    steps.push({ at: at(today, 7 + 2 * random()), statusCode: 'out_for_delivery' });
    if (fate >= 0.025 && random() < chance) {
      const deliveredAt = at(today, Math.min(19.5, 9 + 8 * random() * (0.5 + random())));
      steps.push({ at: deliveredAt, statusCode: 'delivered' });
      return deliveredAt;
    }
    steps.push({ at: at(today, 20), statusCode: random() < 0.5 ? 'delayed' : 'delivery_failed' });
    if (fate < 0.025 && attempts === 3) {
      steps.push({ at: at(later(today, 5), 12), statusCode: 'returning' });
      steps.push({ at: at(later(today, 9), 12), statusCode: fate < 0.02 ? 'returned' : 'lost' });
      return null;
    }
  }
}

function destination({ provinces }: Simulation, random: () => number) {
  if (provinces === undefined && random() < ABROAD_SHARE) {
    const { countryCode, digits, base } = ABROAD[Math.floor(random() * ABROAD.length)] as (typeof ABROAD)[number];
    const postalCode = String(Math.floor(random() * 10 ** digits)).padStart(digits, '0');
    return { countryCode, postalCode, province: null, base, isRemote: false };
  }
  const { code, city, rest, base } = PROVINCES[pick(PROVINCES.slice(0, provinces), random)] as Province;
  const isCity = random() < 0.55;
  // Some postal codes have many parcels and most have few.
  const number = Math.floor(100 * random() ** 3);
  const postalCode = `${isCity ? city : rest}${String(isCity ? 21 + (number % 40) : number).padStart(2, '0')}`;
  return { countryCode: 'IT', postalCode, province: code, base, isRemote: !isCity && number >= REMOTE_FROM };
}

/** The index of one, by their shares. */
function pick(all: readonly { readonly share: number }[], random: () => number): number {
  let left = random() * all.reduce((sum, { share }) => sum + share, 0);
  const found = all.findIndex(({ share }) => {
    left -= share;
    return left <= 0;
  });
  return found < 0 ? 0 : found;
}

/** From −0.12 to 0.12. */
function laneEffect(lane: string): number {
  let hash = 7;
  for (const character of lane) hash = (hash * 31 + character.charCodeAt(0)) % 10_007;
  return ((hash % 1000) / 1000 - 0.5) * 0.24;
}

const isWithin = (day: string, [from, until]: readonly [string, string]) => from <= day && day <= until;
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

function nextDay(day: string, isSaturdayToo: boolean): string {
  for (let ms = Date.parse(day) + DAY_MS; ; ms += DAY_MS) {
    if (isWorkingDay(dayOf(ms)) || (isSaturdayToo && new Date(ms).getUTCDay() === 6)) return dayOf(ms);
  }
}

/** So many working days later. */
function later(day: string, workingDays: number): string {
  let found = day;
  for (let i = 0; i < workingDays; i++) found = nextDay(found, false);
  return found;
}

/** An hour of a day by the clocks in Italy, near enough: summer time is from April to October here. */
function at(day: string, hour: number): Date {
  const month = Number(day.slice(5, 7));
  const ahead = month >= 4 && month <= 10 ? 2 : 1;
  return new Date(Date.parse(`${day}T00:00:00Z`) + Math.round((hour - ahead) * HOUR_MS));
}
