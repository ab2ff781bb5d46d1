// Address checks at carriers of the sandbox, and what they result in.

import { beforeAll } from 'vitest';
import { brt } from '../../src/sandbox/brt-stand-in.ts';
import { dhl } from '../../src/sandbox/dhl-stand-in.ts';
import { fedex } from '../../src/sandbox/fedex-stand-in.ts';
import { gls } from '../../src/sandbox/gls-stand-in.ts';
import type { SandboxCarrier } from '../../src/sandbox/stand-in.ts';
import { ups } from '../../src/sandbox/ups-stand-in.ts';
import { ASKED, type Asked, askedAt, connectSandbox, useSandbox } from '../support/carriers.ts';
import { resultOf } from '../support/graphql-client.ts';
import type { Answer } from '../support/rest-client.ts';
import { type Caller, useWorld } from '../support/world.ts';

/** A postal code at which GLS' registry has one street and no other, however it is asked. */
export const REGISTERED = '90144';

/** One of which it knows the town and no street. */
export const WITHOUT_STREETS = '90145';

/** One that BRT corrects into itself. */
export const CORRECTED = '90146';

/** One at which it is unsure of the street, and has two with the CAP of the town. */
export const GENERIC_CAP = '90147';

const UNSURE = ['VIA LIBERTA', 'VIALE LIBERTA']
  .map(
    street =>
      `<Address><SiglaProvincia>PA</SiglaProvincia><Cap>90100</Cap><Frazione /><Comune>PALERMO</Comune><Indirizzo>${street}</Indirizzo><TempoDiResa>24</TempoDiResa></Address>`,
  )
  .join('');

const brtThatCorrects: SandboxCarrier = {
  prefix: '/brt',
  answer(request) {
    const answer = brt.answer(request);
    if (!request.body.includes(CORRECTED)) return answer;
    return { ...answer, body: answer.body.toString().replace(/"code":0\b/, '"code":4') };
  },
};

/** Valid at every carrier's sandbox, which goes by the last two digits of the postal code. */
export const ADDRESS = {
  address: 'Via della Libertà 12',
  city: 'Palermo',
  zip: '90139',
  provincia: 'PA',
  country: 'IT',
};
export const SLOW = '90195';

/** The part of a result about the carrier, whatever the outcome. */
const CARRIERS: Readonly<Record<string, readonly [name: string, verificationType: string, countryScope: string]>> = {
  GLS: ['GLS Italy', 'street_registry', 'domestic_it'],
  BRT: ['BRT', 'routing', 'domestic_it'],
  DHL: ['DHL Express', 'postal_validation', 'international'],
  UPS: ['UPS', 'transit_time', 'international'],
  FEDEX: ['FedEx', 'postal_validation', 'international'],
  POSTE: ['Poste Italiane', 'none', 'any'],
  SDA: ['SDA', 'none', 'any'],
  INPOST: ['InPost', 'none', 'any'],
};

export const CODES = {
  VALID: ['success', 'ADDRESS_VALID', 'Indirizzo verificato correttamente da {c}.'],
  NORMALIZED: ['warning', 'ADDRESS_NORMALIZED', "{c} suggerisce una correzione dell'indirizzo."],
  NOT_FOUND: ['warning', 'ADDRESS_NOT_FOUND', 'Indirizzo non trovato da {c}.'],
  INVALID: ['error', 'ADDRESS_INVALID', 'Indirizzo non valido secondo {c}.'],
  FOREIGN: ['skipped', 'VERIFICATION_SKIPPED_FOREIGN', 'Verifica non eseguita: {c} verifica solo indirizzi italiani.'],
  UNSUPPORTED: ['unsupported', 'VERIFICATION_SKIPPED_UNSUPPORTED', '{c} non offre la verifica degli indirizzi.'],
  ERROR: ['error', 'VERIFICATION_ERROR', 'Errore durante la verifica con {c}.'],
  UNAVAILABLE: ['skipped', 'CARRIER_UNAVAILABLE', '{c} non è al momento raggiungibile: verifica non eseguita.'],
} as const;

/** The messages of carriers without a registry of streets, which say what they have compared. */
export const COMPARED: Readonly<Record<string, string>> = {
  BRT: 'Verificato da {c}: CAP, città e provincia. Non verificati: via e numero civico.',
  DHL: 'Verificato da {c}: CAP e città. Non verificati: via e numero civico.',
  UPS: 'Verificato da {c}: CAP e città. Non verificati: via e numero civico.',
  FEDEX: 'Verificato da {c}: CAP. Non verificati: città, via e numero civico.',
};

/** The whole body of a result. */
export function result(carrierCode: string, code: keyof typeof CODES, suggestions: readonly object[] = []) {
  const [carrierName = '', verificationType, countryScope] = CARRIERS[carrierCode] ?? [];
  const [status, named, usual] = CODES[code];
  const message = (code === 'VALID' && COMPARED[carrierCode]) || usual;
  return {
    status,
    code: named,
    message: message.replace('{c}', carrierName),
    carrierCode,
    carrierName,
    verificationType,
    countryScope,
    suggestions,
  };
}

export type Row = [
  street: string | null,
  city: string | null,
  zip: string,
  province: string | null,
  hours: number | null,
];

/** A suggestion with all seven fields. */
export function suggestion([streetLine1, city, zip, province, transitTimeHours]: Row, country = 'IT') {
  return { streetLine1, streetLine2: null, city, zip, province, country, transitTimeHours };
}
export const CITY = 'PALERMO';

/** A company with a connection to each carrier of the sandbox. */
export function useAddressChecks() {
  const glsWithStreet: SandboxCarrier = {
    prefix: '/gls',
    answer(request) {
      const answer = gls.answer(request);
      const streets = new Map([
        [REGISTERED, '<Indirizzo>VIALE DELLA LIBERTA&apos; 12/A</Indirizzo>'],
        [WITHOUT_STREETS, '<Indirizzo />'],
      ]);
      const asked = request.query.get('Cap') ?? '';
      if (asked === GENERIC_CAP) {
        const unsure = '<Esito>Indirizzo non identificato. A seguire gli indirizzi</Esito>';
        return { ...answer, body: `<AddressList>${unsure}${UNSURE}</AddressList>` };
      }
      const street = streets.get(asked);
      if (street === undefined) return answer;
      return { ...answer, body: answer.body.toString().replace(/<Indirizzo>.*<\/Indirizzo>/, street) };
    },
  };

  const sandbox = useSandbox({ carriers: [glsWithStreet, brtThatCorrects, dhl, ups, fedex] });
  const world = useWorld(askedAt(sandbox));

  let caller: Caller;
  const connections = {} as Record<Asked, number>;

  function check(carrierCompanyId: unknown, fields: object = {}, by = caller): Promise<Answer> {
    return by.rest('POST', '/addresses/check-address', { ...ADDRESS, carrierCompanyId, ...fields });
  }

  beforeAll(async () => {
    caller = await world.sandbox();
    for (const carrier of ASKED) connections[carrier] = await connectSandbox(caller, carrier);
  });

  async function update(id: number, input: object): Promise<void> {
    const answer = await caller.graphql(
      `mutation ($input: UpdateCarrierConnectionInput!) {
      updateCarrierConnection(input: $input) { carrierConnection { databaseId } userErrors { code pointer message } }
    }`,
      { input: { id, ...input } },
    );
    resultOf(answer);
  }

  return {
    sandbox,
    world,
    get caller() {
      return caller;
    },
    connections,
    check,
    update,
  };
}
