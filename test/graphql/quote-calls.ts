// Quotes with everything that the graph says of them.
import { expect } from 'vitest';
import type { Fields } from '../rest/tariffs.ts';
import { ask } from '../support/platform-side.ts';
import type { Caller } from '../support/world.ts';

const ITEM = `carrierConnectionId carrierCode carrierName chargeableWeight realWeight volumetricWeight basePrice fuelPrice
  surchargesPrice optionsPrice codPrice insurancePrice carrierOptionsDetail { code price calculated description }
  totalPrice vatRate vatAmount totalPriceWithVat currency estimatedDeliveryDays`;
const EXPLANATION = `tariffId tariffName version validFrom weight(language: EN) vatNote
  zone { code name ruleKind place(language: EN) rule } band { overKg upToKg price steps stepKg stepPrice }
  lines { code component description amount calculation(language: EN) rule }`;
const EXCLUSION = 'carrierConnectionId carrierName code message version rule';
const NOTICES = 'notices { code pointer message(language: EN) }';
/** All of a quote. */
export const QUOTE_FIELDS = `__typename
  ... on QuoteList { items { ${ITEM} explanation { ${EXPLANATION} } } excluded { ${EXCLUSION} } ${NOTICES} }
  ... on QuoteWarning { warning code message details { ${EXCLUSION} } ${NOTICES} }`;
export const QUOTE = `query ($input: QuoteInput!) { quoteShipment(input: $input) { ${QUOTE_FIELDS} } }`;

interface Line {
  readonly code: string;
  readonly component: string;
  readonly amount: string;
  readonly calculation: string;
  readonly description: string;
  readonly rule: string;
}
interface Explanation {
  readonly tariffId: number;
  readonly tariffName: string;
  readonly version: string;
  readonly validFrom: string;
  readonly weight: string;
  readonly vatNote: string | null;
  readonly zone: { code: string; name: string; ruleKind: string; place: string; rule: string };
  readonly band: Record<'overKg' | 'upToKg' | 'price', string> & {
    steps: number;
    stepKg: string | null;
    stepPrice: string | null;
  };
  readonly lines: readonly Line[];
}
interface Item {
  readonly carrierConnectionId: number;
  readonly explanation: Explanation;
  readonly [field: string]: unknown;
}
interface Exclusion {
  readonly carrierConnectionId: number;
  readonly code: string;
  readonly message: string;
  readonly version: string | null;
  readonly rule: string;
}
export interface Result {
  readonly __typename: 'QuoteList' | 'QuoteWarning';
  readonly items: readonly Item[];
  readonly excluded: readonly Exclusion[];
  readonly details: readonly Exclusion[];
  readonly notices: readonly { code: string; pointer: string; message: string }[];
  readonly code?: string;
}

/** The answer with decimals in their shortest form: how many zeros stand behind is not what tests are about. */
export async function quoteGraph(caller: Caller, input: Fields): Promise<Result> {
  const result = await ask<Result>(caller, QUOTE, { input });
  return JSON.parse(
    JSON.stringify(result, (_name, value) =>
      typeof value === 'string' && /^\d+\.\d+$/.test(value) ? value.replace(/\.?0+$/, '') : value,
    ),
  ) as Result;
}

export async function listOf(caller: Caller, input: Fields): Promise<Result> {
  const result = await quoteGraph(caller, input);
  expect(result.__typename).toBe('QuoteList');
  return result;
}

export async function onlyItem(caller: Caller, input: Fields): Promise<Item> {
  const { items } = await listOf(caller, input);
  expect(items).toHaveLength(1);
  return items[0] as Item;
}
