import { beforeAll, describe, expect, test } from 'vitest';
import type { AskedAddress, KnownAddress } from '../../src/domain/shipping/carriers/carrier.port.ts';
import type { CarrierRequest } from '../../src/upstream/adapter.ts';
import { gls } from '../../src/upstream/gls.ts';
import { CarrierSchema, type MeshContext } from '../../src/upstream/mesh.ts';

interface Context extends MeshContext {
  readonly answer: Buffer;
  readonly sent: CarrierRequest[];
}

let schema: CarrierSchema<Context>;
beforeAll(async () => {
  schema = await CarrierSchema.load<Context>(gls.document, async (url, init, { answer, sent }) => {
    const request = { method: init.method ?? '', url: new URL(url), headers: {}, body: null };
    sent.push(
      gls.authorize(request, { depot: 'SA', clientCode: '4665', contractCode: '1234', password: 'a&b=c' }, null),
    );
    return Response.json(gls.json?.(answer, request));
  });
});

const ASKED: AskedAddress = {
  address: 'Via Dante, 3/A',
  city: 'Forlì',
  zip: '47121',
  provincia: 'FC',
  country: 'IT',
  origin: { country: 'IT', zip: '20121', city: 'Milano' },
};

/** Asks with an XML document of GLS' as the answer. */
async function check(xml: string, asked = ASKED) {
  const context = { baseUrl: 'https://gls.test', answer: Buffer.from(xml), sent: [] };
  const { data, errors } = await schema.run(gls.address.operation, gls.address.variables(asked), context);
  return { finding: data && gls.address.read(data, asked), errors, sent: context.sent };
}

async function track(content: string, number = 'SA662402545') {
  const xml = `<?xml version="1.0" encoding="ISO-8859-1"?><ELENCO>${content}</ELENCO>`;
  const context = { baseUrl: 'https://gls.test', answer: Buffer.from(xml, 'latin1'), sent: [] };
  const { data, errors } = await schema.run(gls.tracking.operation, gls.tracking.variables([number]), context);
  const findings = data && gls.tracking.read(data, [number]);
  expect(findings).toHaveLength(1);
  return { finding: findings?.[0], errors, sent: context.sent as CarrierRequest[] };
}

function outcome(esito: string, ...addresses: string[]): string {
  return `<?xml version="1.0" encoding="utf-8"?>
<OutcomeCheckAddress xmlns="https://checkaddress.gls-italy.com/"><Esito>${esito}</Esito>
<AddressList>${addresses.map(address => `<Address>${address}</Address>`).join('\n')}</AddressList></OutcomeCheckAddress>`;
}

const DANTE = `<SiglaProvincia>FC</SiglaProvincia><Cap>47121</Cap><Frazione /><Comune>FORLI'</Comune>
<Indirizzo>VIA DANTE ALIGHIERI</Indirizzo><TempoDiResa>24</TempoDiResa><LocalitaDisagiata>N</LocalitaDisagiata><ZTL>S</ZTL>`;
const RONCO = `<SiglaProvincia>FC</SiglaProvincia><Cap>47122</Cap><Frazione>RONCO</Frazione><Comune>FORLI'</Comune>
<Indirizzo>VIA DANTE</Indirizzo><TempoDiResa>48</TempoDiResa>`;

const ALIGHIERI: KnownAddress = {
  streetLine1: 'VIA DANTE ALIGHIERI',
  streetLine2: null,
  city: "FORLI'",
  zip: '47121',
  province: 'FC',
  country: 'IT',
  transitTimeHours: 24,
};

const candidates = (...addresses: KnownAddress[]) => ({ kind: 'candidates', addresses });

describe('An address check at GLS', () => {
  test('sends the account in the query', async () => {
    const { sent } = await check(outcome('', DANTE), { ...ASKED, address: 'Via R&S #3', provincia: null });
    const [{ method, url, body } = { url: null }] = sent as CarrierRequest[];
    expect([method, url?.pathname, body]).toEqual(['GET', '/wscheckaddress.asmx/CheckAddress', null]);
    expect(Object.fromEntries(url?.searchParams ?? [])).toEqual({
      SedeGls: 'SA',
      CodiceClienteGls: '4665',
      PasswordClienteGls: 'a&b=c',
      SiglaProvincia: '',
      Cap: '47121',
      Localita: 'Forlì',
      Indirizzo: 'Via R&S #3',
    });
  });

  const lower = `<SiglaProvincia>FC</SiglaProvincia><Cap>47121</Cap><Comune>Forlì</Comune><Indirizzo>Via Dante, 3/A</Indirizzo>`;
  test.each([
    [
      'one equal address',
      outcome('Destinazione corretta', lower),
      candidates({ ...ALIGHIERI, streetLine1: 'Via Dante, 3/A', city: 'Forlì', transitTimeHours: null }),
    ],
    ['one that is different', outcome('Indirizzo da verificare', DANTE), candidates(ALIGHIERI)],
    [
      'several, one in a hamlet',
      outcome('Indirizzo da verificare', DANTE, RONCO),
      candidates(ALIGHIERI, {
        ...ALIGHIERI,
        streetLine1: 'VIA DANTE',
        streetLine2: 'RONCO',
        zip: '47122',
        transitTimeHours: 48,
      }),
    ],
    ['addresses whatever the outcome says', outcome('Accesso limitato', DANTE), candidates(ALIGHIERI)],
    [
      'addresses without an outcome',
      `<R><AddressList><Address>${DANTE}</Address></AddressList></R>`,
      candidates(ALIGHIERI),
    ],
    ['addresses beside one that says nothing', outcome('', '<Cap/><ZTL>N</ZTL>', DANTE), candidates(ALIGHIERI)],
    [
      'SOAP',
      `<s:Envelope xmlns:s="u"><s:Body>${outcome('', DANTE).slice(39)}</s:Body></s:Envelope>`,
      candidates(ALIGHIERI),
    ],
    ['none', outcome('Indirizzo non trovato'), { kind: 'not_found' }],
    ['none, for its postal code', outcome('Cap non valido'), { kind: 'not_found' }],
    ['none, without a word', outcome(''), { kind: 'not_found' }],
    [
      'none but empty ones',
      outcome('Indirizzo non trovato', '', '<TempoDiResa>24</TempoDiResa>'),
      { kind: 'not_found' },
    ],
    ['no list at all', '<R><Esito>Indirizzo non trovato</Esito></R>', { kind: 'not_found' }],
  ])('finds %s', async (_, xml, finding) => {
    expect(await check(xml)).toMatchObject({ finding, errors: 0 });
  });

  test.each([
    'Credenziali non valide',
    'CREDENZIALI ERRATE',
    'Password errata',
    'Accesso non consentito',
    'Utente non autorizzato',
    'Codice cliente non valido',
    'Cliente inesistente',
    'Sede non valida',
    'Cliente non abilitato al servizio',
  ])('is refused: %s', async esito => {
    expect((await check(outcome(esito))).finding).toEqual({ kind: 'refused' });
    expect((await track(`<ERRORE><TESTOERRORE>${esito}</TESTOERRORE></ERRORE>`)).finding).toEqual({ kind: 'refused' });
  });

  test.each([
    ['24', 24],
    [' 72 ', 72],
    ['048', 48],
    ['0', null],
    ['-24', null],
    ['24/48', null],
    ['1.5', null],
    ['9999', null],
    ['due giorni', null],
    ['', null],
  ])('reads the transit time %j as %j hours', async (told, transitTimeHours) => {
    const { finding } = await check(outcome('', `<Cap>47121</Cap><TempoDiResa>${told}</TempoDiResa>`));
    expect(finding).toMatchObject({ addresses: [{ zip: '47121', city: null, transitTimeHours }] });
  });

  test.each([
    [{}, 'unreadable'],
    [{ checkAddress: null }, 'unreadable'],
    [{ checkAddress: {} }, 'not_found'],
    [{ checkAddress: { Esito: null, AddressList: null } }, 'not_found'],
    [{ checkAddress: { Esito: null, AddressList: [null] } }, 'not_found'],
    [{ checkAddress: { AddressList: [{ Cap: null, Comune: null, TempoDiResa: null }] } }, 'not_found'],
    [{ checkAddress: { AddressList: [null, { Comune: 'ROMA' }] } }, 'candidates'],
  ])('reads the data %j as %s', (data, kind) => {
    expect(gls.address.read(data, ASKED).kind).toBe(kind);
  });

  test('counts values of a wrong type as errors', async () => {
    const broken = await CarrierSchema.load<MeshContext>(gls.document, async () =>
      Response.json({ Esito: { a: 1 }, AddressList: [{ Cap: ['x'], Comune: 'ROMA' }, 7] }),
    );
    const { data, errors } = await broken.run(gls.address.operation, gls.address.variables(ASKED), {
      baseUrl: 'https://gls.test',
    });
    expect(errors).toBeGreaterThan(0);
    expect(() => gls.address.read(data ?? {}, ASKED)).not.toThrow();
  });

  test.each(['', '<html><body>Back soon</body></html>', outcome('', DANTE).slice(0, 200)])(
    'gives no result for %j',
    async xml => {
      const { data, errors } = await schema.run(gls.address.operation, gls.address.variables(ASKED), {
        baseUrl: 'https://gls.test',
        answer: Buffer.from(xml),
        sent: [],
      });
      expect([data, errors]).toEqual([{ checkAddress: null }, 1]);
    },
  );
});

function tracking(...[Data, Ora, Luogo, Stato, Codice, Note = '']: (string | number)[]): string {
  return `<TRACKING><Data>${Data}</Data><Ora>${Ora}</Ora><Luogo><![CDATA[${Luogo}]]></Luogo><Stato><![CDATA[${Stato}]]></Stato>
<Note><![CDATA[${Note}]]></Note><Codice>${Codice}</Codice></TRACKING>`;
}

function abroad(...[Data, Ora, Luogo, Stato]: string[]): string {
  return `<TRACKINGINT><Data>${Data}</Data><Ora>${Ora}</Ora><Luogo>${Luogo}</Luogo><Stato>${Stato}</Stato></TRACKINGINT>`;
}

function shipment(...content: string[]): string {
  return `<SPEDIZIONE><NumSped>662402545</NumSped>${content.join('\n')}<StatoSpedizione>NON CONSEGNATA</StatoSpedizione></SPEDIZIONE>`;
}

/** The events of a shipment, each as time, code and text. */
async function events(...content: string[]) {
  const { finding } = await track(shipment(...content));
  if (finding?.kind !== 'events') throw new Error(`no events but ${finding?.kind}`);
  return finding.events.map(({ timestamp, carrierStatusCode, description }) => [
    timestamp,
    carrierStatusCode,
    description,
  ]);
}

describe('Tracking at GLS', () => {
  test.each([
    ['SA662402545', '662402545'],
    ['XX610456789', '610456789'],
    ['M1610456789', '610456789'],
    ['M161045678', 'M161045678'],
    ['M16104567890', 'M16104567890'],
    ['610456789', '610456789'],
    ['SAX62402545', 'SAX62402545'],
    ['TEST-AT_DEPOT', 'TEST-AT_DEPOT'],
    ['WALK1', 'WALK1'],
    ['SA', 'SA'],
    ['A&B=C/#', 'A&B=C/#'],
  ])('asks by number, %s as %s, with the account in the query', async (number, asked) => {
    const { sent } = await track(shipment(), number);
    expect(sent[0]?.url.pathname).toBe('/XML/get_xml_track.php');
    expect(Object.fromEntries(sent[0]?.url.searchParams ?? [])).toEqual({
      NumSped: asked,
      locpartenza: 'SA',
      CodCli: '1234',
    });
  });

  test('returns events from the oldest to the newest', async () => {
    const { finding, errors } = await track(
      shipment(
        tracking('24/10/26', '15:12', 'FORLI', 'Fermo deposito.', 907, 'Disponibilità: 10 giorni'),
        tracking('24/10/26', '06:40', 'FORLI', 'Arrivata nella sede GLS di destinazione.', 904),
        tracking('23/10/26', '19:05', 'SALERNO', 'Partita dalla sede mittente.', '0902'),
      ),
    );
    expect(errors).toBe(0);
    expect(finding).toEqual({
      kind: 'events',
      events: [
        {
          timestamp: '2026-10-23T19:05:00+02:00',
          carrierStatusCode: '0902',
          description: 'Partita dalla sede mittente.',
          location: 'SALERNO',
          note: null,
        },
        {
          timestamp: '2026-10-24T06:40:00+02:00',
          carrierStatusCode: '904',
          description: 'Arrivata nella sede GLS di destinazione.',
          location: 'FORLI',
          note: null,
        },
        {
          timestamp: '2026-10-24T15:12:00+02:00',
          carrierStatusCode: '907',
          description: 'Fermo deposito.',
          location: 'FORLI',
          note: 'Disponibilità: 10 giorni',
        },
      ],
      related: [],
      estimate: null,
    });
  });

  test('orders events through the hour that occurs twice', async () => {
    const times = ['03:05', '02:20', '02:50', '02:10', '01:30'].map(time => tracking('25/10/26', time, 'X', 'x', 903));
    expect((await events(...times)).map(([timestamp]) => timestamp)).toEqual([
      '2026-10-25T01:30:00+02:00',
      '2026-10-25T02:10:00+02:00',
      '2026-10-25T02:50:00+02:00',
      '2026-10-25T02:20:00+01:00',
      '2026-10-25T03:05:00+01:00',
    ]);
  });

  test.each([
    [
      'an event without a text',
      [tracking('1/9/26', '8:05', '', '', 904)],
      [['2026-09-01T08:05:00+02:00', '904', null]],
    ],
    [
      'an event without a code',
      [tracking('01/09/26', '08:05', '', 'x', '')],
      [['2026-09-01T08:05:00+02:00', null, 'x']],
    ],
    ['no event that says nothing', [tracking('01/09/26', '08:05', 'X', '', ''), '<TRACKING/>'], []],
    ['no event', [], []],
    [
      'a time that is none among others',
      [
        tracking('02/09/26', '08:05', '', 'c', 905),
        tracking('31/02/26', '10:00', '', 'b', 904),
        tracking('01/09/26', '08:05', '', 'a', 903),
      ],
      [
        ['2026-09-01T08:05:00+02:00', '903', 'a'],
        ['31/02/26 10:00', '904', 'b'],
        ['2026-09-02T08:05:00+02:00', '905', 'c'],
      ],
    ],
    [
      'events abroad among those at home, by time',
      [
        tracking('04/09/26', '09:00', 'BRENNERO', 'e', 903),
        tracking('01/09/26', '09:00', 'SALERNO', 'a', 902),
        `<ColloInternazionale>${abroad('05/09/26', '10:00', 'WIEN', 'f')}${abroad('03/10/', '10:00', 'LINZ', 'd')}
         ${abroad('03/09/26', '08:00', 'GRAZ', 'c')}${abroad('02/09/26', '08:00', 'GRAZ', 'b')}</ColloInternazionale>`,
      ],
      [
        ['2026-09-01T09:00:00+02:00', '902', 'a'],
        ['2026-09-02T08:00:00+02:00', null, 'b'],
        ['2026-09-03T08:00:00+02:00', null, 'c'],
        ['03/10/ 10:00', null, 'd'],
        ['2026-09-04T09:00:00+02:00', '903', 'e'],
        ['2026-09-05T10:00:00+02:00', null, 'f'],
      ],
    ],
    [
      'one TRACKING with all events in it',
      [
        '<TRACKING><Data>02/09/26</Data><Ora>8:00</Ora><Codice>906</Codice><Data>01/09/26</Data><Ora>8:00</Ora><Codice>905</Codice></TRACKING>',
      ],
      [
        ['2026-09-01T08:00:00+02:00', '905', null],
        ['2026-09-02T08:00:00+02:00', '906', null],
      ],
    ],
  ])('returns %s', async (_, content, expected) => {
    expect(await events(...content)).toEqual(expected);
  });

  test('marks a time abroad whose place has no country, and no other', async () => {
    const { finding } = await track(
      shipment(
        `<ColloInternazionale>${abroad('05/09/26', '10:00', 'WIEN', 'b')}${abroad('04/09/26', '10:00', 'Wien - Austria', 'a')}</ColloInternazionale>`,
      ),
    );
    expect(finding?.kind === 'events' && finding.events.map(({ note }) => note)).toEqual([
      null,
      'Fuso orario non indicato dal corriere',
    ]);
  });

  test('returns the shipments that carry it on or back, without their events', async () => {
    const delivered = tracking('03/09/26', '10:00', 'SALERNO', 'Consegnata.', 906);
    const { finding } = await track(
      shipment(
        tracking('01/09/26', '10:00', 'FORLI', 'Rifiutata.', 4),
        `<SPEDIZIONEDINOLTRO><NumSped>700000001</NumSped>${delivered}</SPEDIZIONEDINOLTRO>`,
        `<SPEDIZIONEDIRIENTRO><NumSped> 700000002 </NumSped>${delivered}</SPEDIZIONEDIRIENTRO>`,
        '<SPEDIZIONEDIRIENTRO><NumSped/></SPEDIZIONEDIRIENTRO><SPEDIZIONEDIRIENTRO/>',
      ),
    );
    expect(finding).toMatchObject({
      events: [{ carrierStatusCode: '4' }],
      related: [
        { trackingNumber: '700000001', type: 'forward' },
        { trackingNumber: '700000002', type: 'return' },
      ],
    });
  });

  test.each(['Spedizione non trovata', 'Nessuna spedizione trovata per il cliente', ''])(
    'finds no shipment for %j',
    async text => {
      expect((await track(`<ERRORE><TESTOERRORE>${text}</TESTOERRORE></ERRORE>`)).finding).toEqual({
        kind: 'not_found',
      });
    },
  );

  const NOTHING = { kind: 'events', events: [], related: [], estimate: null };
  test.each([
    [{}, { kind: 'unreadable' }],
    [{ trackShipment: null }, { kind: 'unreadable' }],
    [{ trackShipment: { TESTOERRORE: null, SPEDIZIONE: null } }, { kind: 'unreadable' }],
    [{ trackShipment: { SPEDIZIONE: {} } }, NOTHING],
    [
      {
        trackShipment: {
          SPEDIZIONE: {
            TRACKING: [null, { Data: null, Ora: null, Stato: null, Codice: null }],
            TRACKINGINT: null,
            SPEDIZIONEDINOLTRO: [null],
            SPEDIZIONEDIRIENTRO: [{ NumSped: null }],
          },
        },
      },
      NOTHING,
    ],
  ])('reads the data %j', (data, finding) => {
    expect(gls.tracking.read(data, ['1'])).toEqual([finding]);
  });
});
