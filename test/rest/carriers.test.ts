import { expect, test } from 'vitest';
import { ASKED, askedAt, connectSandbox, useLoggedApp } from '../support/carriers.ts';
import { failureOf } from '../support/graphql-client.ts';
import { connectCarrier } from '../support/platform-side.ts';
import { useWorld } from '../support/world.ts';

// Nothing is asked there.
const world = useWorld({ ROLE: 'api', ...askedAt({ url: 'http://127.0.0.1:9' }) });
const withoutSandbox = useLoggedApp(world);

test('A company without connections has an empty list', async () => {
  const { status, body } = await (await world.sandbox()).rest('GET', '/carriers');
  expect(status).toBe(200);
  expect(body).toEqual([]);
});

test('A connection has exactly the fields of the specification, in particular no credentials and no tariffs', async () => {
  const caller = await world.sandbox();
  const carrierCompanyId = await connectCarrier(caller, 'GLS', ' Conto nazionale ');
  const { status, body } = await caller.rest('GET', '/carriers');
  expect(status).toBe(200);
  expect(body).toEqual([
    {
      carrierCompanyId,
      carrierCode: 'GLS',
      carrierName: 'GLS Italy',
      label: 'Conto nazionale',
      logoUrl: `${world.app.url}/logos/gls.svg`,
      isActive: true,
      capabilities: ['quote', 'cod', 'insurance'],
      verificationType: 'street_registry',
      countryScope: 'domestic_it',
    },
  ]);
});

test('The list of connections is by ascending id, with several connections at one carrier and inactive ones', async () => {
  const caller = await world.sandbox();
  const ids = [
    await connectCarrier(caller, 'UPS', 'Z'),
    await connectCarrier(caller, 'BRT', 'A', false),
    await connectCarrier(caller, 'UPS', 'B'),
  ];
  const { body } = await caller.rest('GET', '/carriers');
  expect(
    body.map((one: { carrierCompanyId: number; carrierCode: string; label: string; isActive: boolean }) => [
      one.carrierCompanyId,
      one.carrierCode,
      one.label,
      one.isActive,
    ]),
  ).toEqual([
    [ids[0], 'UPS', 'Z', true],
    [ids[1], 'BRT', 'A', false],
    [ids[2], 'UPS', 'B', true],
  ]);
  expect(ids).toEqual(ids.toSorted((a, b) => a - b));
});

const OWN_ADDRESS = { baseUrl: 'https://api.example.com' };

test.each([
  ['BRT', 'BRT', 'quote cod insurance', 'routing', 'domestic_it'],
  ['GLS', 'GLS Italy', 'quote cod insurance', 'street_registry', 'domestic_it'],
  ['DHL', 'DHL Express', 'quote insurance', 'postal_validation', 'international'],
  ['UPS', 'UPS', 'quote cod insurance', 'transit_time', 'international'],
  ['FEDEX', 'FedEx', 'quote insurance', 'postal_validation', 'international'],
  ['POSTE', 'Poste Italiane', 'quote cod insurance', 'none', 'any'],
  ['SDA', 'SDA', 'quote cod insurance', 'none', 'any'],
  ['INPOST', 'InPost', 'quote tracking insurance', 'none', 'any'],
  ['TNT', 'TNT', 'quote cod insurance', 'none', 'any'],
  ['AMAZON', 'Amazon Shipping', 'quote', 'none', 'any'],
  ['FERCAM', 'FERCAM', 'quote cod insurance', 'none', 'any'],
  ['PALLETWAYS', 'Palletways', 'quote insurance', 'none', 'any'],
])(
  'The carrier %s is %s, can %s without credentials and verifies by %s (%s), and its logo is an SVG',
  async (...row) => {
    const [carrierCode, carrierName, capabilities, verificationType, countryScope] = row;
    const caller = await world.sandbox();
    await connectCarrier(caller, carrierCode);
    const [carrier] = (await caller.rest('GET', '/carriers')).body;
    expect(carrier).toMatchObject({ carrierCode, carrierName, verificationType, countryScope });
    expect(carrier.capabilities).toEqual(capabilities.split(' '));

    const logo = await fetch(carrier.logoUrl);
    expect([logo.status, logo.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
    const svg = await logo.text();
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"[\s\S]+<\/svg>\s*$/);
    expect(svg).toContain(`>${carrierName}</text>`);
  },
);

test.each(
  ASKED.flatMap(carrierCode => [
    { carrierCode, what: 'live', company: 'company', input: {} } as const,
    { carrierCode, what: 'live, at an address of its own', company: 'company', input: OWN_ADDRESS } as const,
    { carrierCode, what: 'of the sandbox', company: 'sandbox', input: {} } as const,
    { carrierCode, what: 'not active for now', company: 'sandbox', input: { isActive: false } } as const,
  ]),
)(
  'With its credentials a connection to $carrierCode ($what) follows shipments and checks addresses too',
  async given => {
    const caller = await world[given.company]();
    const id = await connectSandbox(caller, given.carrierCode, given.input);
    const [carrier] = (await caller.rest('GET', '/carriers')).body;
    expect(carrier.capabilities.slice(0, 3)).toEqual(['quote', 'tracking', 'address_check']);

    const forget = `mutation { updateCarrierConnection(input: { id: ${id}, credentials: null }) { carrierConnection { capabilities } userErrors { code pointer message } } }`;
    const { data } = await caller.graphql<{ updateCarrierConnection: { carrierConnection: object } }>(forget);
    const others = carrier.capabilities.slice(3);
    expect(data.updateCarrierConnection.carrierConnection).toEqual({ capabilities: ['quote', ...others] });
    expect((await caller.rest('GET', '/carriers')).body[0].capabilities).toEqual(['quote', ...others]);
  },
);

test('A connection of a sandbox that the service no longer has can only be quoted', async () => {
  const caller = await world.sandbox();
  await connectSandbox(caller, 'BRT');
  const { rest } = withoutSandbox.as(caller);
  expect((await rest('GET', '/carriers')).body[0].capabilities).toEqual(['quote', 'cod', 'insurance']);
});

test.each(['/logos/nobody.svg', '/logos/brt.png', '/logos/brt', '/logos/', '/logos/..%2Fbrt.svg'])(
  'The path %s leads to no logo',
  async path => {
    const answer = await fetch(world.app.url + path);
    expect([answer.status, (await answer.json()).code]).toEqual([404, 'route_not_found']);
  },
);

test.each([
  { input: { carrierCode: 'NOBODY', label: 'x' }, wrong: [['/carrierCode', 'not_allowed']] },
  { input: { carrierCode: 'BRT', label: '  ' }, wrong: [['/label', 'required']] },
])('A connection $input is rejected and none is made', async ({ input, wrong }) => {
  const caller = await world.sandbox();
  const answer = await caller.graphql(
    'mutation ($input: ConnectCarrierInput!) { connectCarrier(input: $input) { carrierConnection { databaseId } userErrors { code pointer message } } }',
    { input },
  );
  expect(failureOf(answer)?.errors?.map(({ pointer, code }) => [pointer, code])).toEqual(wrong);
  expect((await caller.rest('GET', '/carriers')).body).toEqual([]);
});
