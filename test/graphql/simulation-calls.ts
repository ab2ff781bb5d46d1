// Simulations of tariffs as callers ask for them.

import { parse } from 'csv-parse/sync';
import { expect, vi } from 'vitest';
import { ask, type Item } from '../support/platform-side.ts';
import { SEEN_WITHIN_MS } from '../support/time.ts';
import type { Caller } from '../support/world.ts';

const NOT_PRICED = 'notPriced { reason shipments examples detail }';
const MOVES = `trackingNumber orderNumber shipmentDate carrierConnectionId tariffNumber before after difference
  explanationBefore { tariffName lines { code amount } } explanation { tariffName version zone { code } lines { code amount calculation(language: EN) } }`;
const COMPARISON = `comparison { shipments before after difference largestSavings { ${MOVES} } largestIncreases { ${MOVES} } }`;
/** All of a simulation but its CSV. */
export const SIMULATION = `id databaseId state problem progress shipments period { from to } createdAt finishedAt expiresAt
  asShipped { shipments total byConnection { carrierConnectionId shipments total totalWithVat } ${NOT_PRICED} }
  tariffs { number name carrierConnectionId isInForce pricingDate revision { databaseId } shipments total totalWithVat ${COMPARISON} ${NOT_PRICED}
    cheapestShipments cheapestTotal zones { code name shipments basePrice bands { overKg upToKg shipments shipmentsBeyond basePrice } }
    lines { code component description shipments amount } }
  cheapestMix { shipments total totalWithVat ${COMPARISON} }
  notPriceable { reason shipments examples detail }`;
export const SIMULATE = `mutation ($input: SimulateTariffsInput!) {
  simulateTariffs(input: $input) { simulation { ${SIMULATION} } userErrors { code pointer message } } }`;

export interface NotPriced {
  readonly reason: string;
  readonly shipments: number;
  readonly examples: readonly string[];
  readonly detail: string | null;
}
interface Move {
  readonly trackingNumber: string;
  readonly before: string;
  readonly after: string;
  readonly difference: string;
  readonly explanationBefore: { readonly lines: readonly { readonly code: string; readonly amount: string }[] };
  readonly explanation: {
    readonly tariffName: string;
    readonly lines: readonly { readonly code: string; readonly amount: string }[];
  };
}
interface Comparison {
  readonly shipments: number;
  readonly before: string;
  readonly after: string;
  readonly difference: string;
  readonly largestSavings: readonly Move[];
  readonly largestIncreases: readonly Move[];
}
interface SimulatedTariff {
  readonly name: string;
  readonly shipments: number;
  readonly total: string;
  readonly totalWithVat: string;
  readonly comparison: Comparison;
  readonly notPriced: readonly NotPriced[];
  readonly cheapestShipments: number;
  readonly cheapestTotal: string;
  readonly zones: readonly { code: string; shipments: number; basePrice: string; bands: readonly Item[] }[];
  readonly lines: readonly { code: string; component: string; shipments: number; amount: string }[];
  readonly [field: string]: unknown;
}
export interface Simulation {
  readonly id: string;
  readonly databaseId: number;
  readonly state: string;
  readonly problem: string | null;
  readonly progress: number;
  readonly shipments: number;
  readonly asShipped: {
    readonly shipments: number;
    readonly total: string;
    readonly byConnection: readonly Item[];
    readonly notPriced: readonly NotPriced[];
  };
  readonly tariffs: readonly SimulatedTariff[];
  readonly cheapestMix: { shipments: number; total: string; totalWithVat: string; comparison: Comparison };
  readonly notPriceable: readonly NotPriced[];
  readonly [field: string]: unknown;
}

export const simulate = (caller: Pick<Caller, 'graphql'>, input: Item) => ask<Simulation>(caller, SIMULATE, { input });

export const simulationOf = (caller: Pick<Caller, 'graphql'>, id: number | string) =>
  ask<Simulation>(caller, `query ($id: ID!) { tariffSimulation(id: $id) { ${SIMULATION} } }`, { id });

/** A simulation once it no longer runs. */
export async function ended(caller: Pick<Caller, 'graphql'>, { databaseId }: Simulation): Promise<Simulation> {
  return vi.waitFor(
    async () => {
      const found = await simulationOf(caller, databaseId);
      expect(found.state).not.toBe('running');
      return found;
    },
    { timeout: 10 * SEEN_WITHIN_MS, interval: 100 },
  );
}

const PAGES = `query ($id: ID!, $after: String) { tariffSimulation(id: $id) {
  csvPages(first: 2, after: $after) { nodes { number shipments csv } pageInfo { hasNextPage endCursor } totalCount } } }`;

interface CsvPages {
  readonly csvPages: {
    readonly nodes: readonly { readonly number: number; readonly shipments: number; readonly csv: string }[];
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
    readonly totalCount: number;
  };
}

/** The whole CSV as a file has it. */
export async function csvOf(caller: Pick<Caller, 'graphql'>, { databaseId: id }: Simulation): Promise<string> {
  let text = '';
  let after: string | null = null;
  for (;;) {
    const found: CsvPages = await ask<CsvPages>(caller, PAGES, { id, after });
    const { nodes, pageInfo } = found.csvPages;
    text += nodes.map(({ csv }) => csv).join('');
    if (!pageInfo.hasNextPage) return text;
    after = pageInfo.endCursor;
  }
}

/** The lines of a CSV by their columns. */
export function rowsOf(csv: string): Record<string, string>[] {
  return parse(csv, { delimiter: ';', columns: true }) as Record<string, string>[];
}
