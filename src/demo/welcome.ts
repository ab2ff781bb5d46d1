import type { DemoThings } from './company.ts';

const LISTEN = 'Watch its webhooks arrive: run this line in another terminal.';
const RESTART_AND_LISTEN = `Watch the webhooks of a walk arrive: stop the service, start it with the first line, and run the second in another terminal. Each start begins a walk.
  WEBHOOK_ALLOW_PRIVATE=127.0.0.0/8 WEBHOOK_ALLOW_HTTP=true npm start`;

/**
 * The first user's page: the address of the service, a key, and commands that work unchanged.
 *
 * @param things the records to try it with, and the number of a shipment whose walk begins now, if there is one
 * @param reachesLoopback whether webhooks of this service reach a receiver on the same machine
 */
export function welcomePage(
  url: string,
  things: DemoThings & { walk: string | undefined },
  reachesLoopback: boolean,
): string {
  const { apiKey, orderId, carrierConnectionId, walk } = things;
  const api = `${url}/api/v1/integrations`;
  const header = `-H 'x-api-key: ${apiKey}'`;
  const query =
    '{"query":"{ shipments(filter: { isLate: true }) { nodes { trackingNumber statusCode carrier { name } } } }"}';
  const quote = JSON.stringify({ orderId });
  // The stand-in corrects a postal code that ends in 90.
  const place = { address: 'Via Dante 12', city: 'Palermo', provincia: 'PA', zip: '90190' };
  const address = JSON.stringify({ carrierCompanyId: carrierConnectionId, ...place });
  const walking =
    walk === undefined
      ? ''
      : `${walk} moves from registered to delivered within some minutes, as its carrier is polled. Track it by that number.\n`;
  return `
Shipping Integrations API, listening on ${url}
  reference and guides ${url}/docs    GraphiQL ${url}/graphql    contract ${url}/openapi.json

API key: ${apiKey}

Try:
curl -s ${header} '${api}/health'
curl -s ${header} '${api}/warehouses'
curl -s ${header} -H 'content-type: application/json' -d '${quote}' '${api}/shipments/quote'
curl -s ${header} -H 'content-type: application/json' -d '${address}' '${api}/addresses/check-address'
curl -s ${header} '${api}/shipments/tracking/by-tracking-number/084007001234567'
curl -s ${header} '${api}/shipments/tracking/by-order-number/405-1234567-1234567'
curl -s ${header} -H 'content-type: application/json' -d '${query}' '${url}/graphql'

The last one lists what is late. ${url}/docs/invoices shows BRT's invoice of October 2026, which has five mistakes.
${walking}To begin another walk, add WALK000000002 as ${url}/docs/sandbox shows.

${reachesLoopback ? LISTEN : RESTART_AND_LISTEN}
  npm run -s cli -- webhook listen --key ${apiKey} --url ${url}

Ctrl-C stops it; the data stays.
`;
}
