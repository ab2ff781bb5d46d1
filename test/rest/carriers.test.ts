import { expect, test } from 'vitest';
import { useWorld } from '../support/world.ts';
import { connectCarrier } from './feed.ts';

const world = useWorld();

test('a company without connections has an empty list', async () => {
  const { status, body } = await (await world.company()).rest('GET', '/carriers');
  expect(status).toBe(200);
  expect(body).toEqual([]);
});

test('a connection has exactly the fields that were decided, in particular no credentials and no tariffs', async () => {
  const caller = await world.company();
  const carrierCompanyId = await connectCarrier(caller, 'gls', ' Conto nazionale ');
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
      capabilities: ['quote', 'tracking', 'address_check', 'cod', 'insurance'],
      verificationType: 'street_registry',
      countryScope: 'domestic_it',
    },
  ]);
});

test('the list is by ascending id, with several connections at one carrier and inactive ones', async () => {
  const caller = await world.company();
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

const ALL = 'quote tracking address_check cod insurance';

test.each([
  ['BRT', 'BRT', ALL, 'routing', 'domestic_it'],
  ['GLS', 'GLS Italy', ALL, 'street_registry', 'domestic_it'],
  ['DHL', 'DHL Express', 'quote tracking address_check insurance', 'postal_validation', 'international'],
  ['UPS', 'UPS', ALL, 'transit_time', 'international'],
  ['FEDEX', 'FedEx', 'quote tracking address_check insurance', 'postal_validation', 'international'],
  ['POSTE', 'Poste Italiane', 'quote cod insurance', 'none', 'any'],
  ['SDA', 'SDA', 'quote cod insurance', 'none', 'any'],
  ['INPOST', 'InPost', 'quote tracking insurance', 'none', 'any'],
  ['TNT', 'TNT', 'quote cod insurance', 'none', 'any'],
  ['AMAZON', 'Amazon Shipping', 'quote', 'none', 'any'],
  ['FERCAM', 'FERCAM', 'quote cod insurance', 'none', 'any'],
  ['PALLETWAYS', 'Palletways', 'quote insurance', 'none', 'any'],
])('%s is %s, can %s and verifies by %s (%s), and its logo is an SVG', async (...row) => {
  const [carrierCode, carrierName, capabilities, verificationType, countryScope] = row;
  const caller = await world.company();
  await connectCarrier(caller, carrierCode);
  const [carrier] = (await caller.rest('GET', '/carriers')).body;
  expect(carrier).toMatchObject({ carrierCode, carrierName, verificationType, countryScope });
  expect(carrier.capabilities).toEqual(capabilities.split(' '));
  // A carrier is asked for an address only where it can check one.
  expect(carrier.capabilities.includes('address_check')).toBe(verificationType !== 'none');

  const logo = await fetch(carrier.logoUrl);
  expect([logo.status, logo.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
  const svg = await logo.text();
  expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"[\s\S]+<\/svg>\s*$/);
  expect(svg).toContain(`>${carrierName}</text>`);
});

test.each(['/logos/nobody.svg', '/logos/brt.png', '/logos/brt', '/logos/', '/logos/..%2Fbrt.svg'])(
  '%s is no logo',
  async path => {
    const answer = await fetch(world.app.url + path);
    expect([answer.status, (await answer.json()).code]).toEqual([404, 'route_not_found']);
  },
);

test.each([
  { input: { carrierCode: 'NOBODY', label: 'x' }, wrong: [['/carrierCode', 'not_allowed']] },
  { input: { carrierCode: 'BRT', label: '  ' }, wrong: [['/label', 'required']] },
])('a connection $input is refused and none is made', async ({ input, wrong }) => {
  const caller = await world.company();
  const { errors } = await caller.graphql(
    'mutation ($input: ConnectCarrierInput!) { connectCarrier(input: $input) { carrierCompanyId } }',
    { input },
  );
  expect(errors?.[0]?.extensions.errors?.map(({ pointer, code }) => [pointer, code])).toEqual(wrong);
  expect((await caller.rest('GET', '/carriers')).body).toEqual([]);
});
