import { beforeAll, describe, expect, test } from 'vitest';
import { createWarehouse } from '../support/platform-side.ts';
import { wrongFields } from '../support/rest-client.ts';
import { useSharedWorld } from '../support/world.ts';
import { onlyItem } from './quote-items.ts';
import { currentTariff, type Merchant, merchantsOf, tariffWith } from './tariffs.ts';

/** Italian provinces and their CAPs, as people write them: all 107, and former provinces of Sardinia. */

const world = useSharedWorld();
const newMerchant = merchantsOf(world);

/** By province: the generic CAPs of its cities, and today's of a zone of them, of which the first is the city's alone. */
const CAPS = `
  AG 92100, AL 15100 15121, AN 60100 60121, AO 11100, AP 63100, AQ 67100, AR 52100, AT 14100, AV 83100, BA 70100 70121,
  BG 24100 24121, BI 13900, BL 32100, BN 82100, BO 40100 40121, BR 72100, BS 25100 25121, BT 76121 76123 76125, BZ 39100,
  CA 09100 09121, CB 86100, CE 81100, CH 66100, CL 93100, CN 12100, CO 22100, CR 26100, CS 87100, CT 95100 95121, CZ 88100,
  EN 94100, FC 47100 47121 47521, FE 44100 44121, FG 71100 71121, FI 50100 50121, FM 63900, FR 03100, GE 16100 16121,
  GO 34170, GR 58100, IM 18100, IS 86170, KR 88900, LC 23900, LE 73100, LI 57100 57121, LO 26900, LT 04100, LU 55100,
  MB 20900, MC 62100, ME 98100 98121, MI 20100 20121, MN 46100, MO 41100 41121, MS 54100 54033, MT 75100, NA 80100 80121,
  NO 28100, NU 08100, OR 09170, PA 90100 90121, PC 29100 29121, PD 35100 35121, PE 65100 65121, PG 06100 06121,
  PI 56100 56121, PN 33170, PO 59100, PR 43100 43121, PT 51100, PU 61100 61121 61029, PV 27100, PZ 85100, RA 48100 48121,
  RC 89100 89121, RE 42100 42121, RG 97100, RI 02100, RM 00100 00118, RN 47900 47921, RO 45100, SA 84100 84121, SI 53100,
  SO 23100, SP 19100 19121, SR 96100, SS 07100, SV 17100, TA 74100 74121, TE 64100, TN 38100 38121, TO 10100 10121, TP 91100,
  TR 05100, TS 34100 34121, TV 31100, UD 33100, VA 21100, VB 28922, VC 13100, VE 30100 30121, VI 36100, VR 37100 37121,
  VT 01100, VV 89900
`;
/** CAPs with a province that they had or have since. */
const CHANGED = `
  MB 20052 20038, BT 70051 70031 70059 71042 71049, FM 63023 63018, LC 22053 24030, LO 20075 20077, BI 13051 13060,
  RN 47037 47036 61015 61018, PO 50047 50045, KR 88074, VV 88018, VB 28048 28044, IS 86077, OR 08013 09070, PN 33070 33084,
  MI 20900 20811 26900, BA 76121, FG 76015, AP 63900 63811, CO 23900 23801, BG 23801 23806, VC 13900 13811, FC 47921, FI 59100,
  CZ 88900 89900, NO 28922 28845, CB 86170, CA 09170 09013 09025, NU 09170 08045 08029, UD 33170 33012, PU 47863 47868,
  BL 33012, CI 09013 09016, VS 09025 09020, OG 08045 08048, OT 07026 07029, SU 09013 09025 08030, SS 07026 07029
`;
const rowsOf = (text: string) =>
  text
    .trim()
    .split(/,\s*/)
    .map(row => row.split(' ') as [string, ...string[]]);
const PROVINCES = [...rowsOf(CAPS).map(([province]) => province), 'CI', 'OG', 'OT', 'SU', 'VS'];

const price = (province: string) => PROVINCES.indexOf(province) + 1;
let shop: Merchant;
beforeAll(async () => {
  const zones = PROVINCES.map(province => ({
    code: province.toLowerCase(),
    name: province,
    to: { provinces: [province] },
    bands: [{ upToKg: 100, price: price(province) }],
  }));
  shop = await newMerchant(tariffWith({ zones }));
});
const to = (postalCode: string, province?: string | null) =>
  shop.quote({ destination: { postalCode, city: 'Capoluogo', province } });

test('The tests include every province of Italy', () => {
  expect(new Set(PROVINCES).size).toBe(106 + 5);
});

describe('The CAPs of cities', () => {
  test.each(rowsOf(CAPS))('in %s have its price with the province and without it', async (province, ...caps) => {
    for (const cap of caps) {
      expect(await onlyItem(to(cap, province))).toMatchObject({ basePrice: price(province) });
      expect(await onlyItem(to(cap))).toMatchObject({ basePrice: price(province) });
    }
  });

  test.each(rowsOf(CHANGED))('are accepted with the province %s if they have or had it', async (province, ...caps) => {
    for (const cap of caps) {
      expect(await onlyItem(to(cap, province))).toMatchObject({ basePrice: price(province) });
    }
  });

  test.each([
    ['20121', 'MB'],
    ['20121', 'LO'],
    ['47921', 'PU'],
    ['33100', 'PN'],
    ['70121', 'BT'],
    ['09121', 'OT'],
    ['90139', 'MI'],
    ['99999', 'MI'],
  ])('do not include %s for the province %s', async (cap, province) => {
    expect(wrongFields(await to(cap, province))).toEqual([['/destination/postalCode', 'postal_code_not_in_province']]);
  });
});

describe('The names of a province', () => {
  test.each(
    rowsOf(
      `
    BZ bz;BZ ;Bolzano;Bolzano/Bozen;Bozen;Bolzano - Bozen;Südtirol;SUEDTIROL;Alto Adige;Alto Adige/Südtirol;Autonome Provinz Bozen
    AO Aosta;Aosta/Aoste;Aoste;Valle d'Aosta;Vallée d’Aoste;Valle d'Aosta/Vallée d'Aoste;Val d Aosta
    TN Trento;Trient;Trente;Provincia autonoma di Trento;Trento/Trient
    MI mi;IT-MI;it-mi;(MI);Milano;MILANO;Milano (MI);MI - Milano;Città metropolitana di Milano;Citta' Metropolitana di Milano;Provincia di Milano;Prov. di Milano;Mailand;Milan
    AG Libero consorzio comunale di Agrigento;Agrigento
    TS Trst;Trieste/Trst;Triest
    GO Gorica;Gorizia/Gorica
    UD Udine/Videm/Udin
    RM Roma;ROMA;Roma Capitale;Città metropolitana di Roma Capitale;Rom
    AQ L'Aquila;L’Aquila;Aquila;Provincia dell'Aquila
    RE Reggio Emilia;Reggio nell'Emilia;RE
    RC Reggio Calabria;Reggio di Calabria;Città metropolitana di Reggio Calabria;R.C.
    FC FO;Forlì;Forlì-Cesena;Forli' - Cesena;Forli Cesena
    PU PS;Pesaro e Urbino;Pesaro
    MS Massa-Carrara;Massa Carrara;Massa
    MB Monza e della Brianza;Monza e Brianza;Monza Brianza;Provincia di Monza e della Brianza
    BT BAT;Barletta-Andria-Trani;Barletta - Andria - Trani
    VB VCO;Verbano-Cusio-Ossola;Verbania
    SP La Spezia;Spezia;Provincia della Spezia
  `
        .trim()
        .split('\n')
        .map(row => row.trim().replace(/, /g, ' '))
        .join(','),
    ).map(([province, ...words]) => [province, words.join(' ').split(';')] as const),
  )('%s include %j', async (province, names) => {
    const [cap = ''] =
      rowsOf(CAPS)
        .find(([one]) => one === province)
        ?.slice(1) ?? [];
    for (const name of names) {
      expect([name, (await onlyItem(to(cap, name))).basePrice]).toEqual([name, price(province)]);
    }
  });

  test.each(['Milnao', 'ZZ', 'Lombardia', 'Reggio', 'Bolzano/Milano', 'IT'])('do not include %s', async name => {
    const answer = await to('20121', name);
    expect(wrongFields(answer)).toEqual([['/destination/province', 'unknown_province']]);
    expect(answer.body.errors[0].message).toContain('must be an Italian province');
  });

  test('make a warehouse in Bozen ship within its province', async () => {
    const local = { code: 'locale', name: 'Locale', to: { sameProvince: true }, bands: [{ upToKg: 100, price: 3 }] };
    const rest = { code: 'italia', name: 'Italia', to: { countries: ['IT'] }, bands: [{ upToKg: 100, price: 9 }] };
    const tyrol = await newMerchant(currentTariff({ zones: [local, rest] }));
    const warehouseId = await createWarehouse(tyrol.caller, {
      postalCode: '39100',
      city: 'Bozen',
      state: 'Bolzano/Bozen',
    });
    const destination = { postalCode: '39012', city: 'Meran', province: 'Südtirol' };
    expect(await onlyItem(tyrol.quote({ warehouseId, destination }))).toMatchObject({ basePrice: 3 });
  });
});
