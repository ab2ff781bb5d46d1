import { Migration } from '@mikro-orm/migrations';
import { Kind, type NamedTypeNode, type NameNode, parse, type SelectionSetNode } from 'graphql';

interface Endpoint {
  readonly companyId: string;
  readonly id: string;
  readonly selection: string;
}

/** The types that a selection of 0.2 leads through, by the fields that lead to them. */
const TYPES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  WebhookEvent: { event: 'TrackingEvent', shipment: 'Shipment' },
  Shipment: {
    carrierEstimates: 'CarrierEstimate',
    deliveryEstimate: 'DeliveryEstimate',
    following: 'ShipmentFollowing',
    order: 'Order',
    relatedShipments: 'RelatedShipment',
    timeline: 'TrackingEvent',
  },
  RelatedShipment: { shipment: 'Shipment' },
  Order: { shipments: 'ShipmentConnection' },
  ShipmentConnection: { nodes: 'Shipment', edges: 'ShipmentEdge' },
  ShipmentEdge: { node: 'Shipment' },
};

/** The fields of 0.2 that have another name. */
const NAMES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  WebhookEvent: { at: 'recordedAt' },
  TrackingEvent: { timestamp: 'occurredAt', label: 'statusLabel' },
  Shipment: {
    status: 'statusLabel',
    shipmentDate: 'shippedAt',
    expectedDeliveryDate: 'expectedDeliveryAt',
    deliveredDate: 'deliveredAt',
    parcelNumber: 'parcelCount',
    following: 'polling',
  },
  ShipmentFollowing: { carrierAskedAt: 'lastPolledAt', nextAskAt: 'nextPollAt', misses: 'consecutiveFailures' },
  CarrierEstimate: { date: 'expectedAt', toldAt: 'receivedAt' },
  DeliveryEstimate: { date: 'expectedAt', earliest: 'earliestAt', latest: 'latestAt' },
};

/** The types of 0.2 that have another name, for fragments on them. */
const TYPE_NAMES: Readonly<Record<string, string>> = { ShipmentFollowing: 'ShipmentPolling' };

const SELECTIONS = `select company_id as "companyId", id, selection from webhook_endpoint where selection is not null`;
const SELECT = 'update webhook_endpoint set selection = ? where company_id = ?::uuid and id = ?::uuid';

/** Filters of simulations that have not ended, whose conditions have other names. */
const FILTERS = `update tariff_simulation t set plan = jsonb_set(plan, '{filter}', (
    select coalesce(jsonb_object_agg(coalesce(n.now, f.key), f.value), '{}') from jsonb_each(t.plan -> 'filter') f
      left join (values ('statusCode', 'statusCodes'), ('open', 'isOpen'), ('late', 'isLate'), ('created', 'createdAt'),
        ('shipped', 'shippedAt'), ('delivered', 'deliveredAt'), ('expected', 'expectedDeliveryAt')) n (was, now)
        on n.was = f.key))
  where state = 'running' and jsonb_typeof(plan -> 'filter') = 'object'`;

/**
 * Renames fields in the selections of webhook endpoints, and the types of their fragments. The old name of a field stays
 * as an alias, so that payloads do not change. So a selection may become longer than a new one may be. Selections of fields that have become connections or pairs stay as they are: no selection gives the old payload, and
 * `doctor` names these endpoints.
 */
export default class Migration20261126140000_selection_names extends Migration {
  override async up(): Promise<void> {
    for (const { companyId, id, selection } of (await this.execute(SELECTIONS)) as Endpoint[]) {
      const renamed = withNewNames(selection);
      if (renamed !== selection) await this.execute(SELECT, [renamed, companyId, id]);
    }
    await this.execute(FILTERS);
  }
}

interface Edit {
  readonly at: number;
  readonly end: number;
  readonly text: string;
}

function withNewNames(selection: string): string {
  const edits: Edit[] = [];
  for (const definition of parse(selection).definitions) {
    if (definition.kind === Kind.OPERATION_DEFINITION) gather(definition.selectionSet, 'WebhookEvent', edits);
    else if (definition.kind === Kind.FRAGMENT_DEFINITION) {
      gather(definition.selectionSet, conditionOf(definition.typeCondition, edits), edits);
    }
  }
  return edits
    .toSorted((one, other) => other.at - one.at)
    .reduce((text, { at, end, text: name }) => text.slice(0, at) + name + text.slice(end), selection);
}

function gather(set: SelectionSetNode, type: string, edits: Edit[]): void {
  for (const node of set.selections) {
    if (node.kind === Kind.INLINE_FRAGMENT) {
      gather(node.selectionSet, node.typeCondition ? conditionOf(node.typeCondition, edits) : type, edits);
    }
    if (node.kind !== Kind.FIELD) continue;
    const { alias, name, selectionSet } = node;
    const renamed = NAMES[type]?.[name.value];
    if (renamed) replace(name, alias ? renamed : `${name.value}: ${renamed}`, edits);
    if (selectionSet) gather(selectionSet, TYPES[type]?.[name.value] ?? '', edits);
  }
}

/** The old name of the type of a fragment. */
function conditionOf({ name }: NamedTypeNode, edits: Edit[]): string {
  const renamed = TYPE_NAMES[name.value];
  if (renamed) replace(name, renamed, edits);
  return name.value;
}

function replace({ loc }: NameNode, text: string, edits: Edit[]): void {
  if (loc) edits.push({ at: loc.start, end: loc.end, text });
}
