import zones from '../../schema/carriers/zones.json' with { type: 'json' };
import type { Maybe } from './normalize.ts';
import { countryNamed, zoneOfCountry, zonesOf } from './place-zone.ts';

/**
 * The time zones of events by their country, state and city, for local times without an offset. The states and cities
 * of countries with several zones are in `schema/carriers/zones.json`; all else comes from the runtime.
 */

export interface Place {
  /** ISO 3166-1 alpha-2, or a carrier's own code. */
  readonly country: Maybe<string>;
  readonly state?: Maybe<string>;
  readonly city?: Maybe<string>;
}

export interface PlaceZone {
  readonly zone: string;
  /** Whether nobody at the place has another zone; otherwise most people in the country or state have it. */
  readonly isCertain: boolean;
}

interface Rule {
  /** The zone of most people in the country. */
  readonly zone: string;
  /** Whether the others are so few that the zone may be taken for certain. */
  readonly isMain?: boolean;
  readonly states?: Readonly<Record<string, string>>;
  /** States with two zones; `states` has the one of more places. */
  readonly split?: readonly string[];
  /** `TN MEMPHIS`, or the city alone. */
  readonly cities?: Readonly<Record<string, string>>;
}

const RULES: Readonly<Record<string, Rule>> = zones.countries;
const NAMES: Readonly<Record<string, string>> = zones.names;

/** Upper-case words without accents: `St. John's` is `ST JOHN S`. */
function plain(text: Maybe<string>): string {
  return (text ?? '')
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, ' ')
    .trim();
}

/** Null for a place without a known country. */
export function zoneOf({ country, state, city }: Place): PlaceZone | null {
  const code = plain(country);
  const rule = Object.hasOwn(RULES, code) ? RULES[code] : undefined;
  const [inState, at] = [plain(state), plain(city)];
  const exact =
    own(rule?.cities, `${inState} ${at}`) ??
    (rule?.split?.includes(inState) ? undefined : own(rule?.states, inState)) ??
    (inState === '' ? (own(rule?.cities, at) ?? zoneNamed(code, at)) : undefined);
  if (exact !== undefined) return { zone: exact, isCertain: true };
  if (rule) return { zone: own(rule.states, inState) ?? rule.zone, isCertain: rule.isMain === true };
  const only = zoneOfCountry(code);
  return only === null ? null : { zone: only, isCertain: true };
}

function own(table: Readonly<Record<string, string>> | undefined, key: string): string | undefined {
  return table && Object.hasOwn(table, key) ? table[key] : undefined;
}

/** Zones are named for their largest city: `Australia/Melbourne`. */
function zoneNamed(country: string, city: string): string | undefined {
  if (city === '' || !/^[A-Z]{2}$/.test(country)) return undefined;
  return zonesOf(country).find(zone => plain(zone.split('/').at(-1)) === city);
}

/**
 * A place as DHL writes it in one text: `SYDNEY-AU`, `CINCINNATI HUB,OH-USA`, `ROME - ITALY`. A text that names no country
 * may still name a state.
 */
export function placeNamed(text: Maybe<string>): Place {
  const written = text?.trim() ?? '';
  const dash = written.lastIndexOf('-');
  const named = dash < 0 ? undefined : written.slice(dash + 1);
  const { city, state } = cityAndState(dash < 0 ? written : written.slice(0, dash).trimEnd());
  const name =
    named
      ?.trim()
      .toUpperCase()
      .replace(/, THE$/, '') ?? '';
  const country = own(NAMES, name) ?? countryNamed(name);
  // Only texts from the United States end with a state in place of a country.
  const isState = country === null && state != null && own(RULES.US?.states, state.toUpperCase()) !== undefined;
  return { country: isState ? 'US' : country, state, city };
}

function cityAndState(place: string): Pick<Place, 'city' | 'state'> {
  const [city = '', state, ...others] = place.split(',').map(part => part.trim());
  if (others.length > 0 || (state !== undefined && !/^\p{L}{2,3}$/u.test(state))) return {};
  return { city: city.replace(/\s(?:HUB|GATEWAY)$/i, '').trimEnd(), state };
}
