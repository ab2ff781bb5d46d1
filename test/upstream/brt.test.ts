import { beforeAll, describe, expect, test } from 'vitest';
import type { AskedAddress } from '../../src/domain/shipping/carriers/carrier.port.ts';
import type { CarrierRequest } from '../../src/upstream/adapter.ts';
import { brt } from '../../src/upstream/brt.ts';
import { CarrierSchema, type MeshContext } from '../../src/upstream/mesh.ts';

interface Context extends MeshContext {
  readonly answer: unknown;
  readonly sent: CarrierRequest[];
}

let schema: CarrierSchema<Context>;
beforeAll(async () => {
  schema = await CarrierSchema.load<Context>(brt.document, async (url, init, { answer, sent }) => {
    const body = typeof init.body === 'string' ? init.body : null;
    const request = { method: init.method ?? '', url: new URL(url), headers: { 'x-kept': '1' }, body };
    sent.push(
      brt.authorize(request, { userId: '1020100', password: 'p"w', depot: '102', clientCode: '1020100' }, null),
    );
    return Response.json(answer);
  });
});

const ASKED: AskedAddress = {
  address: 'Via Dante, "3"',
  city: 'Forlì',
  zip: '47100',
  provincia: 'FC',
  country: 'IT',
  origin: { country: 'IT', zip: '20121', city: 'Milano' },
};

async function route(answer: unknown, asked = ASKED) {
  const context: Context = { baseUrl: 'https://brt.test', answer, sent: [] };
  const { data, errors } = await schema.run(brt.address.operation, brt.address.variables(asked), context);
  return { finding: brt.address.read(data ?? {}, asked), errors, sent: context.sent };
}

async function track(answer: unknown, number = '088001612345678') {
  const context: Context = { baseUrl: 'https://brt.test', answer, sent: [] };
  const { data, errors } = await schema.run(brt.tracking.operation, brt.tracking.variables([number]), context);
  const findings = brt.tracking.read(data ?? {}, [number]);
  expect(findings).toHaveLength(1);
  return { finding: findings[0], errors, sent: context.sent };
}

const message = (code: unknown) => ({ code, severity: 'X', codeDesc: 'SAID', message: 'something' });

/** As BRT answers: in capitals, all fields there, empty where there is nothing. */
function routing(code: unknown, [zip, city, province]: readonly string[] = ['', '', '']) {
  return {
    routingResponse: {
      currentTimeUTC: '2026-10-25 00:30:00.000',
      arrivalTerminal: '047',
      arrivalDepot: '047',
      deliveryZone: '10',
      consigneeZIPCode: zip,
      consigneeCity: city,
      consigneeProvinceAbbreviation: province,
      executionMessage: message(code),
    },
  };
}

const FORLI = ['47121', 'FORLI', 'FC'] as const;
const ADDRESS = {
  streetLine1: null,
  streetLine2: null,
  city: 'FORLI',
  zip: '47121',
  province: 'FC',
  country: 'IT',
  transitTimeHours: null,
};
const CORRECTED = { kind: 'corrected', addresses: [ADDRESS] };

describe('An address check at BRT', () => {
  test('sends the account in the body', async () => {
    const { sent } = await route(routing(0, FORLI));
    const [{ method, url, headers, body } = { url: null, body: '' }] = sent;
    expect([method, url?.href, headers]).toEqual([
      'PUT',
      'https://brt.test/rest/v1/shipments/routing',
      { 'x-kept': '1' },
    ]);
    expect(JSON.parse(body ?? '')).toEqual({
      account: { userID: '1020100', password: 'p"w' },
      routingData: {
        network: '',
        departureDepot: 102,
        senderCustomerCode: 1020100,
        deliveryFreightTypeCode: 'DAP',
        consigneeCompanyName: 'DESTINATARIO',
        consigneeAddress: 'Via Dante, "3"',
        consigneeZIPCode: '47100',
        consigneeCity: 'Forlì',
        consigneeProvinceAbbreviation: 'FC',
        consigneeCountryAbbreviationISOAlpha2: 'IT',
        numberOfParcels: 1,
        weightKG: 1,
      },
    });
  });

  test('sends an empty province if there is none', async () => {
    const { sent } = await route(routing(0), { ...ASKED, provincia: null });
    expect(sent[0]?.body).toContain('"consigneeProvinceAbbreviation":""');
  });

  test.each([
    [0, FORLI, { kind: 'confirmed', address: ADDRESS }],
    ['0', FORLI, { kind: 'confirmed', address: ADDRESS }],
    [0, undefined, { kind: 'confirmed', address: { ...ADDRESS, city: null, zip: null, province: null } }],
    [4, FORLI, CORRECTED],
    [5, FORLI, CORRECTED],
    [4, ['47121', '', ''], { kind: 'corrected', addresses: [{ ...ADDRESS, city: null, province: null }] }],
    [4, undefined, { kind: 'unreadable' }],
    [-63, undefined, { kind: 'not_found' }],
    [-68, undefined, { kind: 'rejected' }],
    [-5, undefined, { kind: 'rejected' }],
    [-1, undefined, { kind: 'rejected' }],
    [-4, undefined, { kind: 'rejected' }],
    [-69, undefined, { kind: 'rejected' }],
    [6, FORLI, { kind: 'rejected' }],
    [-7, undefined, { kind: 'refused' }],
    [-57, undefined, { kind: 'refused' }],
    [-67, undefined, { kind: 'refused' }],
    [-3, undefined, { kind: 'unavailable' }],
    [-64, FORLI, { kind: 'rejected' }],
    [null, FORLI, { kind: 'unreadable' }],
  ])('reads the code %j with the place %j', async (code, place, finding) => {
    expect(await route(routing(code, place))).toMatchObject({ finding, errors: 0 });
  });

  test.each([
    [-5, 'consigneeZIPCode is not valid', 'invalid'],
    [-68, 'CAP DESTINATARIO ERRATO', 'invalid'],
    [-5, 'departureDepot is mandatory', 'rejected'],
    [-68, 'senderCustomerCode is not valid', 'rejected'],
  ])('blames the address for %i and "%s" only if a field of the address is named', async (code, said, kind) => {
    const { routingResponse } = routing(code);
    const executionMessage = { ...routingResponse.executionMessage, message: said };
    expect((await route({ routingResponse: { ...routingResponse, executionMessage } })).finding).toEqual({ kind });
  });

  test.each([
    [null],
    ['maintenance'],
    [[]],
    [{}],
    [{ routingResponse: null }],
    [{ routingResponse: 'x' }],
    [{ routingResponse: {} }],
    [{ routingResponse: { executionMessage: null } }],
    [{ routingResponse: { executionMessage: [0] } }],
    [routing('OK', FORLI)],
    [routing({ a: 0 }, FORLI)],
    [routing(0.5, FORLI)],
  ])('is unreadable if the response is %j', async answer => {
    expect((await route(answer)).finding).toEqual({ kind: 'unreadable' });
  });

  test('counts values of a wrong type as errors', async () => {
    const { errors } = await route({ routingResponse: { ...routing(0).routingResponse, consigneeCity: { a: 1 } } });
    expect(errors).toBe(1);
  });
});

const EMPTY = { evento: { id: '', data: '', ora: '', descrizione: '', filiale: '' } };

function event(...[data, ora, id, descrizione, filiale = '']: unknown[]) {
  return { evento: { id, data, ora, descrizione, filiale } };
}

function parcel(lista_eventi: unknown, code: unknown = 0, other: object = {}) {
  return {
    ttParcelIdResponse: {
      currentTimeUTC: '',
      esito: code,
      versione: '1.0',
      executionMessage: message(code),
      bolla: { dati_spedizione: { spedizione_id: '088001612345678' }, dati_consegna: {} },
      contatore_eventi: 1,
      lista_eventi,
      ...other,
    },
  };
}

const padded = (...events: unknown[]) => [...events, ...Array(20 - events.length).fill(EMPTY)];

/** The events of a list, each as time, code and text. */
async function events(list: unknown, code: unknown = 0) {
  const { finding } = await track(parcel(list, code));
  if (finding?.kind !== 'events') throw new Error(`no events but ${finding?.kind}`);
  return finding.events.map(({ timestamp, carrierStatusCode, description }) => [
    timestamp,
    carrierStatusCode,
    description,
  ]);
}

describe('Tracking at BRT', () => {
  test.each([
    ['088001612345678', '088001612345678'],
    ['SIMUL1', 'SIMUL1'],
    ['A/B?C#D%2e', 'A%2FB%3FC%23D%252e'],
    ['à{context.baseUrl}', '%C3%A0%7BcontextbaseUrl%7D'],
    ['..', ''],
    ['../routing', '%2Frouting'],
  ])('asks by number, %s as %s, with the account in the headers', async (number, asked) => {
    const { sent } = await track(parcel([]), number);
    expect(sent[0]).toMatchObject({
      method: 'GET',
      headers: { 'x-kept': '1', userID: '1020100', password: 'p"w' },
      body: null,
    });
    expect(sent[0]?.url.href).toBe(`https://brt.test/rest/v1/tracking/parcelID/${asked}`);
  });

  test('returns events from the oldest to the newest, without empty ones', async () => {
    const answer = parcel(
      padded(
        event('24.10.2026', '11.02', '704', 'CONSEGNATA', 'FORLI (047)'),
        event('24.10.2026', '07.15', '703', 'IN CONSEGNA', 'FORLI (047)'),
        event('23.10.2026', '19.40', 'G00', 'DATI SPEDIZ. TRASMESSI A BRT', ''),
      ),
    );
    const { finding, errors } = await track(answer);
    expect(errors).toBe(0);
    expect(finding).toEqual({
      kind: 'events',
      events: [
        {
          timestamp: '2026-10-23T19:40:00+02:00',
          carrierStatusCode: 'G00',
          description: 'DATI SPEDIZ. TRASMESSI A BRT',
          location: null,
          note: null,
        },
        {
          timestamp: '2026-10-24T07:15:00+02:00',
          carrierStatusCode: '703',
          description: 'IN CONSEGNA',
          location: 'FORLI (047)',
          note: null,
        },
        {
          timestamp: '2026-10-24T11:02:00+02:00',
          carrierStatusCode: '704',
          description: 'CONSEGNATA',
          location: 'FORLI (047)',
          note: null,
        },
      ],
      related: [],
      estimate: null,
    });
  });

  test.each([
    ['a day', '25.11.2026', '', '2026-11-25T23:59:59+01:00'],
    ['a window', '25.06.2026', '18.00', '2026-06-25T18:00:00+02:00'],
    ['nothing', '', '', null],
    ['no date', '00.00.0000', '', '00.00.0000'],
  ])('reads an estimate that is %s', async (_, data_teorica_consegna, ora_teorica_consegna_a, estimate) => {
    const dati_consegna = { data_teorica_consegna, ora_teorica_consegna_da: '', ora_teorica_consegna_a };
    const { finding } = await track(parcel(padded(), 0, { bolla: { dati_consegna } }));
    expect(finding).toMatchObject({ kind: 'events', estimate });
  });

  test('orders events through the hour that occurs twice', async () => {
    const times = ['03.05', '02.20', '02.50', '02.10', '01.30'].map(time =>
      event('25.10.2026', time, '701', 'PARTITA'),
    );
    expect((await events(padded(...times))).map(([timestamp]) => timestamp)).toEqual([
      '2026-10-25T01:30:00+02:00',
      '2026-10-25T02:10:00+02:00',
      '2026-10-25T02:50:00+02:00',
      '2026-10-25T02:20:00+01:00',
      '2026-10-25T03:05:00+01:00',
    ]);
  });

  const GOOD = event('01.09.2026', '08.05', '701', 'PARTITA');
  const TOLD = ['2026-09-01T08:05:00+02:00', '701', 'PARTITA'];
  test.each([
    [
      'an event without a text',
      [event('01.09.2026', '08.05', '701', '')],
      [['2026-09-01T08:05:00+02:00', '701', null]],
    ],
    ['an event without a code', [event('01.09.2026', '08.05', null, 'X')], [['2026-09-01T08:05:00+02:00', null, 'X']]],
    ['a code that is a number', [event('01.09.2026', '08.05', 701, 'PARTITA')], [TOLD]],
    ['an event without a time', [event('', '', '701', 'X'), GOOD], [TOLD, ['', '701', 'X']]],
    ['an event without the hour', [event('01.09.2026', '', '701', 'X'), GOOD], [TOLD, ['01.09.2026', '701', 'X']]],
    ['no event that is only a time', [event('01.09.2026', '08.05', ' ', null), GOOD], [TOLD]],
    ['nothing of an empty list', [], []],
    ['nothing of empty events', [EMPTY, EMPTY], []],
    ['nothing of no events', [null, {}, { evento: null }, { evento: {} }], []],
    [
      'a time that is none among others',
      padded(event('02.09.2026', '08.05', '703', 'IN CONSEGNA'), event('31.02.2026', '10.00', '702', 'ARRIVATA'), GOOD),
      [TOLD, ['31.02.2026 10.00', '702', 'ARRIVATA'], ['2026-09-02T08:05:00+02:00', '703', 'IN CONSEGNA']],
    ],
    [
      'what is left of an event of wrong types',
      [event('02.09.2026', '08.05', '703', ['IN CONSEGNA']), event({ a: 1 }, '08.05', '702', 'ARRIVATA'), 'x', 7, GOOD],
      [TOLD, ['08.05', '702', 'ARRIVATA'], ['2026-09-02T08:05:00+02:00', '703', null]],
    ],
  ])('returns %s', async (_, list, expected) => {
    expect(await events(list)).toEqual(expected);
  });

  test('returns events even if the status reports a problem', async () => {
    expect(await events([GOOD], 4)).toEqual([TOLD]);
    expect(await events([GOOD], -30)).toEqual([TOLD]);
  });

  test.each([
    ['unknown', parcel(padded(), -11), 'not_found'],
    ['unknown, told as a text', parcel(padded(), '-11'), 'not_found'],
    ['unknown, with an event of another', parcel([GOOD], -11), 'not_found'],
    ['unknown, told by esito alone', parcel(null, -11, { executionMessage: null }), 'not_found'],
    ['not the only one', parcel(padded(), -22), 'not_found'],
    ['without a list', parcel(null, -30), 'not_found'],
    ['of another account', parcel([], -7), 'refused'],
    ['of an account that is none', parcel([], -57), 'refused'],
    ['of a user that is none', parcel([], -67), 'refused'],
    ['of a request that is none', parcel([], -1), 'rejected'],
    ['of a database that rests', parcel([], -3), 'unavailable'],
    ['without a list that should have one', parcel(null), 'unreadable'],
    ['with a list that is none', parcel('x'), 'unreadable'],
    ['without a code', parcel([GOOD], null), 'unreadable'],
    ['with a code that is none', parcel([GOOD], 'OK'), 'unreadable'],
    ['null', null, 'unreadable'],
    ['a text', 'maintenance', 'unreadable'],
    ['nothing', {}, 'unreadable'],
    ['null within', { ttParcelIdResponse: null }, 'unreadable'],
    ['a list', { ttParcelIdResponse: [] }, 'unreadable'],
  ])('returns no events for a response that is %s', async (_, answer, kind) => {
    expect((await track(answer)).finding).toEqual({ kind });
  });

  test.each([[{}], [{ trackParcel: null }], [{ trackParcel: { ttParcelIdResponse: null } }]])(
    'is unreadable if the data are %j',
    data => {
      expect(brt.tracking.read(data, ['1'])).toEqual([{ kind: 'unreadable' }]);
    },
  );
});
