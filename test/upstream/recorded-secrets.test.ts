import { beforeAll, expect, test, vi } from 'vitest';
import { credentialNames } from '../../src/domain/shipping/carriers/account.rules.ts';
import { CARRIERS, carrierOf } from '../../src/domain/shipping/carriers/carriers.catalog.ts';
import { ADAPTERS } from '../../src/upstream/adapters.ts';
import { ASKED, type Asked, askedAt, CONNECTED, connectSandbox, type Followed } from '../support/carriers.ts';
import { ask, feedShipments } from '../support/platform-side.ts';
import { type Received, type Reply, useReceiver } from '../support/receiver.ts';
import { type Caller, useWorld } from '../support/world.ts';

/**
 * Records of calls keep no credentials and recipients, although the carrier returns all that it was sent, in every
 * form.
 */

const carrier = useReceiver();
const world = useWorld(Object.assign(askedAt(carrier), { ROLE: 'api' }));

const ADDRESS = { address: 'Via Segretissima 77', city: 'Borgonascosto', zip: '37137', provincia: 'VR', country: 'IT' };
/** Data of recipients that carriers know and may put into a sentence. */
const PERSONS = ['Mario Destinatario', 'Portineriasegreta', ADDRESS.address, ADDRESS.city];
const TOKEN = 't0ken/of+the=carrier';
/** Postal codes, numbers and statuses that are kept. */
const NUMBER = 'KEPT0012345';

type Code = Asked | Followed;

/** Every credential is one of its own, with characters that encodings change. Headers must be able to hold them. */
const secretsOf = (code: Code) =>
  Object.fromEntries(credentialNames(carrierOf(code)).map(name => [name, `${code}${name}&p"w+=/ <1>`]));

/** SDA is asked at Poste, by its own account. */
const codeOf = ({ path, headers }: Received) =>
  (`${headers.poste_clientid}`.startsWith('SDA') ? 'SDA' : path.split('/')[1]?.toUpperCase()) as Code;

/** A text as a carrier might return it. */
function formsOf(text: string): string[] {
  const form = new URLSearchParams({ text }).toString().slice('text='.length);
  return [
    text,
    form,
    encodeURIComponent(text),
    JSON.stringify(text).slice(1, -1),
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
    ...base64(text),
    ...base64(`user:${text}`),
    ...base64(`xy${text}z`),
  ];
}

function base64(text: string): string[] {
  const bytes = Buffer.from(text);
  return [bytes.toString('base64'), bytes.toString('base64url')];
}

let secrets: ReadonlyMap<Code, Readonly<Record<string, string>>>;

const plantedAt = (code: Code) => [
  ...Object.values(secrets.get(code) ?? {}),
  ...(ADAPTERS[code]?.grant ? [TOKEN] : []),
];

/** All texts in every field that is kept, in fields that are not, and in names. */
function echo(code: Code, texts: readonly string[], { headers }: Received): Reply {
  const kept = ADAPTERS[code]?.kept ?? [];
  const echoed = [...texts, `rejected ${texts[0]} for good`, `${headers.authorization}`];
  if (code === 'GLS') {
    const xml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    const fields = (text: string) => kept.map(name => `<${name}>${xml(text)}</${name}>`).join('');
    const [name, place, street] = PERSONS;
    const said = texts.length % 2 === 0 ? `consegnato a ${name}` : `rejected ${echoed[0]}`;
    return {
      headers: { 'content-type': 'text/xml' },
      body: `<A><Esito>${xml(said)}</Esito><TESTOERRORE>${xml(said)}</TESTOERRORE>
        <AddressList><Address><Indirizzo>${street}</Indirizzo><Comune>${name}</Comune><Frazione>${place}</Frazione></Address>
          ${echoed.map(text => `<Address>${fields(text)}</Address>`).join('')}</AddressList>
        <SPEDIZIONE><NumSped>${NUMBER}</NumSped><TRACKING><Note>${name}</Note><Luogo>${place}</Luogo></TRACKING>
          ${echoed.map(text => `<TRACKING>${fields(text)}</TRACKING>`).join('')}</SPEDIZIONE></A>`,
    };
  }
  const listed = (text: string) => Object.fromEntries(kept.map(name => [name, text]));
  const persons = PERSONS.map(text => ({ ...listed(`consegnato a ${text} alle 10`), recipient: { name: text } }));
  const body = [...persons, ...echoed.map(text => ({ ...listed(text), password: text, [text]: 1 }))];
  return {
    headers: {
      'content-type': 'application/json',
      'x-request-id': Buffer.from(texts[0] ?? '').toString('base64'),
      'message-reference': encodeURIComponent(texts[0] ?? ''),
    },
    body: JSON.stringify(body.slice(0, 10)),
  };
}

const checksAddresses = (code: Code) => ASKED.some(one => one === code);
const STATUSES = [200, 400, 401];
let caller: Caller;
let stored: Record<string, string[]>;

beforeAll(async () => {
  secrets = new Map(CONNECTED.map(code => [code, secretsOf(code)]));
  let n = 0;
  carrier.answer(request => {
    const code = codeOf(request);
    if (/(\/token|user\/sessions)$/.test(request.path) && n % 3 > 0) {
      n++;
      const answer = { access_token: TOKEN, expires_in: 3600, client_id: secrets.get(code)?.clientId, code: TOKEN };
      return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(answer) };
    }
    const planted = plantedAt(code);
    // Each time other texts come first, since only some items of a list are kept.
    const texts = planted.flatMap(formsOf);
    const at = (n * 9) % texts.length;
    return { status: STATUSES[n++ % STATUSES.length] ?? 200, ...echo(code, [...texts.slice(at), ...texts], request) };
  });
  caller = await world.sandbox();
  for (const code of CONNECTED) {
    const credentials = secrets.get(code);
    const ids = [
      await connectSandbox(caller, code, { credentials }),
      await connectSandbox(caller, code, { credentials }),
    ];
    for (const carrierCompanyId of checksAddresses(code) ? ids : []) {
      for (let i = 0; i < 3; i++)
        await caller.rest('POST', '/addresses/check-address', { carrierCompanyId, ...ADDRESS });
    }
    const numbers = Array.from({ length: 3 }, (_, i) => ({ trackingNumber: `${NUMBER}${i}` }));
    for (const id of await feedShipments(caller, ids[1] ?? 0, ...numbers)) {
      await ask(
        caller,
        `mutation { refreshTracking(input: { shipmentId: ${id} }) { shipment { id } userErrors { code pointer message } } }`,
      );
    }
  }
  // Records are written some time later.
  const { rows } = await vi.waitFor(
    async () => {
      const found = await world.pool.query<{ code: string; text: string }>(
        `select r.carrier_code as code, to_json(c)::text || ' ' || c.address || ' ' || coalesce(c.request_body, '') || ' ' ||
            coalesce(c.response_body, '') as text
          from carrier_call c join carrier_connection r on r.company_id = c.company_id and r.id = c.carrier_connection_id`,
      );
      expect(found.rows).toHaveLength(carrier.requests.length);
      return found;
    },
    { timeout: 10_000, interval: 100 },
  );
  stored = Object.fromEntries(
    CONNECTED.map(code => [code, rows.filter(row => row.code === code).map(({ text }) => text)]),
  );
}, 60_000);

test('Recordings are checked for every carrier that can be asked', () => {
  const askable = CARRIERS.filter(carrier => credentialNames(carrier).length > 0).map(({ code }) => code);
  expect([...CONNECTED].toSorted()).toEqual(askable.toSorted());
});

test.each(CONNECTED)(
  'The calls to %s are recorded with what helps, and without credentials, tokens, names and streets',
  code => {
    const rows = stored[code] ?? [];
    expect(rows.length).toBeGreaterThanOrEqual(checksAddresses(code) ? 8 : 3);
    const all = rows.join('\n');
    const kept = [NUMBER, '"status":200', ...(checksAddresses(code) ? ['37137', '"status":401'] : [])];
    for (const text of kept) expect(all).toContain(text);
    const found = [...plantedAt(code), ...PERSONS]
      .flatMap(formsOf)
      .filter(form => all.toLowerCase().includes(form.toLowerCase()));
    expect(found).toEqual([]);
  },
);
