import { priceIn } from '../../../quotes/price/province.rules.ts';
import type { CompiledTariff } from '../../../tariffs/compile/compiled-tariff.rules.ts';
import { exclusionMessage } from '../../../tariffs/exclusion-words.rules.ts';
import { isPriceable, type NotPriceable, type Shipped } from '../../shipped.rules.ts';
import { type BilledLine, netOf, sumOf } from '../billed-line.rules.ts';
import type { LineState } from '../invoices.rules.ts';
import type { ChargeKind } from '../reading/invoice-mapping.format.rules.ts';
import type { StatedTerms } from '../stated-terms.rules.ts';
import { AccountCheck, type AccountContext, accountCharges } from './account-findings.rules.ts';
import { checkLine, kindsOf, totalFinding } from './check-line.rules.ts';
import type { Tracked } from './event-findings.rules.ts';
import type { Finding } from './finding-codes.rules.ts';
import { possiblePrices } from './possible-prices.rules.ts';
import { shipmentOf } from './shipment-as-billed.rules.ts';

/** Checks lines of an invoice with the data of their shipments, which are plain, so that a thread can do it. */

/** A line with the shipments that its number finds. */
export interface LineToCheck {
  readonly line: BilledLine;
  readonly found: readonly (Shipped | NotPriceable)[];
}

export interface LinesToCheck {
  readonly lines: readonly LineToCheck[];
  /** By shipment; only for shipments with charges for storage or return. */
  readonly tracked: ReadonlyMap<number, Tracked | undefined>;
  /** By shipment: charges that were billed earlier, as sums of `kindsOf`. */
  readonly billedBefore: ReadonlyMap<number, number>;
  /** The charges that the invoice can bill. */
  readonly covers: readonly ChargeKind[];
  /** Terms of all lines. */
  readonly terms: StatedTerms;
  /** Undefined for an invoice without charges for the account. */
  readonly account: AccountContext | undefined;
}

/** The result of the check of a line. */
export interface LineResult {
  readonly state: LineState;
  readonly reason: string | null;
  readonly shipmentId: number | null;
  readonly dueCents: number | null;
  readonly findings: readonly Finding[];
}

/** The results of lines, in their order. */
export function* checkedLines(of: LinesToCheck, tariff: CompiledTariff | undefined): Generator<LineResult> {
  const billed = new Map(of.billedBefore);
  const account = tariff && of.account && new AccountCheck(tariff, of.account);
  for (const one of of.lines) {
    const isOfAccount = account !== undefined && accountCharges(one.line).length > 0;
    yield isOfAccount && netOf(one.line) >= 0
      ? withAccount(one, account.findings(one.line), rest => resultOf(rest, of, billed, tariff))
      : resultOf(one, of, billed, tariff);
    const [shipped] = one.found;
    if (one.found.length === 1 && shipped) {
      billed.set(shipped.id, (billed.get(shipped.id) ?? 0) | kindsOf(one.line));
    }
  }
}

/** The result of a line with charges for the account, alone or with charges of a shipment. */
function withAccount(
  one: LineToCheck,
  found: readonly Finding[],
  resultOfRest: (rest: LineToCheck) => LineResult,
): LineResult {
  const { line } = one;
  const ofAccount = accountCharges(line);
  const charges = line.charges.filter(charge => !ofAccount.includes(charge));
  if (charges.every(({ cents }) => cents === 0)) {
    const findings = [...found, ...totalFinding(line)];
    const dueCents = netOf(line) - findings.reduce((sum, { amountCents }) => sum + amountCents, 0);
    return { state: findings.length > 0 ? 'differs' : 'agrees', reason: null, shipmentId: null, dueCents, findings };
  }
  const account = sumOf(ofAccount);
  const netCents = line.netCents === null ? null : line.netCents - account;
  // VAT of the account is part of the line's VAT, and its rate is not known.
  const result = resultOfRest({ ...one, line: { ...line, charges, netCents, vatCents: null, vatPpm: null } });
  if (result.dueCents === null) return result;
  const findings = [...found, ...result.findings];
  const over = found.reduce((sum, { amountCents }) => sum + amountCents, 0);
  const dueCents = result.dueCents + account - over;
  const state = result.state === 'agrees' && findings.length > 0 ? 'differs' : result.state;
  return { ...result, state, dueCents, findings };
}

function resultOf(
  { line, found }: LineToCheck,
  { tracked, covers, terms }: LinesToCheck,
  billed: ReadonlyMap<number, number>,
  tariff: CompiledTariff | undefined,
): LineResult {
  const net = netOf(line);
  const [one] = found;
  const nothing = { reason: null, shipmentId: null, dueCents: null, findings: [] };
  if (found.length > 1) return { ...nothing, state: 'ambiguous', reason: `${found.length} shipments have the number` };
  if (net < 0) return { ...nothing, state: 'credit', shipmentId: one?.id ?? null };
  if (one === undefined) {
    const explanation = 'no shipment of the connection has the number';
    const amounts = { amountCents: net, billedCents: net, dueCents: 0 };
    const findings = net === 0 ? [] : [{ code: 'unknown_shipment', ...amounts, rule: null, explanation } as const];
    return { ...nothing, state: 'unknown', dueCents: 0, findings };
  }
  const notPriced = (reason: string) => ({ ...nothing, state: 'not_priced', shipmentId: one.id, reason }) as const;
  if (!isPriceable(one)) return notPriced(one.detail);
  if (tariff === undefined) return notPriced(exclusionMessage({ is: 'no_tariff' }));
  const termed = shipmentOf(line, one, tariff, terms);
  const { shipment } = termed;
  const price = priceIn(tariff, shipment, one.destinations);
  const possible = possiblePrices(termed, price.ok ? price : undefined, one, tariff);
  if (!price.ok) return notPriced(possible?.reason ?? exclusionMessage(price.reason));
  const known = { tracked: tracked.get(one.id), billedBefore: billed.get(one.id) ?? 0 };
  const findings = checkLine(line, { tariff, price, shipment, possible, covers, ...known });
  const over = findings.reduce((sum, { code, amountCents }) => sum + (code === 'vat' ? 0 : amountCents), 0);
  const state = findings.length > 0 ? 'differs' : 'agrees';
  return { state, reason: null, shipmentId: one.id, dueCents: net - over, findings };
}
