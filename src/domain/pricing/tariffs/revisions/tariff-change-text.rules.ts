import { parcelBands } from '../bands/parcel-bands.rules.ts';
import { stepsBeyond } from '../bands/steps-beyond.rules.ts';
import { weightBands } from '../bands/weight-bands.rules.ts';
import { UNITS_OF, WORDS_OF } from '../format/field-units.format.rules.ts';
import type { Line, Service, Tariff, TariffVersion } from '../format/tariff.format.rules.ts';
import { palletPrices } from '../pallets/pallet-prices.rules.ts';

// Determines the part of a tariff that a change concerns, and describes the change in a sentence.

export const CHANGED_PARTS = [
  'tariff',
  'version',
  'service',
  'zone',
  'surcharge',
  'fuel',
  'option',
  'cod',
  'insurance',
  'after_shipment',
  'vat',
  'weight',
  'limits',
  'pallet_classes',
  'origins',
  'account',
] as const;
export const CHANGED_ASPECTS = ['whole', 'price', 'condition', 'dates', 'places', 'other'] as const;

type Part = (typeof CHANGED_PARTS)[number];
type Aspect = (typeof CHANGED_ASPECTS)[number];

/** The part of a tariff that a change concerns. */
export interface Subject {
  readonly part: Part;
  readonly aspect: Aspect;
  /** First day of the version; null where the change concerns the whole tariff. */
  readonly version: string | null;
  /** Codes. */
  readonly zone: string | null;
  readonly line: string | null;
  /** The name of the zone or the line for people. */
  readonly name: string | null;
  /** The limit of the band, kilograms. */
  readonly upToKg: number | null;
}

const PART_OF: Readonly<Record<string, Part>> = {
  services: 'service',
  zones: 'zone',
  surcharges: 'surcharge',
  fuel: 'fuel',
  options: 'option',
  cod: 'cod',
  insurance: 'insurance',
  afterShipment: 'after_shipment',
  vat: 'vat',
  weight: 'weight',
  limits: 'limits',
  palletClasses: 'pallet_classes',
  origins: 'origins',
  originCountries: 'origins',
  account: 'account',
};
/** Parts with entries that have a code, as lines have. */
const LINES: ReadonlySet<Part> = new Set([
  'service',
  'surcharge',
  'fuel',
  'option',
  'cod',
  'insurance',
  'after_shipment',
]);
const PRICES: ReadonlySet<string> = new Set([
  ...['price', 'steps'],
  ...[weightBands, parcelBands, stepsBeyond, palletPrices].flatMap(({ form }) => Object.keys(form)),
]);
const PLACES: ReadonlySet<string> = new Set(['to', 'from', 'places', 'warehouses']);
const DATES: ReadonlySet<string> = new Set(['dates', 'validFrom', 'validUntil']);

/** @param tariff that has it */
export function subjectOf(path: readonly string[], tariff: Tariff): Subject {
  const [top, version = null, field, key, ...tail] = path;
  const none = { zone: null, line: null, name: null, upToKg: null };
  if (top !== 'versions' || version === null) return { part: 'tariff', aspect: 'other', version: null, ...none };
  if (field === undefined) return { part: 'version', aspect: 'whole', version, ...none };
  const part = PART_OF[field] ?? 'version';
  const rest = key === undefined ? [] : tail;
  const found = tariff.versions.find(({ validFrom }) => validFrom === version);
  if (part === 'zone') {
    const name = found?.zones.find(({ code }) => code === key)?.name ?? null;
    const upToKg = tail[0] === 'bands' && tail[1] !== undefined ? Number(tail[1]) : null;
    return { part, aspect: aspectOf(rest), version, ...none, zone: key ?? null, name, upToKg };
  }
  if (LINES.has(part)) {
    const lines: readonly (Line | Service)[] = found?.[field as 'surcharges' | 'services'] ?? [];
    const one = lines.find(({ code }) => code === key);
    const name = one === undefined ? null : 'name' in one ? one.name : one.description;
    return { part, aspect: aspectOf(rest), version, ...none, line: key ?? field, name };
  }
  if (part === 'account' && key !== undefined) return { ...none, ...subjectOfAccount(key, tail, found), part, version };
  const aspect = part === 'vat' ? 'price' : aspectOf(key === undefined ? [field] : [key, ...tail]);
  return { part, aspect: part === 'version' || aspect !== 'whole' ? aspect : 'other', version, ...none };
}

/** @param key `fees`, `minimum` or `bonus` */
function subjectOfAccount(key: string, tail: readonly string[], version: TariffVersion | undefined) {
  const { fees = [], minimum, bonus } = version?.account ?? {};
  const [code] = tail;
  const charge = key === 'fees' ? fees.find(fee => fee.code === code) : key === 'minimum' ? minimum : bonus;
  const rest = key === 'fees' ? tail.slice(1) : tail;
  return { aspect: aspectOf(rest), line: charge?.code ?? code ?? key, name: charge?.description ?? null };
}

function aspectOf(rest: readonly string[]): Aspect {
  const [first] = rest;
  if (first === undefined) return 'whole';
  if (rest.some(name => DATES.has(name))) return 'dates';
  if (first === 'when' || first === 'on') return 'condition';
  if (PRICES.has(first)) return 'price';
  return PLACES.has(first) ? 'places' : 'other';
}

/** The words for fields. */
const WORDS: Readonly<Record<string, string>> = {
  ...WORDS_OF,
  services: 'services',
  when: 'condition',
  from: 'origins',
  deliveryDays: 'days to delivery',
  notServed: 'not served',
  validUntil: 'last day',
  postalCodes: 'postal codes',
  description: 'description',
};

const PARTS_IN_WORDS: Readonly<Record<Part, string>> = {
  tariff: 'tariff',
  version: 'version',
  service: 'service',
  zone: 'zone',
  surcharge: 'surcharge',
  fuel: 'fuel',
  option: 'option',
  cod: 'cash on delivery',
  insurance: 'insurance',
  after_shipment: 'after the shipment',
  vat: 'VAT',
  weight: 'weight',
  limits: 'limits',
  pallet_classes: 'classes of pallets',
  origins: 'origins',
  account: 'account',
};

interface Values {
  readonly before: unknown;
  readonly after: unknown;
}

/** `from 2026-01-01: zone Italia (italia), up to 10 kg, price: 5.00 → 5.50 (+10 %)` */
export function changeInWords(
  path: readonly string[],
  change: 'added' | 'removed' | 'changed',
  values: Values,
  subject: Subject,
): string {
  const { version } = subject;
  const what = [subjectText(subject), ...fieldTexts(path, subject)].join(', ');
  return `${version === null ? '' : `from ${version}: `}${what}: ${changeText(path.at(-1) ?? '', change, values)}`;
}

function subjectText({ part, zone, line, name, upToKg }: Subject): string {
  const code = zone ?? line;
  const word = PARTS_IN_WORDS[part];
  const called =
    code === null || code === part ? '' : name === null || name === code ? ` ${code}` : ` ${name} (${code})`;
  return `${word}${called}${upToKg === null ? '' : `, up to ${upToKg} kg`}`;
}

/** The fields below the zone, band or line. */
function fieldTexts(path: readonly string[], { part, zone, line, upToKg }: Subject): string[] {
  const isOfKey = zone !== null || (line !== null && line === path[3]);
  if (part === 'account') return path.slice(path[3] === 'fees' ? 5 : 4).map(name => WORDS[name] ?? name);
  const from = part === 'tariff' ? 0 : upToKg !== null ? 6 : isOfKey ? 4 : part === 'version' ? 2 : 3;
  return path.slice(from).map(name => WORDS[name] ?? name);
}

const MAX_LISTED = 5;

function changeText(field: string, change: 'added' | 'removed' | 'changed', { before, after }: Values): string {
  if (change === 'added') return `added${contentText(field, after)}`;
  if (change === 'removed') return `removed${contentText(field, before)}`;
  if (Array.isArray(before) && Array.isArray(after)) {
    const said = [
      ...(after.length > 0 ? [`${after.length} added (${listText(after)})`] : []),
      ...(before.length > 0 ? [`${before.length} removed (${listText(before)})`] : []),
    ];
    return said.join(', ');
  }
  const numbers = typeof before === 'number' && typeof after === 'number' && before > 0;
  const share = numbers ? Math.round((after / before - 1) * 1000) / 10 : 0;
  const difference = share === 0 ? '' : ` (${share > 0 ? '+' : ''}${share} %)`;
  return `${valueText(field, before)} → ${valueText(field, after)}${difference}`;
}

/** Describes the content of a small entry that was added or removed. For zones and lines the code is enough. */
function contentText(field: string, value: unknown): string {
  if (typeof value !== 'object' || value === null) return ` (${valueText(field, value)})`;
  if (Array.isArray(value)) return value.length > 0 && typeof value[0] === 'string' ? ` (${listText(value)})` : '';
  const prices = Object.entries(value).filter(([name, one]) => typeof one === 'number' && name !== 'upToKg');
  return prices.length === 0
    ? ''
    : ` (${prices.map(([name, one]) => `${WORDS[name] ?? name} ${valueText(name, one)}`).join(', ')})`;
}

function listText(texts: readonly unknown[]): string {
  const shown = texts.slice(0, MAX_LISTED).map(one => valueText('', one));
  return texts.length > MAX_LISTED ? `${shown.join(', ')}, …` : shown.join(', ');
}

function valueText(field: string, value: unknown): string {
  if (typeof value === 'number') return UNITS_OF[field] === 'money' ? value.toFixed(2) : String(value);
  if (typeof value === 'string') return value;
  if (value === null) return 'nothing';
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
