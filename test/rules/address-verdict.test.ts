import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addressCheckInput, askedAddress } from '../../src/domain/exchange/addresses/address-check.input.ts';
import {
  type AddressCheckCode,
  judge,
  OUTCOMES,
  resultOf,
  skippedBefore,
} from '../../src/domain/exchange/addresses/address-verdict.rules.ts';
import type { AddressFinding, AskedAddress, KnownAddress } from '../../src/domain/shipping/carriers/carrier.port.ts';
import { CARRIERS, carrierOf } from '../../src/domain/shipping/carriers/carriers.catalog.ts';
import { checkInput } from '../../src/platform/input.ts';

const ASKED: AskedAddress = {
  address: 'V.le Monza 5',
  city: 'Milano',
  zip: '20125',
  provincia: 'MI',
  country: 'IT',
  origin: { country: 'IT', zip: null, city: null },
};
const SAME: KnownAddress = {
  streetLine1: 'VIALE MONZA',
  streetLine2: null,
  city: 'MILANO',
  zip: '20125',
  province: 'MI',
  country: 'IT',
  transitTimeHours: 24,
};
const OTHER: KnownAddress = { ...SAME, streetLine1: 'VIA MONZA' };
const NOTHING: KnownAddress = {
  streetLine1: null,
  streetLine2: null,
  city: null,
  zip: null,
  province: null,
  country: 'IT',
  transitTimeHours: null,
};
const candidates = (...addresses: KnownAddress[]): AddressFinding => ({ kind: 'candidates', addresses });
const corrected = (...addresses: KnownAddress[]): AddressFinding => ({ kind: 'corrected', addresses });
const NO_STREET: KnownAddress = { ...SAME, streetLine1: null };
const NO_STREET_NO_TIME: KnownAddress = { ...NO_STREET, transitTimeHours: null };
const ASKED_STREET: KnownAddress = { ...SAME, streetLine1: ASKED.address };
const ELSEWHERE: KnownAddress = { ...NO_STREET_NO_TIME, zip: '20126' };
const PLACE_TWICE: KnownAddress = { ...NO_STREET, streetLine2: 'MILANO' };

/** The messages of carriers without a registry of streets. */
const COMPARED: Readonly<Record<string, string>> = {
  BRT: 'Verificato da BRT: CAP, città e provincia. Non verificati: via e numero civico.',
  DHL: 'Verificato da DHL Express: CAP e città. Non verificati: via e numero civico.',
  UPS: 'Verificato da UPS: CAP e città. Non verificati: via e numero civico.',
};

const MESSAGES: [AddressCheckCode, status: string, message: string][] = [
  ['ADDRESS_VALID', 'success', 'Indirizzo verificato correttamente da GLS Italy.'],
  ['ADDRESS_NORMALIZED', 'warning', "GLS Italy suggerisce una correzione dell'indirizzo."],
  ['ADDRESS_NOT_FOUND', 'warning', 'Indirizzo non trovato da GLS Italy.'],
  ['ADDRESS_INVALID', 'error', 'Indirizzo non valido secondo GLS Italy.'],
  ['VERIFICATION_SKIPPED_FOREIGN', 'skipped', 'Verifica non eseguita: GLS Italy verifica solo indirizzi italiani.'],
  ['VERIFICATION_SKIPPED_UNSUPPORTED', 'unsupported', 'GLS Italy non offre la verifica degli indirizzi.'],
  ['VERIFICATION_ERROR', 'error', 'Errore durante la verifica con GLS Italy.'],
  ['CARRIER_UNAVAILABLE', 'skipped', 'GLS Italy non è al momento raggiungibile: verifica non eseguita.'],
];

describe('A result', () => {
  test.each(MESSAGES)('with the code %s is %s: %s', (code, status, message) => {
    expect(resultOf(carrierOf('GLS'), code)).toEqual({
      status,
      code,
      message,
      carrierCode: 'GLS',
      carrierName: 'GLS Italy',
      verificationType: 'street_registry',
      countryScope: 'domestic_it',
      suggestions: [],
    });
  });

  test('has no other codes', () => {
    expect(Object.keys(OUTCOMES)).toEqual(MESSAGES.map(([code]) => code));
  });
});

describe('The check before a carrier is asked', () => {
  test.each<[carrier: string, country: string, code: AddressCheckCode | null]>([
    ['POSTE', 'IT', 'VERIFICATION_SKIPPED_UNSUPPORTED'],
    ['SDA', 'DE', 'VERIFICATION_SKIPPED_UNSUPPORTED'],
    ['INPOST', 'IT', 'VERIFICATION_SKIPPED_UNSUPPORTED'],
    ['GLS', 'IT', null],
    ['GLS', 'DE', 'VERIFICATION_SKIPPED_FOREIGN'],
    ['BRT', 'IT', null],
    ['BRT', 'SM', 'VERIFICATION_SKIPPED_FOREIGN'],
    ['BRT', 'VA', 'VERIFICATION_SKIPPED_FOREIGN'],
    ['DHL', 'IT', null],
    ['DHL', 'DE', null],
    ['UPS', 'SM', null],
    ['FEDEX', 'US', null],
  ])('by %s in %s gives the code %s', (carrier, country, code) => {
    expect(skippedBefore(carrierOf(carrier), country)).toBe(code);
  });
});

describe('A finding', () => {
  test.each<[what: string, carrier: string, AddressFinding, AddressCheckCode, KnownAddress[]]>([
    ['confirmed', 'BRT', { kind: 'confirmed', address: SAME }, 'ADDRESS_VALID', [SAME]],
    ['confirmed as another', 'UPS', { kind: 'confirmed', address: OTHER }, 'ADDRESS_VALID', [OTHER]],
    ['confirmed without a word', 'BRT', { kind: 'confirmed', address: NOTHING }, 'ADDRESS_VALID', []],
    ['confirmed by its place', 'BRT', { kind: 'confirmed', address: NO_STREET_NO_TIME }, 'ADDRESS_VALID', []],
    [
      'confirmed with a transit time',
      'UPS',
      { kind: 'confirmed', address: NO_STREET },
      'ADDRESS_VALID',
      [ASKED_STREET],
    ],
    [
      'confirmed with a transit time alone',
      'UPS',
      { kind: 'confirmed', address: { ...NO_STREET, province: null } },
      'ADDRESS_VALID',
      [ASKED_STREET],
    ],
    ['the same street', 'GLS', candidates(SAME), 'ADDRESS_VALID', [SAME]],
    ['the same street twice', 'GLS', candidates(SAME, { ...SAME }), 'ADDRESS_VALID', [SAME]],
    ['the same street and nothing', 'GLS', candidates(NOTHING, SAME), 'ADDRESS_VALID', [SAME]],
    ['another street', 'GLS', candidates(OTHER), 'ADDRESS_NORMALIZED', [OTHER]],
    ['the same street and another', 'GLS', candidates(SAME, OTHER), 'ADDRESS_NORMALIZED', [SAME, OTHER]],
    [
      'the same street in two ways',
      'GLS',
      candidates(SAME, { ...SAME, transitTimeHours: 48 }),
      'ADDRESS_NORMALIZED',
      [SAME, { ...SAME, transitTimeHours: 48 }],
    ],
    ['the same place among others', 'DHL', candidates(OTHER, SAME, OTHER), 'ADDRESS_VALID', [SAME]],
    ['other places, one twice', 'FEDEX', candidates(OTHER, OTHER), 'ADDRESS_NORMALIZED', [OTHER]],
    ['the same place', 'UPS', candidates(SAME), 'ADDRESS_VALID', [SAME]],
    ['another place', 'BRT', candidates(OTHER), 'ADDRESS_NORMALIZED', [OTHER]],
    ['a place without its street', 'DHL', candidates(NO_STREET_NO_TIME), 'ADDRESS_VALID', []],
    [
      'another place without a street',
      'DHL',
      candidates(ELSEWHERE),
      'ADDRESS_NORMALIZED',
      [{ ...ELSEWHERE, streetLine1: ASKED.address }],
    ],
    [
      'another postal code alone',
      'FEDEX',
      candidates({ ...NOTHING, zip: '00187' }),
      'ADDRESS_NORMALIZED',
      [{ ...NOTHING, streetLine1: ASKED.address, city: ASKED.city, zip: '00187' }],
    ],
    [
      'another city alone',
      'BRT',
      corrected({ ...NOTHING, city: 'MILANO 2' }),
      'ADDRESS_NORMALIZED',
      [{ ...NOTHING, streetLine1: ASKED.address, city: 'MILANO 2', zip: ASKED.zip }],
    ],
    [
      'two places that are one with the street',
      'DHL',
      candidates(ELSEWHERE, { ...ELSEWHERE, streetLine1: ASKED.address }),
      'ADDRESS_NORMALIZED',
      [{ ...ELSEWHERE, streetLine1: ASKED.address }],
    ],
    ['a place whose street is not registered', 'GLS', candidates(NO_STREET), 'ADDRESS_NORMALIZED', [NO_STREET]],
    ['a place told twice, without its street', 'GLS', candidates(PLACE_TWICE), 'ADDRESS_NORMALIZED', [PLACE_TWICE]],
    ['corrected', 'UPS', corrected(OTHER), 'ADDRESS_NORMALIZED', [OTHER]],
    ['corrected into the same', 'BRT', corrected(SAME), 'ADDRESS_NORMALIZED', [SAME]],
    ['corrected into several, one twice', 'UPS', corrected(SAME, OTHER, SAME), 'ADDRESS_NORMALIZED', [SAME, OTHER]],
    ['corrected into nothing', 'BRT', corrected(NOTHING), 'ADDRESS_NOT_FOUND', []],
    ['no candidates', 'GLS', candidates(), 'ADDRESS_NOT_FOUND', []],
    ['candidates that say nothing', 'DHL', candidates(NOTHING), 'ADDRESS_NOT_FOUND', []],
    ['not found', 'DHL', { kind: 'not_found' }, 'ADDRESS_NOT_FOUND', []],
    ['invalid', 'BRT', { kind: 'invalid' }, 'ADDRESS_INVALID', []],
    ['refused', 'GLS', { kind: 'refused' }, 'VERIFICATION_ERROR', []],
    ['unreadable', 'UPS', { kind: 'unreadable' }, 'VERIFICATION_ERROR', []],
    ['unavailable', 'FEDEX', { kind: 'unavailable', retryAfterMs: 1000 }, 'CARRIER_UNAVAILABLE', []],
  ])('of the kind "%s" is judged by %s', (_, carrier, finding, code, suggestions) => {
    const result = judge(carrierOf(carrier), ASKED, finding);
    const { message, ...rest } = resultOf(carrierOf(carrier), code, suggestions);
    const compared = code === 'ADDRESS_VALID' ? COMPARED[carrier] : undefined;
    expect(result).toEqual({ ...rest, message: compared ?? message });
  });

  test.each<[country: string, message: string]>([
    ['IT', 'Verificato da FedEx: CAP. Non verificati: città, via e numero civico.'],
    ['DE', 'Verificato da FedEx: codice postale. Non verificati: città, via e numero civico.'],
  ])('is explained by what was compared in %s', (country, message) => {
    const asked = { ...ASKED, country };
    expect(judge(carrierOf('FEDEX'), asked, { kind: 'confirmed', address: NOTHING }).message).toBe(message);
  });

  const GENERIC: KnownAddress = { ...SAME, zip: '20100' };
  test.each<[what: string, carrier: string, zip: string, AddressFinding, AddressCheckCode, zips: string[]]>([
    [
      'of several streets',
      'GLS',
      '20125',
      candidates(GENERIC, { ...OTHER, zip: '20100' }),
      'ADDRESS_NORMALIZED',
      ['20125', '20125'],
    ],
    ['of the asked street', 'GLS', '20125', candidates(GENERIC), 'ADDRESS_VALID', ['20125']],
    [
      'of a town without its street',
      'GLS',
      '20125',
      candidates({ ...NO_STREET, zip: '20100' }),
      'ADDRESS_NORMALIZED',
      ['20125'],
    ],
    ['as a correction', 'BRT', '20125', corrected({ ...NO_STREET_NO_TIME, zip: '20100' }), 'ADDRESS_VALID', []],
    [
      'with a transit time',
      'UPS',
      '20125',
      { kind: 'confirmed', address: { ...NO_STREET, zip: '20100' } },
      'ADDRESS_VALID',
      ['20125'],
    ],
    ['in the place of a CAP of another city', 'GLS', '24121', candidates(GENERIC), 'ADDRESS_NORMALIZED', ['20100']],
    ['in the place of no CAP of a street', 'GLS', '20199', candidates(GENERIC), 'ADDRESS_NORMALIZED', ['20100']],
    [
      'of a town with one CAP',
      'GLS',
      '27121',
      candidates({ ...SAME, city: 'PAVIA', zip: '27100' }),
      'ADDRESS_NORMALIZED',
      ['27100'],
    ],
  ])('is returned with the generic CAP %s, by %s for %s', (_, carrier, zip, finding, code, zips) => {
    const result = judge(carrierOf(carrier), { ...ASKED, zip }, finding);
    expect([result.code, result.suggestions.map(suggestion => suggestion.zip)]).toEqual([code, zips]);
  });

  test.each<[city: string, provincia: string, zip: string, code: AddressCheckCode]>([
    ['Palermo', 'PA', '90139', 'ADDRESS_VALID'],
    ['Palermo', 'PA', '20121', 'ADDRESS_NOT_FOUND'],
    ['PALERMO', 'MI', '20121', 'ADDRESS_NOT_FOUND'],
    ['Palermo (PA)', 'PA', '90046', 'ADDRESS_NOT_FOUND'],
    ['Palermo', 'PA', '90100', 'ADDRESS_VALID'],
    ['Reggio Emilia', 'RE', '42121', 'ADDRESS_VALID'],
    ['Reggio Emilia', 'RE', '89121', 'ADDRESS_NOT_FOUND'],
    ['Bagheria', 'PA', '90011', 'ADDRESS_VALID'],
    ['Bagheria', 'PA', '20121', 'ADDRESS_NOT_FOUND'],
    ['Pavia', 'MI', '20121', 'ADDRESS_NOT_FOUND'],
    ['Mestre', 'VE', '30172', 'ADDRESS_VALID'],
    ['Bolzano/Bozen', 'BZ', '39100', 'ADDRESS_VALID'],
    ['Monza', 'MB', '20900', 'ADDRESS_VALID'],
    ['Sappada', 'UD', '33012', 'ADDRESS_VALID'],
    ['Olbia', 'SS', '07026', 'ADDRESS_VALID'],
    ['Olbia', 'OT', '07026', 'ADDRESS_VALID'],
    ['Nowhere', 'XQ', '20121', 'ADDRESS_VALID'],
  ])(
    'by FedEx, which compares no city, is judged by the table of CAPs: %s (%s), %s is %s',
    (city, provincia, zip, code) => {
      const asked = { ...ASKED, city, provincia, zip };
      expect(judge(carrierOf('FEDEX'), asked, { kind: 'confirmed', address: { ...NOTHING, zip } }).code).toBe(code);
      // The others have compared it.
      expect(judge(carrierOf('DHL'), asked, { kind: 'confirmed', address: NOTHING }).code).toBe('ADDRESS_VALID');
    },
  );

  test('suggests at most the first twenty', () => {
    const many = Array.from({ length: 25 }, (_, i) => ({ ...OTHER, streetLine1: `VIA MONZA ${i}` }));
    const { code, suggestions } = judge(carrierOf('GLS'), ASKED, candidates(...many));
    expect({ code, suggestions }).toEqual({ code: 'ADDRESS_NORMALIZED', suggestions: many.slice(0, 20) });
    expect(judge(carrierOf('UPS'), ASKED, corrected(...many)).suggestions).toEqual(many.slice(0, 20));
  });

  test('is valid for a postal database even if the place comes after the twentieth', () => {
    const many = Array.from({ length: 25 }, (_, i) => ({ ...SAME, city: `MILANO ${i}` }));
    expect(judge(carrierOf('DHL'), ASKED, candidates(...many, SAME)).suggestions).toEqual([SAME]);
  });

  test('has the seven fields in their order and nothing else', () => {
    const address = {
      distance: 3,
      ...Object.fromEntries(Object.entries(SAME).toReversed()),
    } as unknown as KnownAddress;
    for (const finding of [{ kind: 'confirmed', address } as const, candidates(address)]) {
      const [suggestion = {}] = judge(carrierOf('GLS'), ASKED, finding).suggestions;
      expect(Object.keys(suggestion)).toEqual(Object.keys(SAME));
    }
  });

  test('has at most one suggestion if valid, some if normalized, and none otherwise; never one that loses the street', () => {
    const text = fc.option(fc.constantFrom('VIALE MONZA', 'VIA MONZA', 'MILANO', '20125', 'MI'), { nil: null });
    const address = fc.record({
      streetLine1: text,
      streetLine2: text,
      city: text,
      zip: text,
      province: text,
      country: fc.constantFrom('IT', 'SM', null),
      transitTimeHours: fc.constantFrom(24, null),
    });
    const finding = fc.oneof(
      fc.record({ kind: fc.constant('confirmed' as const), address }),
      fc.record({
        kind: fc.constantFrom('candidates' as const, 'corrected' as const),
        addresses: fc.array(address, { maxLength: 30 }),
      }),
      fc.constantFrom('not_found', 'invalid', 'refused', 'unreadable', 'unavailable').map(kind => ({ kind }) as const),
    );
    fc.assert(
      fc.property(fc.constantFrom(...CARRIERS), finding, ({ code: carrier }, found) => {
        const { code, suggestions, verificationType } = judge(carrierOf(carrier), ASKED, found);
        const [least, most] = code === 'ADDRESS_VALID' ? [0, 1] : code === 'ADDRESS_NORMALIZED' ? [1, 20] : [0, 0];
        const keepStreet =
          verificationType === 'street_registry' || suggestions.every(({ streetLine1 }) => streetLine1 !== null);
        return keepStreet && suggestions.length >= least && suggestions.length <= most;
      }),
    );
  });
});

function checked(input: Record<string, unknown>) {
  const whole = {
    carrierConnectionId: 1,
    address: 'Via Roma 1',
    city: 'Milano',
    zip: '20121',
    provincia: 'MI',
    ...input,
  };
  const read = addressCheckInput.safeParse(whole);
  const issues = checkInput(addressCheckInput, whole).issues.map(({ path, code }) => `/${path.join('/')} ${code}`);
  return { ...(read.success && { address: askedAddress(read.data) }), issues };
}

describe('The address to check', () => {
  test('is trimmed, and is in Italy if no country is given', () => {
    const sent = { address: ' Via Roma 1 ', city: ' Milano ', zip: ' 20121 ', provincia: ' mi ' };
    const address = { address: 'Via Roma 1', city: 'Milano', zip: '20121', provincia: 'MI', country: 'IT' };
    expect(checked(sent)).toEqual({ address, issues: [] });
    expect(checked({ ...sent, country: null })).toEqual({ address, issues: [] });
  });

  test.each<[Record<string, unknown>, provincia: string | null, country: string]>([
    [{ provincia: 'Milano' }, 'MI', 'IT'],
    [{ provincia: "Reggio nell'Emilia", country: 'it' }, 'RE', 'IT'],
    [{ provincia: 'forlì-cesena' }, 'FC', 'IT'],
    [{ provincia: 'xx' }, 'XX', 'IT'],
    [{ provincia: 'milano', country: 'de' }, 'MILANO', 'DE'],
    [{ provincia: null, country: 'SM' }, null, 'SM'],
    [{ provincia: ' ', country: 'VA' }, null, 'VA'],
    [{ zip: 'no zip', country: 'IT' }, 'MI', 'IT'],
  ])('is completed: %j has the province %s and the country %s', (input, provincia, country) => {
    const { address, issues } = checked(input);
    expect(issues).toEqual([]);
    expect(address).toMatchObject({ provincia, country });
  });

  test.each<[Record<string, unknown>, issue: string]>([
    [{ address: ' ' }, '/address required'],
    [{ address: 'x'.repeat(201) }, '/address too_long'],
    [{ city: null }, '/city required'],
    [{ city: 'Mila\u0000no' }, '/city invalid_text'],
    [{ zip: '' }, '/zip required'],
    [{ zip: '1'.repeat(21) }, '/zip too_long'],
    [{ provincia: undefined }, '/provincia required'],
    [{ provincia: null }, '/provincia required'],
    [{ provincia: ' ', country: 'IT' }, '/provincia required'],
    [{ provincia: 'x'.repeat(201), country: 'DE' }, '/provincia too_long'],
    [{ country: 'Italia' }, '/country unknown_country'],
    [{ country: 'XX', provincia: null }, '/country unknown_country'],
    [{ country: '' }, '/country unknown_country'],
  ])('is rejected: %j has the error %s', (input, issue) => {
    expect(checked(input).issues).toEqual([issue]);
  });
});
