import { comuneName } from '../../../common/places/comuni.rules.ts';
import { provinceCode } from '../../../common/places/italy.rules.ts';
import { DIVIDED_PROVINCES, takenOutOf } from '../areas/divided-provinces.rules.ts';
import type { Area } from '../areas/place.format.rules.ts';
import type { Language } from '../explanation-words.rules.ts';
import type { Tariff } from '../format/tariff.format.rules.ts';
import type { Path } from '../format/tariff-document.rules.ts';

/** Warns of places in a tariff that are valid, but may cover less than their author means, or something else. */

export const PLACE_WARNING_CODES = ['short_beginning', 'divided_province', 'hamlets'] as const;

export interface PlaceWarning {
  readonly code: (typeof PLACE_WARNING_CODES)[number];
  /** The path of the area in the document. */
  readonly path: Path;
  readonly message: Readonly<Record<Language, string>>;
}

/** Areas that complement each other: a place that one of them lacks may be in another. */
type Group = readonly (readonly [path: Path, area: Area])[];

export function placeWarnings({ versions }: Tariff): PlaceWarning[] {
  return versions.flatMap((version, i) =>
    groupsIn(version).flatMap(group =>
      warningsOf(group).map(warning => ({ ...warning, path: ['versions', i, ...warning.path] })),
    ),
  );
}

/** The areas of a version: all zones together, all origins, all rows of VAT, and each condition and exception alone. */
function groupsIn(version: object): Group[] {
  const beside = new Map<string, [Path, Area][]>();
  const alone: [Path, Area][] = [];
  const walk = (value: unknown, path: Path): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, inner] of Object.entries(value)) {
      const at = [...path, Array.isArray(value) ? Number(name) : name];
      const isArea = (name === 'to' || name === 'places') && typeof inner === 'object' && inner !== null;
      if (!isArea) {
        walk(inner, at);
        continue;
      }
      const area = inner as Area;
      const list = String(path[0]);
      // `zones/3/to` stands beside the other zones; a condition has its place deeper inside.
      if (path.length === 2) beside.set(list, [...(beside.get(list) ?? []), [at, area]]);
      else alone.push([at, area]);
      if (area.except) alone.push([[...at, 'except'], area.except]);
    }
  };
  walk(version, []);
  return [...beside.values(), ...alone.map(one => [one])];
}

function warningsOf(group: Group): PlaceWarning[] {
  const namesOf = (field: 'provinces' | 'municipalities') => group.flatMap(([, area]) => area[field] ?? []);
  const provinces = new Set(namesOf('provinces').map(provinceCode));
  const comuni = new Set(namesOf('municipalities').map(comuneWithoutBrackets));
  return group.flatMap(([path, area]) => [
    ...each(area.postalCodes, [...path, 'postalCodes'], shortBeginning),
    ...each(area.provinces, [...path, 'provinces'], text => dividedProvince(text, provinces)),
    ...each(area.municipalities, [...path, 'municipalities'], text => hamlets(text, comuni)),
  ]);
}

type Warning = Omit<PlaceWarning, 'path'>;

function each(
  texts: readonly string[] | undefined,
  path: Path,
  warningOf: (text: string) => Warning | undefined,
): PlaceWarning[] {
  return (texts ?? []).flatMap((text, i) => {
    const warning = warningOf(text);
    return warning ? [{ ...warning, path: [...path, i] }] : [];
  });
}

function shortBeginning(text: string): Warning | undefined {
  const [, country = '', digit] = /^([A-Z]{2} )?([1-9])\*$/.exec(text) ?? [];
  if (digit === undefined) return undefined;
  const lost = `${country}0${digit}*`;
  return {
    code: 'short_beginning',
    message: {
      it: `${text} comprende tutti i codici che iniziano con ${digit}: se un foglio di calcolo ha tolto uno zero, scrivere ${lost}.`,
      en: `${text} holds all codes that begin with ${digit}: if a spreadsheet has dropped a zero, write ${lost}.`,
    },
  };
}

/** A province beside none of those that were taken out of it, or that it was taken out of. */
function dividedProvince(text: string, named: ReadonlySet<string | undefined>): Warning | undefined {
  const code = provinceCode(text);
  if (code === undefined) return undefined;
  const related = [...takenOutOf(code), ...(DIVIDED_PROVINCES.get(code) ?? [])];
  const missing = related.filter(other => !named.has(other));
  if (missing.length === 0) return undefined;
  const others = missing.join(', ');
  return {
    code: 'divided_province',
    message: {
      it: `${text}: gli indirizzi dei comuni che hanno cambiato provincia possono indicare anche ${others}, che qui non compare. Indicarla se vale lo stesso.`,
      en: `${text}: addresses of comuni that changed province can also state ${others}, which is not named here. Name it if it is to count too.`,
    },
  };
}

/** A comune of islands without its hamlets, whose names stand in addresses in its place. */
function hamlets(text: string, named: ReadonlySet<string>): Warning | undefined {
  const missing = hamletsOf(comuneWithoutBrackets(text)).filter(hamlet => !named.has(comuneName(hamlet)));
  if (missing.length === 0) return undefined;
  const names = missing.join(', ');
  return {
    code: 'hamlets',
    message: {
      it: `${text} non comprende gli indirizzi che indicano una frazione al posto del comune (${names}): indicare i CAP in postalCodes, o anche le frazioni.`,
      en: `${text} does not hold addresses that state a hamlet in the place of the comune (${names}): name the CAPs in postalCodes, or the hamlets too.`,
    },
  };
}

const comuneWithoutBrackets = (text: string) => comuneName(text.trimEnd().replace(/\([^()]*\)$/, ''));

/**
 * Comuni of the smaller islands with places that stand in addresses as the city, often with CAPs of their own. Sources,
 * read on 2026-11-28: the list of smaller islands of the Conferenza unificata of 2020-07-27 and general
 * knowledge of their hamlets, which no register was read for. The service has no register of hamlets: other comuni have them too.
 */
const HAMLETS: Readonly<Record<string, readonly string[]>> = {
  Lipari: ['Canneto', 'Stromboli', 'Vulcano', 'Panarea', 'Filicudi', 'Alicudi'],
  Malfa: ['Pollara'],
  Leni: ['Rinella'],
  'Santa Marina Salina': ['Lingua'],
  Favignana: ['Levanzo', 'Marettimo'],
  'Lampedusa e Linosa': ['Lampedusa', 'Linosa'],
  Ponza: ['Le Forna'],
  "Barano d'Ischia": ['Testaccio'],
  'Serrara Fontana': ["Sant'Angelo"],
  "Campo nell'Elba": ['Marina di Campo', 'Pianosa'],
  Marciana: ['Procchio', 'Pomonte'],
  Rio: ['Rio Marina', "Rio nell'Elba", 'Cavo'],
  'Isola del Giglio': ['Giglio Porto', 'Giglio Campese', 'Giannutri'],
  'La Maddalena': ['Caprera'],
  'Porto Torres': ['Asinara'],
  'Isole Tremiti': ['San Domino', 'San Nicola'],
  'Porto Venere': ['Palmaria'],
  'Monte Isola': ['Siviano', 'Peschiera Maraglio'],
  Venezia: ['Lido', 'Pellestrina', 'Murano', 'Burano'],
};

const byComune = new Map(Object.entries(HAMLETS).map(([comune, hamlets]) => [comuneName(comune), hamlets]));

/** @param comune in its comparable form */
function hamletsOf(comune: string): readonly string[] {
  return byComune.get(comune) ?? [];
}
