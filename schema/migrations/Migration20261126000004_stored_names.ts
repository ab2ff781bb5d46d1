import { Migration } from '@mikro-orm/migrations';
import { Kind, type NamedTypeNode, type NameNode, parse, type SelectionSetNode } from 'graphql';
import { emptyTally } from '../../src/domain/spend/simulations/tally.rules.ts';
import type { LegacyTariff } from '../../src/domain/tariffs/legacy/legacy.format.rules.ts';
import { isLegacy, translated } from '../../src/domain/tariffs/legacy/legacy.rules.ts';
import { asUri } from '../../src/platform/outbound/outbound-url.ts';

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

const URLS = 'select company_id as "companyId", id, url from webhook_endpoint';
const SET_URL = 'update webhook_endpoint set url = ? where company_id = ?::uuid and id = ?::uuid';

/** The code of a wrong weight band, in what checks of invoices have found. */
const FINDINGS = `update carrier_invoice_finding set code = 'weight_band' where code = 'weight_class'`;
const TOTALS = `update carrier_invoice set totals = replace(totals::text, '"weight_class"', '"weight_band"')::jsonb
  where totals::text like '%"weight_class"%'`;

/** The VAT of saved quotes by its rate. It stays unknown for quotes with several rates. */
const BREAKDOWNS = `update saved_quote set price = price || jsonb_build_object('vatBreakdown', jsonb_build_array(
    jsonb_build_object('rate', price -> 'vatRate', 'taxable', price -> 'totalPrice', 'amount', price -> 'vatAmount')))
  where price -> 'vatBreakdown' is null
    and round((price ->> 'totalPrice')::numeric * (price ->> 'vatRate')::numeric / 100, 2) = (price ->> 'vatAmount')::numeric`;

/** The conditions of 0.2 that have another name. */
const CONDITIONS: Readonly<Record<string, string>> = {
  carrierCompanyId: 'carrierConnectionId',
  statusCode: 'statusCodes',
  open: 'isOpen',
  late: 'isLate',
  created: 'createdAt',
  shipped: 'shippedAt',
  delivered: 'deliveredAt',
  expected: 'expectedDeliveryAt',
};

const SIMULATIONS = 'select company_id as "companyId", id from tariff_simulation';
const SIMULATION = 'select state, about, plan, tally from tariff_simulation where company_id = ?::uuid and id = ?';
const CONVERT = `update tariff_simulation set about = ?::jsonb, plan = ?::jsonb, tally = ?::json
  where company_id = ?::uuid and id = ?`;
const BEGIN_AGAIN = `update tariff_simulation set position_key = null, position_id = null, progress = 0, batches = 0, attempts = 0
  where company_id = ?::uuid and id = ?`;
const DELETE_PAGES = 'delete from tariff_simulation_page where company_id = ?::uuid and simulation_id = ?';

/**
 * Gives what version 0.2 stored its new names and forms.
 *
 * The old name of a field in a selection of a webhook endpoint stays as an alias, so that payloads do not change. So a selection
 * may become longer than a new one may be. Selections of fields that have become connections or pairs stay as they are: no
 * selection gives the old payload, and `doctor` names these endpoints.
 */
export default class Migration20261126000004_stored_names extends Migration {
  override async up(): Promise<void> {
    for (const { companyId, id, selection } of (await this.execute(SELECTIONS)) as Endpoint[]) {
      const renamed = withNewNames(selection);
      if (renamed !== selection) await this.execute(SELECT, [renamed, companyId, id]);
    }
    for (const { companyId, id, url } of (await this.execute(URLS)) as (Omit<Endpoint, 'selection'> & {
      url: string;
    })[]) {
      if (asUri(url) !== url) await this.execute(SET_URL, [asUri(url), companyId, id]);
    }
    await this.execute(FINDINGS);
    await this.execute(TOTALS);
    await this.execute(BREAKDOWNS);
    for (const { companyId, id } of (await this.execute(SIMULATIONS)) as { companyId: string; id: number }[]) {
      const [stored] = (await this.execute(SIMULATION, [companyId, id])) as [Simulation];
      const { about, plan, tally } = converted(stored);
      await this.execute(CONVERT, [JSON.stringify(about), JSON.stringify(plan), JSON.stringify(tally), companyId, id]);
      if (stored.state !== 'running') continue;
      await this.execute(BEGIN_AGAIN, [companyId, id]);
      await this.execute(DELETE_PAGES, [companyId, id]);
    }
  }
}

interface SimulatedTariff {
  readonly document?: object | null;
}

interface Simulation {
  readonly state: string;
  readonly about: { readonly tariffs: readonly SimulatedTariff[] };
  readonly plan: {
    readonly filter?: Readonly<Record<string, unknown>> | null;
    readonly tariffs: readonly SimulatedTariff[];
    readonly booked?: readonly SimulatedTariff[];
  };
  readonly tally: { readonly tariffs?: readonly object[]; readonly booked?: Readonly<Record<string, object>> };
}

/** A simulation that runs begins again, since its sums by month are missing. */
function converted({ state, about, plan, tally }: Simulation): Omit<Simulation, 'state'> {
  const filter =
    plan.filter &&
    Object.fromEntries(Object.entries(plan.filter).map(([name, value]) => [CONDITIONS[name] ?? name, value]));
  const { tariffs = [], booked = {} } = tally;
  return {
    about: { ...about, tariffs: about.tariffs.map(withService) },
    plan: {
      ...plan,
      ...(filter && { filter }),
      tariffs: plan.tariffs.map(inFormat).map(withService),
      booked: (plan.booked ?? []).map(inFormat).map(withService),
    },
    tally:
      state === 'running'
        ? emptyTally(plan.tariffs.length)
        : {
            ...tally,
            tariffs: tariffs.map(of => ({ services: {}, ...withAccount(of) })),
            booked: Object.fromEntries(Object.entries(booked).map(([id, of]) => [id, withAccount(of)])),
          },
  };
}

const withService = (one: SimulatedTariff) => ({ service: null, ...one });
const withAccount = (sum: object) => ({ months: {}, account: { charges: [] }, ...sum });

function inFormat(one: SimulatedTariff): SimulatedTariff {
  const { document } = one;
  return document && isLegacy(document) ? { ...one, document: translated(document as LegacyTariff) } : one;
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
