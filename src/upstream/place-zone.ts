/** The time zones of places that carriers name, for local times without an offset. The runtime knows the zones of each country. */

/**
 * The zone of nearly everybody, in countries with islands or territories in another one. A country with several great
 * zones, such as the United States, has none here.
 */
const MAIN_ZONES: Readonly<Record<string, string>> = {
  CN: 'Asia/Shanghai',
  CY: 'Asia/Nicosia',
  DE: 'Europe/Berlin',
  ES: 'Europe/Madrid',
  NZ: 'Pacific/Auckland',
  PT: 'Europe/Lisbon',
  UA: 'Europe/Kiev',
};

/** The zone of a country by its ISO 3166-1 alpha-2 code; null for an unknown country, or one with several zones. */
export function zoneOfCountry(code: string): string | null {
  const country = code.trim().toUpperCase();
  if (!/^[A-Z]{2}$/.test(country)) return null;
  const zones = zonesOf(country);
  return MAIN_ZONES[country] ?? (zones.length === 1 ? (zones[0] ?? null) : null);
}

/** Newer runtimes have a method in place of the property. */
interface LocaleWithZones {
  readonly timeZones?: readonly string[];
  getTimeZones?(): readonly string[] | undefined;
}

export function zonesOf(country: string): readonly string[] {
  const locale = new Intl.Locale(`und-${country}`) as LocaleWithZones;
  return locale.getTimeZones?.() ?? locale.timeZones ?? [];
}

/** Names that CLDR no longer has, or has in another form. */
const OTHER_NAMES = [
  ['CZECH REPUBLIC', 'CZ'],
  ['REPUBBLICA CECA', 'CZ'],
  ['SLOVAK REPUBLIC', 'SK'],
  ['REPUBBLICA SLOVACCA', 'SK'],
  ['GREAT BRITAIN', 'GB'],
  ['GRAN BRETAGNA', 'GB'],
  ['OLANDA', 'NL'],
  ['HOLLAND', 'NL'],
] as const;

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
let codeByName: ReadonlyMap<string, string> | undefined; // making it takes milliseconds

/** The code of a country by its code, or by its name in Italian or English; null for any other text. */
export function countryNamed(name: string): string | null {
  const text = name.trim().toUpperCase();
  if (/^[A-Z]{2}$/.test(text)) return zonesOf(text).length > 0 ? text : null;
  codeByName ??= new Map([...['it', 'en'].flatMap(countryNames), ...OTHER_NAMES]);
  return codeByName.get(text) ?? null;
}

function countryNames(language: string): [string, string][] {
  const names = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' });
  return LETTERS.flatMap(first =>
    LETTERS.flatMap(second => {
      const name = names.of(first + second);
      return name === undefined ? [] : [[name.toUpperCase(), first + second] as [string, string]];
    }),
  );
}
