import { expect, test } from 'vitest';
import { connectWith } from '../rest/tariffs.ts';
import { Dice } from '../rules/dice.ts';
import { randomAsk, randomTariff } from '../rules/random-tariffs.ts';
import { ask, createWarehouse, type Item, times, upsertOrders, upsertShipments } from '../support/platform-side.ts';
import { type Caller, useSharedWorld } from '../support/world.ts';
import { csvOf, rowsOf, simulate } from './simulation-calls.ts';

/** A simulation of the tariffs in force gives the quoted prices. */

const world = useSharedWorld();
const DAY = '2026-10-10';
const SHIPPED = { shippedAt: `${DAY}T10:00:00Z` };
const SHIPMENTS = 300;
const QUOTES = `query ($inputs: [QuoteInput!]!) { quoteShipments(inputs: $inputs) { index code quote {
  ... on QuoteList { items { carrierConnectionId totalPrice chargeableWeight explanation { zone { code } } } excluded { carrierConnectionId code } }
  ... on QuoteWarning { details { carrierConnectionId code } } } } }`;

interface Quoted {
  readonly code: string | null;
  readonly quote: {
    readonly items?: readonly {
      carrierConnectionId: number;
      totalPrice: string;
      chargeableWeight: string;
      explanation: { zone: { code: string } };
    }[];
    readonly excluded?: readonly { carrierConnectionId: number; code: string }[];
    readonly details?: readonly { carrierConnectionId: number; code: string }[];
  } | null;
}

/** A shipment, its order if it has one, and how it is quoted. */
interface Case {
  readonly order: Item | undefined;
  readonly shipment: Item;
  readonly quote: (orderIds: ReadonlyMap<string, number>) => Item;
}

function randomCase(dice: Dice, i: number, warehouseId: number, carrierConnectionId: number): Case {
  const { to, totals, parcels = [], cod, insured } = randomAsk(dice);
  const { countryCode = 'IT', ...place } = to ?? {};
  const trackingNumber = `T${String(i).padStart(4, '0')}`;
  const recipient = { address: 'Via Roma 1', ...place, countryCode };
  const kinds = parcels.map(({ kg, sides: [length, width, height], quantity = 1 }) => ({
    weight: String(kg),
    length: String(length),
    width: String(width),
    height: String(height),
    quantity,
  }));
  const amounts = { codAmount: cod ? String(cod) : null, insuranceAmount: insured ? String(insured) : null };
  const common = { carrierConnectionId, trackingNumber, ...SHIPPED };
  if (totals) {
    const { kg, cm3 = 0, parcels: parcelNumber = 1 } = totals;
    const weight = kg.toFixed(3);
    const destination = { ...place, country: countryCode };
    const shipment = { ...common, warehouseId, recipient, weight, volume: String(cm3), parcelCount: parcelNumber };
    const quote = { warehouseId, destination, totalWeight: weight, totalVolume: String(cm3), parcelNumber };
    return { order: undefined, shipment, quote: () => ({ ...quote, shipmentDate: DAY }) };
  }
  const order = { orderNumber: trackingNumber, recipient, warehouseId, parcels: kinds, ...amounts };
  return {
    order,
    shipment: { ...common, orderNumber: trackingNumber },
    quote: ids => ({ orderId: ids.get(trackingNumber) as number, shipmentDate: DAY }),
  };
}

async function quotesOf(caller: Caller, inputs: readonly Item[]): Promise<Quoted[]> {
  const found: Quoted[] = [];
  for (let from = 0; from < inputs.length; from += 50) {
    const some = inputs.slice(from, from + 50);
    found.push(...(await ask<Quoted[]>(caller, QUOTES, { inputs: some })));
  }
  return found;
}

test('A simulation of the tariffs in force costs every shipment its quoted price, to the cent', async () => {
  const caller = await world.company();
  const warehouseId = await createWarehouse(caller);
  const dice = new Dice(20_261_123);
  const documents = times(6, () => randomTariff(dice));
  const ids: number[] = [];
  for (const document of documents) ids.push(await connectWith(caller, document));
  const cases = times(SHIPMENTS, i => randomCase(dice, i, warehouseId, dice.of(ids)));
  const sent = cases.flatMap(({ order }) => (order ? [order] : []));
  const orders = await upsertOrders(caller, sent);
  expect(orders.rejected).toBe(0);
  const orderIds = new Map(
    sent.map(({ orderNumber }, i) => [String(orderNumber), orders.results[i]?.databaseId as number]),
  );
  expect(
    (
      await upsertShipments(
        caller,
        cases.map(({ shipment }) => shipment),
      )
    ).rejected,
  ).toBe(0);
  const quotes = await quotesOf(
    caller,
    cases.map(({ quote }) => quote(orderIds)),
  );

  const simulation = await simulate(caller, { period: { from: DAY, to: DAY } });
  expect(simulation).toMatchObject({ state: 'done', shipments: SHIPMENTS });
  const rows = new Map(rowsOf(await csvOf(caller, simulation)).map(row => [row.tracking_number, row]));
  const met = { priced: 0, excluded: 0, ambiguous: 0 };
  const totals = ids.map(() => 0);
  for (const [i, { shipment }] of cases.entries()) {
    const { quote } = quotes[i] as Quoted;
    const row = rows.get(String(shipment.trackingNumber)) as Record<string, string>;
    const cells = Object.values(row).slice(9);
    for (const [position, id] of ids.entries()) {
      const [price, zone, kg] = cells.slice(position * 4);
      const item = quote?.items?.find(({ carrierConnectionId }) => carrierConnectionId === id);
      const exclusion = [...(quote?.excluded ?? []), ...(quote?.details ?? [])].find(
        ({ carrierConnectionId }) => carrierConnectionId === id,
      );
      if (quote === null) {
        // A quote is refused as a whole; a simulation says it of the tariffs on which the prices differ.
        met.ambiguous++;
        continue;
      }
      if (item) {
        met.priced++;
        totals[position] = (totals[position] as number) + Math.round(Number(item.totalPrice) * 100);
        expect([price, zone, Number(kg?.replace(',', '.'))]).toEqual([
          Number(item.totalPrice).toFixed(2).replace('.', ','),
          item.explanation.zone.code,
          Number(item.chargeableWeight),
        ]);
        if (id === shipment.carrierConnectionId) expect(row.was).toBe(price);
      } else {
        met.excluded++;
        expect([price, zone]).toEqual(['', exclusion?.code]);
        if (id === shipment.carrierConnectionId) expect(row.was).toBe(zone);
      }
    }
  }
  expect(met.priced).toBeGreaterThan(SHIPMENTS);
  expect(met.excluded).toBeGreaterThan(100);
  expect(met.ambiguous).toBe(0);
  expect(simulation.tariffs.map(({ total }) => Math.round(Number(total) * 100))).toEqual(totals);
});
