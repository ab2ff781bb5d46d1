import { describe, expect, test } from 'vitest';
import { deriveStatus, STATUS_CODES, type StatusCode } from '../../src/domain/shipping/tracking/status.rules.ts';
import {
  type GlsJourney,
  glsAddressJson,
  glsText,
  glsTrackingJson,
  UnreadableXml,
} from '../../src/upstream/gls-xml.ts';
import { type Answer, HANG_MS, useSandboxCalls } from './sandbox-calls.ts';

const { ask } = useSandboxCalls();

const ACCOUNT = { SedeGls: 'XX', CodiceClienteGls: 'sandbox', PasswordClienteGls: 'sandbox' };

function checkGls(Cap: string, other: Record<string, string> = {}, init?: RequestInit): Promise<Answer> {
  const asked = { ...ACCOUNT, SiglaProvincia: 'MI', Cap, Localita: 'Milano', Indirizzo: 'Via Dante, 3', ...other };
  return ask(`/gls/wscheckaddress.asmx/CheckAddress?${new URLSearchParams(asked)}`, init);
}

describe('The address check of GLS in the sandbox', () => {
  test.each([
    ['20121', 'Destinazione corretta', [['20121', 'VIA DANTE, 3', '24']]],
    ['20190', 'Indirizzo da verificare', [['20100', 'VIA DANTE, 3', '48']]],
    [
      '20191',
      'Indirizzo da verificare',
      [
        ['20100', 'VIA GIUSEPPE GARIBALDI 1', '24'],
        ['20100', 'VIA ANITA GARIBALDI 1', '48'],
        ['20100', 'PIAZZA GARIBALDI 1', '72'],
      ],
    ],
    ['20192', 'Indirizzo non trovato', []],
    ['20193', 'Cap non valido', []],
    ['20197', 'Credenziali non valide', []],
  ])('answers the CAP %s with "%s"', async (cap, outcome, found) => {
    const { status, headers, body } = await checkGls(cap);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/xml; charset=utf-8']);
    const { Esito, AddressList } = glsAddressJson(glsText(body));
    expect(Esito).toBe(outcome);
    expect(AddressList.map(address => [address.Cap, address.Indirizzo, address.TempoDiResa])).toEqual(found);
    for (const address of AddressList) expect(address).toMatchObject({ SiglaProvincia: 'MI', Comune: 'MILANO' });
  });

  test('escapes signs and accents in XML', async () => {
    const { body } = await checkGls('20121', { Localita: 'Forlì', Indirizzo: `Via <b> & "C" D'Annunzio` });
    expect(glsAddressJson(glsText(body)).AddressList[0]).toMatchObject({
      Comune: 'FORLÌ',
      Indirizzo: `VIA <B> & "C" D'ANNUNZIO`,
    });
  });

  test.each(['SedeGls', 'CodiceClienteGls', 'PasswordClienteGls'])('rejects a wrong %s', async name => {
    const { status, body } = await checkGls('20121', { [name]: 'other' });
    expect([status, glsAddressJson(glsText(body))]).toEqual([
      200,
      { Esito: 'Credenziali non valide', AddressList: [] },
    ]);
  });

  test('can fail', async () => {
    expect((await checkGls('20194')).status).toBe(503);
    await expect(checkGls('20195', {}, { signal: AbortSignal.timeout(HANG_MS) })).rejects.toThrow('timeout');
    const limited = await checkGls('20196');
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '30']);
    const half = await checkGls('20198');
    expect(half.status).toBe(200);
    expect(() => glsAddressJson(glsText(half.body))).toThrow(UnreadableXml);
    expect((await ask(`/gls/wsCheckAddress.asmx/CheckAddress?${new URLSearchParams(ACCOUNT)}`)).status).toBe(500);
  });
});

function trackGls(NumSped: string, other: Record<string, string> = {}): Promise<Answer> {
  const asked = { locpartenza: 'XX', CodCli: 'sandbox', NumSped, ...other };
  return ask(`/gls/XML/get_xml_track.php?${new URLSearchParams(asked)}`);
}

async function glsJourney(number: string) {
  const { status, body } = await trackGls(number);
  expect(status).toBe(200);
  return glsTrackingJson(glsText(body)).SPEDIZIONE;
}

function glsStatuses(journey: GlsJourney | undefined): StatusCode[] {
  return (journey?.TRACKING ?? []).map(event => deriveStatus('GLS', event.Codice ?? null, event.Stato ?? null));
}

describe('The tracking of GLS in the sandbox', () => {
  test('lists events newest first, in Italian time without an offset', async () => {
    const found = await glsJourney('TEST-AT_DEPOT');
    expect(found).toMatchObject({ NumSped: 'TEST-AT_DEPOT', StatoSpedizione: 'NON CONSEGNATA' });
    expect(found?.TRACKING.map(event => [event.Data, event.Ora, event.Luogo, event.Codice])).toEqual([
      ['25/10/26', '03:30', 'PALERMO', '904'],
      ['25/10/26', '02:30', 'BOLOGNA', '903'],
      ['25/10/26', '00:30', 'MILANO', '902'],
      ['24/10/26', '', 'MILANO', '909'],
    ]);
    expect([found?.SPEDIZIONEDINOLTRO, found?.SPEDIZIONEDIRIENTRO]).toEqual([[], []]);
  });

  // No code means a cancellation, and a return that arrives is a delivery after its beginning.
  const OTHER: Partial<Record<StatusCode, StatusCode>> = { returned: 'delivered', cancelled: 'unknown' };
  test.each(STATUS_CODES)('reaches the status %s', async status => {
    const [last] = glsStatuses(await glsJourney(`TEST-${status.toUpperCase()}`));
    expect(last).toBe(OTHER[status] ?? status);
  });

  test('adds one event each time a WALK is requested, for each number by itself', async () => {
    const lengths: number[] = [];
    for (let asked = 1; asked <= 7; asked++) lengths.push((await glsJourney('WALK1'))?.TRACKING.length ?? 0);
    expect(lengths).toEqual([1, 2, 3, 4, 5, 6, 6]);
    expect(glsStatuses(await glsJourney('WALK1'))[0]).toBe('delivered');
    expect((await glsJourney('WALK1'))?.StatoSpedizione).toBe('CONSEGNATA');
    expect(glsStatuses(await glsJourney('WALK2'))).toEqual(['created']);
  });

  test('reports forwards and returns apart from the shipment itself', async () => {
    const found = await glsJourney('RELATED-DELIVERED');
    expect(found?.TRACKING).toHaveLength(6);
    expect(found?.SPEDIZIONEDINOLTRO).toMatchObject([{ NumSped: 'FORWARD-DELIVERED' }]);
    expect(found?.SPEDIZIONEDIRIENTRO).toMatchObject([{ NumSped: 'RETURN-DELIVERED' }]);
    expect(found?.SPEDIZIONEDIRIENTRO[0]?.TRACKING).toHaveLength(6);
  });

  test('responds in ISO-8859-1, as GLS does', async () => {
    const { body, text } = await trackGls('TEST-PICKUP_POINT');
    expect(text).toContain('\ufffd');
    expect(glsTrackingJson(glsText(body)).SPEDIZIONE?.TRACKING[0]?.Note).toBe('Disponibilità: 10 giorni');
  });

  test('finds nothing, and says why', async () => {
    const said = async (answer: Promise<Answer>) => glsTrackingJson(glsText((await answer).body));
    expect(await said(trackGls('NOTFOUND'))).toEqual({ TESTOERRORE: 'Spedizione non trovata' });
    expect(await said(trackGls('1', { CodCli: 'other' }))).toEqual({ TESTOERRORE: 'Accesso non consentito' });
    expect(await said(trackGls('1', { locpartenza: 'YY' }))).toEqual({ TESTOERRORE: 'Accesso non consentito' });
    expect((await trackGls('X-OFFLINE')).status).toBe(503);
    expect((await trackGls('X-LIMIT')).status).toBe(429);
    const html = await trackGls('X-HTML');
    expect(html.status).toBe(200);
    expect(() => glsTrackingJson(html.text)).toThrow(UnreadableXml);
  });
});

describe('The reader of GLS’ XML', () => {
  const address = (inner: string) => `<R><Esito>e</Esito><AddressList><Address>${inner}</Address></AddressList></R>`;

  test.each([
    ['entities', '<Comune>A &amp; B &lt;C&gt; &quot;D&quot; &apos;E&apos;</Comune>', `A & B <C> "D" 'E'`],
    ['entities once, not twice', '<Comune>&amp;lt;</Comune>', '&lt;'],
    ['characters by number', '<Comune>Forl&#236; &#xEC;</Comune>', 'Forlì ì'],
    ['numbers that are no characters', '<Comune>&#0;&#xD800;&#1114112;&#x110000;</Comune>', '\ufffd'.repeat(4)],
    ['entities of others, and none', '<Comune>R&S &nbsp; &egrave; &</Comune>', 'R&S &nbsp; &egrave; &'],
    ['CDATA', '<Comune>a<![CDATA[ <b> &amp; ]] ]]>c</Comune>', 'a <b> &amp; ]] c'],
    ['comments and instructions', '<!-- <Comune>x</Comune> --><Comune>a<!-- b --><?c <d?></Comune>', 'a'],
    ['attributes', `<Comune a="1>2" b='"' xml:lang = "it">a</Comune>`, 'a'],
    ['prefixes', '<ns1:Comune xmlns:ns1="urn:x">a</ns1:Comune>', 'a'],
    ['white space', '<Comune >\r\n\t a \n b </Comune >', 'a b'],
    ['control characters', '<Comune>a\u0000b&#7;c</Comune>', 'a b c'],
    ['the first of two', '<Comune>a</Comune><Comune>b</Comune>', 'a'],
    ['an empty element', '<Comune/>', ''],
    ['an empty element with attributes', '<Comune xsi:nil="true" />', ''],
    ['what is missing', '<Cap>1</Cap>', undefined],
    ['names that mean something in JavaScript', '<__proto__><Comune>x</Comune></__proto__>', undefined],
  ])('reads %s', (_, inner, comune) => {
    expect(glsAddressJson(address(inner)).AddressList[0]?.Comune).toBe(comune);
  });

  test.each([
    ['SOAP', `<s:E xmlns:s="u"><s:Body><CheckAddressResult>${address('')}</CheckAddressResult></s:Body></s:E>`],
    ['a byte order mark', `\ufeff<?xml version="1.0"?>\n${address('')}\n<!-- end -->`],
  ])('reads %s', (_, xml) => {
    expect(glsAddressJson(xml)).toEqual({ Esito: 'e', AddressList: [{}] });
  });

  test.each([
    ['an Esito alone', '<R><Esito/></R>', { Esito: '', AddressList: [] }],
    ['a list alone', '<R><AddressList/></R>', { AddressList: [] }],
  ])('reads %s', (_, xml, found) => {
    expect(glsAddressJson(xml)).toEqual(found);
  });

  const MANY = 60_000;
  const DEEP = 100;
  test.each([
    ['nothing', ''],
    ['white space', ' \n'],
    ['text', 'Service Unavailable'],
    ['JSON', '{"Esito":"e"}'],
    ['another document', '<html><body>Esito</body></html>'],
    ['a document type', `<!DOCTYPE r [<!ENTITY a "aaaa">]>${address('&a;')}`],
    ['half a document', address('<Comune>a</Comune>').slice(0, 60)],
    ['half a tag', '<R><Esito>e</Esito><Addr'],
    ['half a comment', '<R><Esito>e</Esito><!-- </R>'],
    ['half a CDATA', '<R><Esito><![CDATA[e</Esito></R>'],
    ['half an instruction', '<?xml version="1.0"'],
    ['an end tag too many', `${address('')}</R>`],
    ['crossed tags', '<R><Esito><b></Esito></b></R>'],
    ['two roots', `${address('')}<R/>`],
    ['text behind the root', `${address('')}x`],
    ['CDATA behind the root', `${address('')}<![CDATA[x]]>`],
    ['an attribute without quotes', '<R a=1><Esito>e</Esito></R>'],
    ['a tag without a name', '<R><Esito>e</Esito>< ></R>'],
    ['depth', `<R><Esito/><SPEDIZIONE/>${'<a>'.repeat(DEEP)}${'</a>'.repeat(DEEP)}</R>`],
    ['numbers of elements', `<R><Esito>e</Esito><SPEDIZIONE/>${'<a/>'.repeat(MANY)}</R>`],
    ['length', `<R><SPEDIZIONE/><Esito>${'e'.repeat(3 * 1024 * 1024)}</Esito></R>`],
    ['a tag of spaces', `<R${' '.repeat(1_000_000)}`],
    ['a tag of attributes', `<R${' a="b"'.repeat(200_000)}`],
    ['a tag of a name', `<R ${'a'.repeat(1_000_000)}`],
  ])('rejects %s at once, and quotes none of it', (_, xml) => {
    const began = performance.now();
    for (const convert of [glsAddressJson, glsTrackingJson]) {
      expect(() => convert(xml)).toThrow(UnreadableXml);
      expect(() => convert(xml)).toThrow(/^GLS answered unreadable XML: [a-zA-Z ]+$/);
    }
    expect(performance.now() - began).toBeLessThan(3_000);
  });

  test('accepts no document that is cut off, wherever that is', () => {
    const xml = `<E><SPEDIZIONE><NumSped>1</NumSped><TRACKING><Data>24/10/26</Data><Stato><![CDATA[x]]></Stato></TRACKING></SPEDIZIONE></E>`;
    for (let length = 0; length < xml.length; length++) {
      expect(() => glsTrackingJson(xml.slice(0, length))).toThrow(UnreadableXml);
    }
    expect(glsTrackingJson(xml).SPEDIZIONE?.TRACKING).toEqual([{ Data: '24/10/26', Stato: 'x' }]);
  });

  test.each([
    ['one TRACKING an event', '<TRACKING><Data>2</Data><Ora>b</Ora></TRACKING><TRACKING><Data>1</Data></TRACKING>'],
    ['one TRACKING for all', '<TRACKING><Data>2</Data><Ora>b</Ora><Data>1</Data></TRACKING>'],
    ['other fields between', '<TRACKING><X/><Data>2</Data><X>y</X><Ora>b</Ora><Data>1</Data></TRACKING><TRACKING/>'],
  ])('recognizes events: %s', (_, inner) => {
    const found = glsTrackingJson(`<ELENCO><SPEDIZIONE>${inner}</SPEDIZIONE></ELENCO>`);
    expect(found.SPEDIZIONE?.TRACKING).toEqual([{ Data: '2', Ora: 'b' }, { Data: '1' }]);
  });

  test('keeps events of forwards, returns and abroad apart', () => {
    const tracking = (Codice: number) => `<TRACKING><Codice>${Codice}</Codice></TRACKING>`;
    const abroad = '<ColloInternazionale><TRACKINGINT><Stato>Consegnata</Stato></TRACKINGINT></ColloInternazionale>';
    const found = glsTrackingJson(
      `<ELENCO><SPEDIZIONE><SPEDIZIONEDIRIENTRO><NumSped>2</NumSped>${tracking(906)}</SPEDIZIONEDIRIENTRO>${abroad}${tracking(4)}</SPEDIZIONE></ELENCO>`,
    );
    expect(found).toEqual({
      SPEDIZIONE: {
        TRACKING: [{ Codice: '4' }],
        TRACKINGINT: [{ Stato: 'Consegnata' }],
        SPEDIZIONEDINOLTRO: [],
        SPEDIZIONEDIRIENTRO: [{ NumSped: '2', TRACKING: [{ Codice: '906' }], TRACKINGINT: [] }],
      },
    });
  });

  test.each([
    ['its declaration', '<?xml version="1.0" encoding="ISO-8859-1"?><a>à</a>', 'latin1'],
    ['its declaration in single quotes', "<?xml version='1.0' encoding='utf-8'?><a>à</a>", 'utf8'],
    ['UTF-8 where it has none', '<a>à</a>', 'utf8'],
  ] as const)('decodes by %s', (_, xml, encoding) => {
    expect(glsText(Buffer.from(xml, encoding))).toBe(xml);
  });

  test('rejects an unknown encoding', () => {
    expect(() => glsText(Buffer.from('<?xml version="1.0" encoding="x-none"?><a/>'))).toThrow(UnreadableXml);
  });
});
