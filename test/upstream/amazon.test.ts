import { expect, test } from 'vitest';
import { amazon } from '../../src/upstream/amazon.ts';

const REQUEST = {
  method: 'GET',
  url: new URL('https://amazon.test/shipping/v2/tracking?trackingId=IT1'),
  headers: { accept: 'application/json' },
  body: null,
};

// The endpoints of the regions, and Amazon Shipping's businesses with its ids as a carrier.
test.each([
  [undefined, 'https://sellingpartnerapi-eu.amazon.com', 'AmazonShipping_IT', 'AMZN_IT'],
  ['IT', 'https://sellingpartnerapi-eu.amazon.com', 'AmazonShipping_IT', 'AMZN_IT'],
  ['UK', 'https://sellingpartnerapi-eu.amazon.com', 'AmazonShipping_UK', 'AMZN_UK'],
  ['IN', 'https://sellingpartnerapi-eu.amazon.com', 'AmazonShipping_IN', 'ATS'],
  ['US', 'https://sellingpartnerapi-na.amazon.com', 'AmazonShipping_US', 'AMZN_US'],
  ['JP', 'https://sellingpartnerapi-fe.amazon.com', 'AmazonShipping_JP', 'AMZN_JP'],
])(
  'An Amazon account of the region %s is asked at %s as %s about the carrier %s',
  (region, url, business, carrierId) => {
    const credentials = { clientId: 'i', clientSecret: 's', refreshToken: 'r', ...(region && { region }) };
    const { tracking, authorize } = amazon;
    expect(typeof tracking.url === 'function' && tracking.url(credentials)).toBe(url);
    const sent = authorize?.(REQUEST, credentials, 'token');
    expect(sent?.url.href).toBe(`https://amazon.test/shipping/v2/tracking?trackingId=IT1&carrierId=${carrierId}`);
    expect(sent?.headers).toMatchObject({
      accept: 'application/json',
      'x-amz-access-token': 'token',
      'x-amzn-shipping-business-id': business,
    });
  },
);

test('A token of Amazon comes from Login with Amazon, whatever the region, by the refresh token', () => {
  expect(amazon.grant).toMatchObject({ origin: 'https://api.amazon.com', path: '/auth/o2/token' });
  const url = new URL('https://api.amazon.com/auth/o2/token');
  expect(amazon.grant?.request(url, { clientId: 'id', clientSecret: 'a&b', refreshToken: 'Atzr|x' })).toEqual({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'grant_type=refresh_token&refresh_token=Atzr%7Cx&client_id=id&client_secret=a%26b',
  });
});
