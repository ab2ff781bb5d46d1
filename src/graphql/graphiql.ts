import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const KEY_HEADER = 'x-api-key';
const PLACEHOLDER = 'sk_live_YOUR_KEY';

interface Example {
  readonly query: string;
  readonly variables?: object;
}

/** A tab each; what they name is there in the demo company. */
export const EXAMPLES: readonly Example[] = [
  {
    query: `# Put your key under Headers, below, and run.
# It then serves every tab; reload the schema (left)
# for documentation and completion.
query TrackByNumber($number: String!) {
  trackingByNumber(trackingNumber: $number) {
    trackingNumber status statusCode deliveredDate
    carrier { name }
    recipient { city province country }
    timeline { timestamp label carrierStatusCode location }
    order { orderNumber parcels { weight quantity } }
  }
}
`,
    variables: { number: '0840 0700 1234567' },
  },
  {
    query: `# Newest first. The next page: this one's endCursor
# as the variable "after".
query ShipmentsPage($first: Int, $after: String) {
  shipments(first: $first, after: $after) {
    totalCount
    pageInfo { hasNextPage endCursor }
    nodes {
      id trackingNumber status statusCode shipmentDate
      carrier { name }
      order { orderNumber marketplace }
      timeline { timestamp label location }
    }
  }
}
`,
    variables: { first: 5, after: null },
  },
  {
    query: `# What each carrier would cost, and why; and what
# excludes the others.
query QuoteExplained($input: QuoteInput!) {
  quoteShipment(input: $input) {
    ... on QuoteList {
      items {
        carrierName chargeableWeight
        totalPrice totalPriceWithVat
        explanation {
          version
          zone { name ruleKind place }
          lines { code amount calculation }
        }
      }
      excluded { carrierName code rule }
    }
    ... on QuoteWarning {
      code message
      details { carrierName code message }
    }
  }
}
`,
    variables: { input: { orderId: 1 } },
  },
  {
    query: `# Asks the carrier of one of your connections;
# { carrierConnections { nodes { carrierCompanyId
# carrierName } } } lists them.
query CheckAddress($input: AddressCheckInput!) {
  checkAddress(input: $input) {
    status code message
    suggestions {
      streetLine1 zip city province country
      transitTimeHours
    }
  }
}
`,
    variables: {
      input: { carrierCompanyId: 2, address: 'Via Dante 12', city: 'Palermo', provincia: 'PA', zip: '90190' },
    },
  },
  {
    query: `# Endpoints, and how their latest deliveries went.
query WebhooksWithDeliveries {
  webhookEndpoints(first: 10) {
    nodes {
      id label url events state
      deliveries(first: 5) {
        nodes {
          eventType status createdAt nextAttemptAt
          attempts {
            number startedAt status outcome durationMs
          }
        }
      }
    }
  }
}
`,
  },
];

/**
 * Each tab has its own headers: the key that was last sent serves those that hold none yet. Without any, the response
 * is made here, since the service could only reject the request.
 */
const SHARE_KEY = `{
  const send = window.fetch;
  let known;
  window.fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    const key = headers.get('${KEY_HEADER}');
    if (key !== null && key !== '${PLACEHOLDER}') known = key;
    else if (known !== undefined) headers.set('${KEY_HEADER}', known);
    else if (!headers.has('authorization')) {
      const message = 'Put your API key under Headers, in place of ${PLACEHOLDER}.';
      return Promise.resolve(Response.json({ errors: [{ message }] }));
    }
    return send(input, { ...init, headers });
  };
}`;

/**
 * GraphiQL as one compressed page that needs nothing from elsewhere. It is made when first asked for, since it is several
 * megabytes of script, and then one buffer for all.
 */
export const graphiQLPage: () => Promise<Buffer> = once(async () => {
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  const headers = JSON.stringify({ [KEY_HEADER]: PLACEHOLDER }, null, 2);
  const page = await renderGraphiQL({
    title: 'Shipping Integrations API',
    endpoint: '/graphql',
    defaultHeaders: headers,
    defaultTabs: EXAMPLES.map(({ query, variables }) => ({
      query,
      headers,
      variables: variables && JSON.stringify(variables, null, 2),
    })),
  });
  return promisify(gzip)(String(page).replace('<head>', `<head><script>${SHARE_KEY}</script>`));
});

function once<Result>(make: () => Promise<Result>): () => Promise<Result> {
  let made: Promise<Result> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
