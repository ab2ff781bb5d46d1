import { getNamedType, isObjectType } from 'graphql';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { TARIFF_DOCUMENT } from '../../src/graphql/costs.ts';
import { TEXTS, textFields } from '../../src/graphql/work-plugin.ts';
import { CHARACTERS_PER_UNIT } from '../../src/platform/limits/work.ts';
import { TARIFF } from '../rest/feed.ts';
import { furnishAll } from '../security/support/furnish.ts';
import { literalArguments } from '../security/support/literals.ts';
import { type Field, type Ids, SDL, validArguments } from '../security/support/sdl.ts';
import { documentAlong, wayTo } from '../security/support/way.ts';
import { withClient } from '../support/databases.ts';
import { ask, shipment, times, upsertShipments } from '../support/platform-side.ts';
import { REACHABLE, useReceiver } from '../support/receiver.ts';
import { PATIENTLY } from '../support/time.ts';
import { type Caller, useWorld } from '../support/world.ts';
import { furnishLists, type Sample, sampledArguments } from './list-sample.ts';

/**
 * Every text of the graph, found in its SDL, is paid for by its length each time that it stands in a response: under many
 * aliases, and in each entry of the lists that lead to it.
 */

const receiver = useReceiver();
const world = useWorld({ ...REACHABLE, GRAPHQL_MAX_COST: '1000000000', CARRIER_SANDBOX_URL: 'http://127.0.0.1:9' });

const MOST_ALIASES = 200;
const MANY_CHARACTERS = 200 * CHARACTERS_PER_UNIT;
const DOCUMENT = 20_000;

/** Texts that the companies of this test do not have, by type or field. None has a length that a caller decides. */
const NOT_SHOWN: Readonly<Record<string, string>> = {
  AddressSuggestion: 'A carrier gives them with its response to an address check; a document may have three.',
  AfterShipmentCharge: 'They are texts of the tariff, as those of QuoteLine.',
  'CarrierInvoiceFinding.rule': 'It is a pointer into the tariff, as that of QuoteLine.',
  'CarrierInvoiceLeftOutRows.reason': 'The service writes it.',
  'CarrierClaimsCsv.endCursor': 'A cursor has a length of its own.',
  'CreateApiKeyPayload.apiKey': 'A key has a length of its own.',
  'CreateNoticeEndpointPayload.secret': 'A secret has a length of its own.',
  'CreateWebhookEndpointPayload.secret': 'A secret has a length of its own.',
  'ImportCarrierInvoicePayload.remarks': 'The service writes them, with names of sheets of 31 characters at most.',
  'TableMapping.sheet': 'It is the name of a sheet, of 31 characters at most.',
  'QuoteExclusion.rule': 'It is a pointer into the tariff, as that of QuoteLine.',
  'QuoteExclusion.version': 'It is the label of the version, as that of QuoteExplanation.',
  'QuoteExplanation.vatNote': 'The service writes it.',
  'QuoteLine.vatNote': 'The service writes it.',
  QuotePallets: 'They are texts of the tariff, as those of QuoteLine.',
  'RelatedShipmentAdded.trackingNumber': 'A carrier names it; it is as long as a tracking number may be.',
  RepricedShipment: 'A simulation names the 20 shipments that change most, either way.',
  'RotateApiKeyPayload.apiKey': 'A key has a length of its own.',
  'RotateWebhookSecretPayload.secret': 'A secret has a length of its own.',
  'SavedQuote.serviceCode': 'It is a text of the tariff, as those of QuoteLine.',
  'SavedQuote.serviceName': 'It is a text of the tariff, as those of QuoteLine.',
  'ShipmentCount.province': 'A province has two letters.',
  SimulatedAccountCharge: 'They are texts of the tariff, as those of QuoteLine.',
  'SimulatedTariff.service': 'It is a text of the tariff, as those of QuoteLine.',
  SimulatedBonus: 'They are texts of the tariff, as those of QuoteLine.',
  SimulatedService: 'They are texts of the tariff, as those of QuoteLine.',
  TableLeftOutRow: 'They are cells of the file that the request brings.',
  'TableProblem.sheet': 'It is the name of a sheet, of 31 characters at most.',
  TariffWarning: 'The service writes it, with names of the tariff, as those of QuoteLine.',
  'TrackingEvent.label': 'It is as long as a tracking number may be.',
  'TariffRevision.problem': 'The service writes it.',
  UserError: 'Nothing is stored with it, and the request that it is about has paid for its length.',
};

/** The lists by whose arguments a type is found. */
const LISTS: Readonly<Record<string, string>> = {
  QuoteExclusion: 'QuoteWarning.details',
  QuoteNotice: 'QuoteList.notices',
  QuoteOption: 'Quote.carrierOptionsDetail',
};

interface TextField {
  readonly name: string;
  readonly owner: string;
  readonly field: Field;
}

const FIELDS: readonly TextField[] = Object.values(SDL.getTypeMap()).flatMap(owner => {
  if (!isObjectType(owner) || owner.name.startsWith('__')) return [];
  const fields = Object.values(owner.getFields()).filter(({ type }) => TEXTS.has(getNamedType(type).name));
  return fields.map(field => ({ name: `${owner.name}.${field.name}`, owner: owner.name, field }));
});

/** Companies that have something of everything, and whose lists have several entries. */
let companies: readonly Sample[];
beforeAll(async () => {
  const caller = await world.sandbox();
  const { cursor } = await ask<{ cursor: string }>(caller, '{ changeLog { cursor } }');
  const furnished = await furnishAll({ database: world.app.database }, caller, receiver.url);
  const unfinished = `select from tariff_simulation where state = 'running'`;
  await vi.waitFor(async () => expect((await world.pool.query(unfinished)).rowCount).toBe(0), PATIENTLY);
  const draft = await differingDraft(caller, furnished);
  const ids = { ...furnished, changeCursor: cursor, draft };
  companies = [{ caller, count: 2, ids, withoutTariff: [], options: [] }, await furnishLists(world, 2)];
  await lengthen(caller, ids);
  // A test that begins at the end of a minute would see two of them.
  vi.useFakeTimers({ toFake: ['Date'] });
}, 120_000);
afterAll(() => {
  vi.useRealTimers();
});

/** A draft with which the tariff in force can be compared. */
async function differingDraft(caller: Caller, { connection }: Ids): Promise<number> {
  const [version] = TARIFF.versions;
  const zones = version?.zones.map(zone => ({ ...zone, name: 'Italia intera', bands: [{ upToKg: 10, price: 6 }] }));
  const surcharges = [{ code: 'extra', description: 'Supplemento', price: { fixed: 1 } }];
  const tariff = { ...TARIFF, name: 'Prezzi nuovi', versions: [{ ...version, label: 'Nuova', zones, surcharges }] };
  const DRAFT =
    'mutation ($input: CreateTariffDraftInput!) { createTariffDraft(input: $input) { tariffRevision { databaseId } userErrors { code pointer message } } }';
  return (await ask<{ databaseId: number }>(caller, DRAFT, { input: { carrierConnectionId: connection, tariff } }))
    .databaseId;
}

/** Gives texts to records without texts. */
async function lengthen(caller: Caller, { connection, endpoint }: Ids): Promise<void> {
  for (const weight of ['6', '7']) await upsertShipments(caller, [shipment(connection, 'CHANGED', { weight })]);
  const condition = { key: 'channel', values: ['b2b', 'b2c'] };
  const filter = JSON.stringify({ marketplaces: ['amazon'], metadata: [condition] });
  await withClient(world.ownerUrl, async client => {
    for (const table of ['customer_order', 'shipment'])
      await client.query(`update ${table} set metadata = '{"channel": "b2b"}'`);
    await client.query(`update webhook_attempt set answer = 'received'`);
    await client.query(`update tracking_event set carrier_status_code = 'code of the carrier'`);
    await client.query(`update carrier_connection set base_url = 'https://carrier.example/'`);
    await client.query(
      `update carrier_call set response_body = '{"found": false}', response_headers = '{"server": "carrier"}'`,
    );
    await client.query(`update tariff_simulation set problem = 'stopped'`);
    await client.query(`update webhook_endpoint set selection = '{ gone }', filter = $2 where id = $1`, [
      endpoint,
      filter,
    ]);
  });
}

/** Sends a document, and returns its data and what its company has left to spend in this minute. */
async function asked({ caller }: Sample, query: string) {
  const response = await fetch(`${world.app.url}/graphql`, {
    method: 'POST',
    headers: { 'x-api-key': caller.apiKey, 'content-type': 'application/json' },
    // The length of a document costs too.
    body: JSON.stringify({ query: query.padEnd(DOCUMENT) }),
  });
  const { data, errors } = (await response.json()) as { data?: unknown; errors?: unknown };
  expect(errors, query.slice(0, 200)).toBeUndefined();
  return { data, left: Number(/"cost";r=(\d+)/.exec(response.headers.get('ratelimit') ?? '')?.[1]) };
}

/** The values at the keys `a0`, `a1` … of a response. */
function valuesIn(value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => (/^a\d+$/.test(key) ? [inner] : valuesIn(inner)));
}

function charactersOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  const names = Array.isArray(value) ? 0 : Object.keys(value).join('').length;
  return Object.values(value).reduce((sum, inner) => sum + charactersOf(inner), names);
}
const charactersIn = (data: unknown) => valuesIn(data).reduce<number>((sum, value) => sum + charactersOf(value), 0);

/** The shortest document that leads to a field; undefined where only a mutation does that stores something. */
function documentFor({ owner, name, field }: TextField, sample: Sample, selected: string): string | undefined {
  const argumentsOf = (of: Field) => ({
    ...validArguments(of, sample.ids),
    ...(of.name === 'changes' && { first: 100 }),
    // A worker may record another call between two documents that are compared.
    ...(/calls$/i.test(of.name) && { first: 1 }),
    ...sampledArguments(sample, of.name, LISTS[owner] ?? name),
  });
  const isOpen = (at: string, { name: step }: Field) =>
    at !== 'Mutation' || step === 'upsertOrders' || step === 'importOrders';
  // Only an import has problems of rows.
  const kinds = owner === 'TableProblem' ? (['mutation'] as const) : (['query', 'mutation'] as const);
  for (const kind of kinds) {
    const way = wayTo(owner, sample.ids, { kind, isOpen, argumentsOf });
    const text = field.name + literalArguments(field, argumentsOf(field));
    if (way) return documentAlong(way, selected.replaceAll('$', text), kind);
  }
  return undefined;
}

const aliased = (count: number, text: string) => times(count, i => `a${i}: ${text}`).join(' ');

test.each(FIELDS)('The field $name is charged for the length of its text', async one => {
  for (const sample of companies) {
    const once = documentFor(one, sample, aliased(1, '$'));
    const characters = once === undefined ? 0 : charactersIn((await sample.caller.graphql(once)).data);
    if (characters === 0) continue;
    const isWhole = textFields.get(one.name) === 'price';
    const count = isWhole ? 2 : Math.min(MOST_ALIASES, Math.max(2, Math.ceil(MANY_CHARACTERS / characters)));
    const many = (text: string) => documentFor(one, sample, aliased(count, text)) ?? '';
    const { left: before } = await asked(sample, '{ __typename }');
    const { left: between, data } = await asked(sample, many('$'));
    const { left: after } = await asked(sample, many('__typename'));
    const paid = before - between - (between - after);
    expect(paid).toBeGreaterThan(0.9 * (isWhole ? count * TARIFF_DOCUMENT : charactersIn(data) / CHARACTERS_PER_UNIT));
    return;
  }
  const [owner = ''] = one.name.split('.');
  expect({ ...NOT_SHOWN }, 'It needs a sample').toHaveProperty([one.name in NOT_SHOWN ? one.name : owner]);
});
