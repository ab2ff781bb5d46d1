import { priceIn } from '../../../pricing/quotes/price/province.rules.ts';
import type { CompiledTariff } from '../../../pricing/tariffs/compile/compiled-tariff.rules.ts';
import { exclusionMessage } from '../../../pricing/tariffs/exclusion-words.rules.ts';
import { isPriceable, type NotPriceable, type Shipped } from '../../shipped.rules.ts';
import { type BilledLine, netOf, numberOf, sumOf } from '../billed-line.rules.ts';
import type { LineState } from '../invoices.rules.ts';
import type { ChargeKind } from '../reading/invoice-mapping.format.rules.ts';
import type { StatedTerms } from '../stated-terms.rules.ts';
import { AccountCheck, type AccountContext, accountCharges } from './account-findings.rules.ts';
import { billsBase } from './billed-parts.rules.ts';
import {
  type BilledBefore,
  checkLine,
  correctsPrice,
  hasBase,
  kindsOf,
  NOTHING_BEFORE,
  totalFinding,
} from './check-line.rules.ts';
import type { Tracked } from './event-findings.rules.ts';
import { type ExplainedFinding, explained, type Finding } from './finding-codes.rules.ts';
import { FINDING_WORDS } from './finding-words.rules.ts';
import { possiblePrices } from './possible-prices.rules.ts';
import { shipmentOf } from './shipment-as-billed.rules.ts';

/** Checks lines of an invoice with the data of their shipments, which are plain, so that a thread can do it. */

/** A line with the shipments that its number finds. */
export interface LineToCheck {
  readonly line: BilledLine;
  readonly found: readonly (Shipped | NotPriceable)[];
  /** The number of the shipment, if it differs from the line's by zeros at its beginning. */
  readonly foundAs?: string | undefined;
}

export interface LinesToCheck {
  readonly lines: readonly LineToCheck[];
  /** By shipment; only for shipments with charges for storage or return. */
  readonly tracked: ReadonlyMap<number, Tracked | undefined>;
  /** By shipment. */
  readonly billedBefore: ReadonlyMap<number, BilledBefore>;
  /** The charges that the invoice can bill. */
  readonly covers: readonly ChargeKind[];
  /** Terms of all lines. */
  readonly terms: StatedTerms;
  /** Undefined for an invoice without charges for the account. */
  readonly account: AccountContext | undefined;
}

/** The result of the check of a line. */
export interface LineResult<Found = ExplainedFinding> {
  readonly state: LineState;
  readonly reason: string | null;
  readonly shipmentId: number | null;
  readonly dueCents: number | null;
  readonly findings: readonly Found[];
}

type Result = LineResult<Finding>;

/** The results of lines, in their order. */
export function* checkedLines(of: LinesToCheck, tariff: CompiledTariff | undefined): Generator<LineResult> {
  const billed = new Map(of.billedBefore);
  const account = tariff && of.account && new AccountCheck(tariff, of.account);
  for (const one of of.lines) {
    const isOfAccount = account !== undefined && accountCharges(one.line).length > 0;
    const result =
      isOfAccount && netOf(one.line) >= 0
        ? withAccount(one, account.findings(one.line), rest => resultOf(rest, of, billed, tariff))
        : resultOf(one, of, billed, tariff);
    yield { ...result, findings: result.findings.map(explained) };
    addBilled(billed, one, result);
  }
}

/** Adds the charges of a line to the charges before the next lines. The price of a shipment is due once. */
export function addBilled(
  billed: Map<number, BilledBefore>,
  { line, found }: LineToCheck,
  { dueCents }: Pick<LineResult, 'dueCents'>,
) {
  const [shipped] = found;
  if (found.length !== 1 || !shipped) return;
  const before = billed.get(shipped.id) ?? NOTHING_BEFORE;
  const isMore = correctsPrice(line) || (hasBase(before) && billsBase(line));
  const overCents = dueCents === null ? 0 : netOf(line) - (isMore ? 0 : dueCents);
  billed.set(shipped.id, {
    kinds: before.kinds | kindsOf(line),
    overCents: before.overCents + overCents,
    numbers: [...new Set([...before.numbers, ...[numberOf(line) ?? []].flat()])],
  });
}

/** The result of a line with charges for the account, alone or with charges of a shipment. */
function withAccount(one: LineToCheck, found: readonly Finding[], resultOfRest: (rest: LineToCheck) => Result): Result {
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

/** Spreadsheets keep 15 digits of a number, and write zeros for the others. */
const ROUNDED = /^\d{15}0+$/;

/** The reason not to claim a line that finds no shipment; undefined if the whole line is a claim. */
function unclear(line: BilledLine): string | undefined {
  const number = numberOf(line);
  if (number === null) return 'the line has no number';
  return ROUNDED.test(number) ? 'a spreadsheet may have replaced the last digits of the number by zeros' : undefined;
}

function resultOf(of: LineToCheck, all: LinesToCheck, ...rest: Rest): Result {
  const result = resultOfFound(of, all, ...rest);
  const zeros = of.foundAs && `the number was found as ${of.foundAs}: a spreadsheet may have dropped its zeros`;
  const correction = of.line.isCorrection && result.shipmentId !== null && 'it corrects what was billed before';
  const notes = [result.reason, zeros, correction].filter(Boolean);
  return notes.length === 0 ? result : { ...result, reason: notes.join('; ') };
}

type Rest = readonly [billed: ReadonlyMap<number, BilledBefore>, tariff: CompiledTariff | undefined];

function resultOfFound(
  { line, found }: LineToCheck,
  { tracked, covers, terms }: LinesToCheck,
  billed: ReadonlyMap<number, BilledBefore>,
  tariff: CompiledTariff | undefined,
): Result {
  const net = netOf(line);
  const [one] = found;
  const nothing = { reason: null, shipmentId: null, dueCents: null, findings: [] };
  if (found.length > 1) return { ...nothing, state: 'ambiguous', reason: `${found.length} shipments have the number` };
  if (net < 0) return { ...nothing, state: 'credit', shipmentId: one?.id ?? null };
  if (one === undefined) {
    const reason = unclear(line);
    if (reason !== undefined) return { ...nothing, state: 'not_priced', reason };
    const amounts = { amountCents: net, billedCents: net, dueCents: 0 };
    const finding: Finding = {
      code: 'unknown_shipment',
      ...amounts,
      rule: null,
      explanation: words => words.unknownShipment,
    };
    return { ...nothing, state: 'unknown', dueCents: 0, findings: net === 0 ? [] : [finding] };
  }
  const notPriced = (reason: string) => ({ ...nothing, state: 'not_priced', shipmentId: one.id, reason }) as const;
  const billedBefore = billed.get(one.id) ?? NOTHING_BEFORE;
  if (correctsPrice(line) && !hasBase(billedBefore))
    return notPriced('no line that was imported before has the price that it corrects');
  if (!isPriceable(one)) return notPriced(one.detail);
  if (tariff === undefined) return notPriced(exclusionMessage({ is: 'no_tariff' }));
  const termed = shipmentOf(line, one, tariff, terms);
  const { shipment } = termed;
  const price = priceIn(tariff, shipment, one.destinations);
  const possible = possiblePrices(termed, price.ok ? price : undefined, one, tariff);
  if (!price.ok) return notPriced(possible?.reason(FINDING_WORDS.en) ?? exclusionMessage(price.reason));
  const known = { tracked: tracked.get(one.id), billedBefore };
  const findings = checkLine(line, { tariff, price, shipment, possible, covers, ...known });
  const over = findings.reduce((sum, { code, amountCents }) => sum + (code === 'vat' ? 0 : amountCents), 0);
  const state = findings.length > 0 ? 'differs' : 'agrees';
  return { state, reason: null, shipmentId: one.id, dueCents: net - over, findings };
}
