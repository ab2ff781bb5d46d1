import type { GraphQLSchema } from 'graphql';
import { withKnownFields } from '../../graphql/known-fields.ts';
import type { Scope } from '../../platform/scopes.ts';
import { AddressCheckResult, Carrier, Quote, QuoteWarning } from '../rest/operations.ts';

/** One row of the table of tools: an operation of the graph, whose variables are the arguments of the tool. */
export interface Tool {
  readonly name: string;
  /** The scope that the graph requires; repeated here so that a lack is rejected before the operation runs. */
  readonly scope: Scope;
  /** Tells an assistant when to use the tool. */
  readonly description: string;
  readonly operation: string;
}

/** A fragment of REST with the names of the graph, which the inputs of other tools have. */
const asInGraph = (fragment: string) =>
  fragment.replace('carrierCompanyId: carrierConnectionId', 'carrierConnectionId');

const OwnQuote = asInGraph(Quote);
const OwnWarning = asInGraph(QuoteWarning);
const OwnCarrier = Carrier.replace('carrierCompanyId: databaseId', 'databaseId');

const Shipment = `fragment ShipmentSummary on Shipment {
  trackingNumber statusCode statusAt orderNumber marketplaceOrderNumber shippedAt expectedDeliveryAt deliveredAt updatedAt
  carrier { name } recipient { companyName postalCode city province countryCode }
}`;

const Tracking = `fragment Tracking on Shipment {
  ...ShipmentSummary trackingUrl weight
  deliveryEstimate { expectedAt earliestAt latestAt source }
  timeline(last: 30) { nodes { occurredAt statusCode statusLabel description location note } }
  relatedShipments(first: 20) { nodes { type trackingNumber carrierName } }
} ${Shipment}`;

const page = 'totalCount isTotalCountExact pageInfo { hasNextPage endCursor }';

const Simulation = `fragment Simulation on TariffSimulation {
  id state progress problem period { from to } shipments asShipped { shipments total totalWithAccount }
  tariffs {
    number name isInForce shipments total totalWithAccount cheapestShipments cheapestTotal
    carrierConnectionId comparison { shipments before after difference } notPriced { reason shipments }
  }
  cheapestMix { shipments total comparison { difference } } notPriceable { reason shipments }
}`;

const quoted = (detail: string) =>
  `quoteShipment(input: $input, terms: $terms) { ... on QuoteList { items { ${detail} } excluded { carrierName code message } notices { message(language: EN) } } ... on QuoteWarning { ...QuoteWarning } }`;

export const TOOLS: readonly Tool[] = [
  {
    name: 'list_carriers',
    scope: 'carriers:read',
    description:
      "The company's carrier connections, with the ids that other tools take and what each connection can do.",
    operation: `query listCarriers { carrierConnections(first: 100) { nodes { id ...CarrierConnection } } } ${OwnCarrier}`,
  },
  {
    name: 'quote_shipment',
    scope: 'shipments:quote',
    description:
      "What a shipment costs on each carrier by the company's own tariffs, the cheapest first. Books nothing.",
    operation: `query quoteShipment($input: QuoteInput!, $terms: QuoteTermsInput) { ${quoted('...Quote')} } ${OwnQuote} ${OwnWarning}`,
  },
  {
    name: 'explain_price',
    scope: 'shipments:quote',
    description:
      'Why a shipment costs what it costs: the zone, the band of weight and the calculation of each line, for each carrier.',
    operation: `query explainPrice($input: QuoteInput!, $terms: QuoteTermsInput) { ${quoted(
      'carrierName totalPrice vatAmount totalPriceWithVat explanation { tariffName version validFrom weight(language: EN) vatNote zone { code name place(language: EN) } band { overKg upToKg price steps stepPrice } lines { component code description calculation(language: EN) amount vatRate } }',
    )} } ${OwnWarning}`,
  },
  {
    name: 'track_by_number',
    scope: 'shipments:tracking',
    description:
      'Where a shipment is and when it is expected, by its tracking number, the number of a label, or a reference of the sender.',
    operation: `query track($trackingNumber: String!) { trackingByNumber(trackingNumber: $trackingNumber) { ...Tracking } } ${Tracking}`,
  },
  {
    name: 'track_by_order_number',
    scope: 'shipments:tracking',
    description: 'Where the shipments of an order are, by the order number on the marketplace.',
    operation: `query trackOrder($orderNumber: String!) { trackingByOrderNumber(orderNumber: $orderNumber, first: 20) { nodes { ...Tracking } } } ${Tracking}`,
  },
  {
    name: 'list_late_shipments',
    scope: 'shipments:tracking',
    description: 'Shipments that should have been delivered by now and are not.',
    operation: `query late($carriers: [CarrierCode!], $first: Int = 20, $after: String) { shipments(filter: { isLate: true, carriers: $carriers }, first: $first, after: $after) { nodes { ...ShipmentSummary } ${page} } } ${Shipment}`,
  },
  {
    name: 'list_changed_shipments',
    scope: 'shipments:tracking',
    description: 'Shipments that changed since a time, the earliest change first, each as it is now.',
    operation: `query changed($updatedSince: DateTime!, $statusCodes: [TrackingStatusCode!], $first: Int = 20, $after: String) { shipments(filter: { updatedAt: { from: $updatedSince }, statusCodes: $statusCodes }, orderBy: UPDATED_ASC, first: $first, after: $after) { nodes { ...ShipmentSummary } ${page} } } ${Shipment}`,
  },
  {
    name: 'check_address',
    scope: 'addresses:check',
    description:
      'Whether a carrier knows a delivery address, and the addresses that the carrier suggests in its place.',
    operation: `query checkAddress($input: AddressCheckInput!) { checkAddress(input: $input) { ...AddressCheckResult } } ${AddressCheckResult}`,
  },
  {
    name: 'simulate_tariffs',
    scope: 'carriers:manage',
    description:
      'What the shipments of a period would have cost on other tariffs. Changes no tariff, and stores its result for 30 days. A simulation of many shipments continues after the response: read it with get_simulation.',
    operation: `mutation simulate($input: SimulateTariffsInput!) { simulateTariffs(input: $input) { simulation { ...Simulation } } } ${Simulation}`,
  },
  {
    name: 'get_simulation',
    scope: 'carriers:manage',
    description: 'The result of a simulation of tariffs, or its progress.',
    operation: `query simulation($id: ID!) { tariffSimulation(id: $id) { ...Simulation } } ${Simulation}`,
  },
  {
    name: 'list_invoices',
    scope: 'carriers:manage',
    description:
      'Invoices of carriers, the newest first, with what each bills too much and the ids that list_invoice_findings takes.',
    operation: `query invoices($first: Int = 20, $after: String) { carrierInvoices(first: $first, after: $after) { nodes { id number date state carrierConnectionId lineCount billed overbilled underbilled notChecked } ${page} } }`,
  },
  {
    name: 'list_invoice_findings',
    scope: 'carriers:manage',
    description: 'Where an invoice of a carrier differs from the tariff: what was billed, what is due and why.',
    operation: `query findings($id: ID!, $first: Int = 20, $after: String) { carrierInvoice(id: $id) { number date state billed overbilled underbilled totals { code count amount } findings(first: $first, after: $after) { nodes { code amount billed due credited explanation(language: EN) line { position number date } } ${page} } } }`,
  },
  {
    name: 'save_quote',
    scope: 'shipments:quote',
    description:
      'Saves the price of a shipment on one carrier connection, so that a shipment can name it and invoices are checked against it. Books nothing.',
    operation:
      'mutation saveQuote($input: SaveQuoteInput!) { saveQuote(input: $input) { savedQuote { id databaseId carrierName totalPrice vatAmount totalPriceWithVat createdAt } } }',
  },
];

/** The tools that a graph answers: what features that were left out would bring is missing in them. */
export function offeredTools(schema: GraphQLSchema): readonly Tool[] {
  return TOOLS.flatMap(tool => {
    const operation = withKnownFields(schema, tool.operation);
    return operation === undefined ? [] : [{ ...tool, operation }];
  });
}
