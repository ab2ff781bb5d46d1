import { OPERATIONS } from '../../src/http/rest/operations.ts';
import type { LoadRequest } from './load.ts';
import { fromDatabase, instant, shortRecord } from './same-record.ts';
import type { TrackedCompany } from './seed.ts';
import { graphqlRequest, samples } from './tracking-load.ts';

// Two queries in the form of the service's graph and of PostGraphile's, and their responses in one form.

export interface Question {
  readonly ours: readonly LoadRequest[];
  readonly theirs: readonly LoadRequest[];
  /** The common form of both responses. */
  readonly same: { readonly ours: (answer: never) => unknown; readonly theirs: (answer: never) => unknown };
}

const EVENT = `nodes { occurredAt statusCode description location note }`;
const TIMELINE = `trackingEventsByCompanyIdAndShipmentId(orderBy: [OCCURRED_AT_ASC, ROW_ID_ASC])`;

const RECORD = `query record($company: UUID!, $key: String!) {
  allShipments(condition: { companyId: $company, trackingKey: $key }, orderBy: ROW_ID_DESC, first: 1) { nodes {
    trackingNumber statusCode shipmentDate expectedDeliveryDate deliveredAt parcelNumber weight volume trackingUrl recipient
    customerOrderByCompanyIdAndOrderId { orderNumber marketplaceOrderNumber recipient }
    carrierConnectionByCompanyIdAndCarrierConnectionId { carrierCode }
    ${TIMELINE} { ${EVENT} }
  } }
}`;

const OUR_PAGE = `query page {
  shipments(first: 50) { edges { node {
    trackingNumber statusCode shippedAt parcelCount weight
    order { orderNumber marketplaceOrderNumber }
    warehouse { name city postalCode }
    timeline { nodes { occurredAt statusCode description location note } }
  } } }
}`;

const PAGE = `query page($company: UUID!) {
  allShipments(condition: { companyId: $company }, orderBy: ROW_ID_DESC, first: 50) { nodes {
    trackingNumber statusCode shipmentDate parcelNumber weight
    customerOrderByCompanyIdAndOrderId { orderNumber marketplaceOrderNumber }
    warehouseByCompanyIdAndWarehouseId { name city postalCode }
    ${TIMELINE} { ${EVENT} }
  } }
}`;

/** The record by its number: what a caller of REST is shown. */
export function recordByNumber(companies: readonly TrackedCompany[]): Question {
  const all = samples(companies);
  return {
    ours: all.map(({ company, number }) =>
      graphqlRequest(company, OPERATIONS.trackByNumber, { trackingNumber: number }),
    ),
    theirs: all.map(({ company, number }) =>
      graphqlRequest(company, RECORD, { company: company.companyId, key: number }),
    ),
    same: {
      ours: ({ data: { trackingByNumber: record } }: { data: { trackingByNumber: OurRecord } }) =>
        shortRecord({ ...record, timeline: record.timeline.nodes }),
      theirs: ({ data }: { data: { allShipments: { nodes: [TheirRecord] } } }) => {
        const [shipment] = data.allShipments.nodes;
        const order = shipment.customerOrderByCompanyIdAndOrderId;
        const record = {
          trackingNumber: shipment.trackingNumber,
          status: shipment.statusCode,
          shipmentDate: shipment.shipmentDate,
          expectedDeliveryDate: shipment.expectedDeliveryDate,
          deliveredDate: shipment.deliveredAt,
          parcelNumber: shipment.parcelNumber,
          weight: shipment.weight,
          volume: shipment.volume,
          trackingUrl: shipment.trackingUrl,
          orderNumber: order.orderNumber,
          marketplaceOrderNumber: order.marketplaceOrderNumber,
          carrier: shipment.carrierConnectionByCompanyIdAndCarrierConnectionId.carrierCode,
          recipient: json(shipment.recipient ?? order.recipient),
          timeline: events(shipment),
        };
        return fromDatabase(record);
      },
    } as Question['same'],
  };
}

/** The newest 50 of a company, with what belongs to them. */
export function pageOfShipments(companies: readonly TrackedCompany[]): Question {
  return {
    ours: companies.map(company => graphqlRequest(company, OUR_PAGE, {})),
    theirs: companies.map(company => graphqlRequest(company, PAGE, { company: company.companyId })),
    same: {
      ours: ({ data }: { data: { shipments: { edges: { node: unknown }[] } } }) =>
        data.shipments.edges.map(({ node }) => node),
      theirs: ({ data }: { data: { allShipments: { nodes: TheirRecord[] } } }) =>
        data.allShipments.nodes.map(shipment => ({
          trackingNumber: shipment.trackingNumber,
          statusCode: nameOf(shipment.statusCode),
          shippedAt: instant(shipment.shipmentDate),
          parcelCount: shipment.parcelNumber,
          weight: shipment.weight,
          order: shipment.customerOrderByCompanyIdAndOrderId,
          warehouse: shipment.warehouseByCompanyIdAndWarehouseId,
          timeline: {
            nodes: events(shipment).map(({ timestamp, ...event }) => ({ ...event, occurredAt: instant(timestamp) })),
          },
        })),
    } as Question['same'],
  };
}

type FullRecord = Parameters<typeof shortRecord>[0];

interface OurRecord extends Omit<FullRecord, 'timeline'> {
  readonly timeline: { readonly nodes: FullRecord['timeline'] };
}

interface TheirRecord {
  readonly trackingNumber: string;
  readonly statusCode: string;
  readonly shipmentDate: string | null;
  readonly expectedDeliveryDate: string | null;
  readonly deliveredAt: string | null;
  readonly parcelNumber: number;
  readonly weight: string | null;
  readonly volume: string | null;
  readonly trackingUrl: string | null;
  readonly recipient: unknown;
  readonly customerOrderByCompanyIdAndOrderId: {
    readonly orderNumber: string;
    readonly marketplaceOrderNumber: string;
    readonly recipient: unknown;
  };
  readonly carrierConnectionByCompanyIdAndCarrierConnectionId: { readonly carrierCode: string };
  readonly warehouseByCompanyIdAndWarehouseId: object;
  readonly trackingEventsByCompanyIdAndShipmentId: {
    readonly nodes: readonly {
      readonly occurredAt: string;
      readonly statusCode: string;
      readonly description: string | null;
      readonly location: string | null;
      readonly note: string | null;
    }[];
  };
}

function events({ trackingEventsByCompanyIdAndShipmentId: { nodes } }: TheirRecord) {
  return nodes.map(({ occurredAt, statusCode, ...event }) => ({
    timestamp: occurredAt,
    statusCode: nameOf(statusCode),
    ...event,
  }));
}

/** The name of a status in the graph. */
function nameOf(statusCode: string): string {
  return statusCode.toUpperCase();
}

/** A column of JSON, which PostGraphile has in a text. */
function json(value: unknown): unknown {
  return typeof value === 'string' ? JSON.parse(value) : value;
}
