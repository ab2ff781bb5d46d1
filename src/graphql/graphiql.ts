/**
 * The documents that GraphiQL opens, one per tab, for the demo company. Their variables have defaults, because GraphiQL
 * does not put a tab's variables into the editor at first (graphql/graphiql#3392).
 */
export const EXAMPLES: readonly string[] = [
  `# Runs as it is: Ctrl-Enter. Another number comes
# with the variables, below: { "number": "M1610456789" }
query TrackByNumber($number: String! = "0840 0700 1234567") {
  trackingByNumber(trackingNumber: $number) {
    trackingNumber statusLabel statusCode deliveredAt
    carrier { name }
    recipient { city province country }
    timeline { nodes { occurredAt statusLabel carrierStatusCode location } }
    order { orderNumber parcels { weight quantity } }
  }
}
`,
  `# Newest first. The next page: this one's endCursor
# as the variable "after".
query ShipmentsPage($first: Int = 5, $after: String) {
  shipments(first: $first, after: $after) {
    totalCount
    pageInfo { hasNextPage endCursor }
    nodes {
      id trackingNumber statusLabel statusCode shippedAt
      carrier { name }
      order { orderNumber marketplace }
      timeline { nodes { occurredAt statusLabel location } }
    }
  }
}
`,
  `# What each carrier would cost, and why; and what
# excludes the others.
query QuoteExplained($input: QuoteInput! = { shipment: { orderId: 1 } }) {
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
  `# Asks the carrier of one of your connections;
# carrierConnections lists them.
query CheckAddress($input: AddressCheckInput! = {
  carrierConnectionId: 2
  address: "Via Dante 12"
  city: "Palermo"
  provincia: "PA"
  zip: "90190"
}) {
  checkAddress(input: $input) {
    status code message
    suggestions {
      streetLine1 zip city province country
      transitTimeHours
    }
  }
}
`,
  `# Endpoints, and how their latest deliveries went.
query WebhooksWithDeliveries {
  webhookEndpoints(first: 10) {
    nodes {
      id label url events state
      deliveries(first: 5) {
        nodes {
          eventType status createdAt nextAttemptAt
          attempts { nodes {
            number startedAt responseStatus outcome durationMs
          } }
        }
      }
    }
  }
}
`,
];
