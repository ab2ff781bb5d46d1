import type { Tenant } from '../../../platform/database/tenancy/tenancy.ts';
import { inTurns } from '../../../platform/limits/turns.ts';
import { trackingKey } from '../../common/number.rules.ts';
import { priceIn } from '../../quotes/price/province.rules.ts';
import type { CompiledTariff } from '../../tariffs/compile/compiled-tariff.rules.ts';
import { compiledTariffOf } from '../../tariffs/compile/large-tariffs.service.ts';
import { exclusionMessage } from '../../tariffs/exclusion.rules.ts';
import { referencesOfConnection } from '../../tariffs/references/references.service.ts';
import { currentTariff } from '../../tariffs/tariff.service.ts';
import { isPriceable, type NotPriceable, type NumberKind, type Shipped } from '../shipped.rules.ts';
import { ShippedShipments } from '../shipped.service.ts';
import { type BilledLine, netOf, numberOf } from './billed-line.rules.ts';
import { eventCharges } from './check/billed-parts.rules.ts';
import { checkLine, kindsOf } from './check/check-line.rules.ts';
import type { Tracked } from './check/event-findings.rules.ts';
import { possiblePrices } from './check/possible-prices.rules.ts';
import { matched, shipmentOf } from './check/shipment-as-billed.rules.ts';
import { trackedOf } from './check/tracked.rules.ts';
import { matchCredits } from './credits.repository.ts';
import { insertFindings } from './invoice-findings.repository.ts';
import {
  billedBefore,
  billedLine,
  type CheckedLine,
  type LineRow,
  linesAfter,
  trackedShipments,
  writeCheckedLines,
} from './invoice-lines.repository.ts';
import { advance, finish, type InvoiceRow, invoiceById } from './invoices.repository.ts';
import { NO_TERMS, type StatedTerms } from './stated-terms.rules.ts';

/** Checks the lines of an invoice. Each slice is committed, so that another worker can continue after a dead one. */

/** Lines that are read, priced and written together. */
const SLICE = 500;

type Known = Shipped | NotPriceable;

/**
 * Checks an invoice from the position of its run, until its end or until a newer run.
 *
 * @param onProgress called with the number of checked lines
 */
export async function checkInvoice(
  tenant: Tenant,
  id: number,
  run: number,
  onProgress: (checked: number, all: number) => void = () => undefined,
): Promise<void> {
  const fresh = tenant.fresh();
  const invoice = await invoiceById(fresh, id);
  if (invoice === undefined || invoice.run !== run || invoice.state !== 'checking') return;
  const check = new InvoiceCheck(fresh, invoice, await compiledTariff(fresh, invoice.carrierCompanyId));
  let checked = invoice.checkedCount;
  let reading = check.read(checked);
  while (checked < invoice.lineCount) {
    const lines = await check.checked(await reading);
    const to = checked + lines.length;
    // Read while these are written. A failure is thrown at the next await.
    reading = check.read(to);
    reading.catch(() => undefined);
    // One after the other, so that a claim and its credit on two invoices see each other.
    const isOurs = await tenant.exclusively('carrier claims', async tx => {
      if (lines.length === 0 || !(await advance(tx, id, { run, from: checked, to }))) return false;
      await writeCheckedLines(tx, id, lines);
      await insertFindings(tx, id, lines);
      await matchCredits(tx, invoice.carrierCompanyId, lines);
      return true;
    });
    if (!isOurs) return;
    checked = to;
    onProgress(checked, invoice.lineCount);
  }
  await tenant.transaction(tx => finish(tx, id, run));
}

async function compiledTariff(tenant: Tenant, connectionId: number): Promise<CompiledTariff | undefined> {
  const tariff = await currentTariff(tenant, connectionId);
  if (tariff === undefined) return undefined;
  const { references } = await referencesOfConnection(tenant, connectionId);
  return compiledTariffOf(tenant, tariff, references);
}

/** Lines with the data of their shipments. */
interface ReadLines {
  /** The position of the line before the first one. */
  readonly after: number;
  readonly rows: readonly LineRow[];
  readonly lines: readonly BilledLine[];
  readonly found: readonly (readonly Known[])[];
  /** The shipments of lines that have exactly one. */
  readonly ids: readonly number[];
  readonly tracked: ReadonlyMap<number, Tracked | undefined>;
}

class InvoiceCheck {
  readonly #tenant: Tenant;
  readonly #invoice: InvoiceRow;
  readonly #terms: StatedTerms;
  readonly #tariff: CompiledTariff | undefined;
  readonly #shipments: ShippedShipments;

  constructor(tenant: Tenant, invoice: InvoiceRow, tariff: CompiledTariff | undefined) {
    this.#tenant = tenant;
    this.#invoice = invoice;
    this.#terms = { ...NO_TERMS, ...invoice.terms };
    this.#tariff = tariff;
    this.#shipments = new ShippedShipments(tenant);
  }

  /** Reads the next lines and their shipments, independently of earlier lines. */
  async read(after: number): Promise<ReadLines> {
    const rows = await linesAfter(this.#tenant, this.#invoice.id, after, SLICE);
    const lines = rows.map(billedLine);
    const found = await this.#find(lines);
    const only = found.map(some => (some.length === 1 ? some[0] : undefined));
    const ids = [...new Set(only.flatMap(one => one?.id ?? []))];
    return { after, rows, lines, found, ids, tracked: await this.#tracked(lines, only) };
  }

  /** Checks lines. Earlier lines must be written already, because they may bill the shipments too. */
  async checked(read: ReadLines): Promise<readonly CheckedLine[]> {
    const { after, ids } = read;
    const place = { invoiceId: this.#invoice.id, position: after + 1 };
    const before = ids.length === 0 ? new Map<number, number>() : await billedBefore(this.#tenant, ids, place);
    return this.#check(read, before);
  }

  async #check({ rows, lines, found, tracked }: ReadLines, before: Map<number, number>): Promise<CheckedLine[]> {
    const checked: CheckedLine[] = [];
    for await (const [i, { id }] of inTurns(this.#tenant.companyId, rows.entries())) {
      const line = lines[i] as BilledLine;
      const some = found[i] ?? [];
      checked.push({ position: id, number: numberOf(line), ...this.#line(line, some, before, tracked) });
      const [one] = some;
      if (some.length === 1 && one) before.set(one.id, (before.get(one.id) ?? 0) | kindsOf(line));
    }
    return checked;
  }

  #line(
    line: BilledLine,
    found: readonly Known[],
    before: ReadonlyMap<number, number>,
    tracked: ReadonlyMap<number, Tracked | undefined>,
  ): Omit<CheckedLine, 'position' | 'number'> {
    const net = netOf(line);
    const [one] = found;
    const nothing = { reason: null, shipmentId: null, dueCents: null, findings: [] };
    if (found.length > 1)
      return { ...nothing, state: 'ambiguous', reason: `${found.length} shipments have the number` };
    if (net < 0) return { ...nothing, state: 'credit', shipmentId: one?.id ?? null };
    if (one === undefined) {
      const explanation = 'no shipment of the connection has the number';
      const amounts = { amountCents: net, billedCents: net, dueCents: 0 };
      const findings = net === 0 ? [] : [{ code: 'unknown_shipment', ...amounts, rule: null, explanation } as const];
      return { ...nothing, state: 'unknown', dueCents: 0, findings };
    }
    const notPriced = (reason: string) => ({ ...nothing, state: 'not_priced', shipmentId: one.id, reason }) as const;
    if (!isPriceable(one)) return notPriced(one.detail);
    const tariff = this.#tariff;
    if (tariff === undefined) return notPriced(exclusionMessage({ is: 'no_tariff' }));
    const termed = shipmentOf(line, one, tariff, this.#terms);
    const { shipment } = termed;
    const price = priceIn(tariff, shipment, one.destinations);
    const possible = possiblePrices(termed, price.ok ? price : undefined, one, tariff);
    if (!price.ok) return notPriced(possible?.reason ?? exclusionMessage(price.reason));
    const { covers } = this.#invoice;
    const billed = { tracked: tracked.get(one.id), billedBefore: before.get(one.id) ?? 0 };
    const findings = checkLine(line, { tariff, price, shipment, possible, covers, ...billed });
    const over = findings.reduce((sum, { code, amountCents }) => sum + (code === 'vat' ? 0 : amountCents), 0);
    const state = findings.length > 0 ? 'differs' : 'agrees';
    return { state, reason: null, shipmentId: one.id, dueCents: net - over, findings };
  }

  /** The shipments of the connection for each line: by its first number that finds any. */
  async #find(lines: readonly BilledLine[]): Promise<(readonly Known[])[]> {
    const found: (readonly Known[])[] = lines.map(() => []);
    for (const { kind, numberOf } of SOUGHT) {
      const keys = new Map<number, string>();
      for (const [i, line] of lines.entries()) {
        const number = found[i]?.length === 0 ? numberOf(line) : null;
        if (number !== null) keys.set(i, kind === 'order_number' ? number : trackingKey(number));
      }
      if (keys.size === 0) continue;
      const byKey = await this.#shipments.byNumber(kind, [...new Set(keys.values())]);
      for (const [i, key] of keys) {
        const own = (byKey.get(key) ?? []).filter(one => one.carrierCompanyId === this.#invoice.carrierCompanyId);
        found[i] = matched(lines[i] as BilledLine, own);
      }
    }
    return found;
  }

  /** The tracking of shipments with charges for storage or return. */
  async #tracked(
    lines: readonly BilledLine[],
    shipments: readonly (Known | undefined)[],
  ): Promise<Map<number, Tracked | undefined>> {
    const ids = new Set<number>();
    for (const [i, line] of lines.entries()) {
      const id = shipments[i]?.id;
      const isOfTracking = eventCharges(line).some(({ event }) => event === 'storage' || event === 'return');
      if (id !== undefined && isOfTracking) ids.add(id);
    }
    if (ids.size === 0) return new Map();
    const rows = await trackedShipments(this.#tenant, [...ids]);
    return new Map(
      rows.map(({ shipmentId, events, hasReturned }) => [
        shipmentId,
        trackedOf(events, hasReturned, this.#invoice.date),
      ]),
    );
  }
}

/** Numbers in the order of the search: the carrier's number of a shipment may be that of a label or a parcel. */
const SOUGHT: readonly { readonly kind: NumberKind; readonly numberOf: (line: BilledLine) => string | null }[] = [
  { kind: 'tracking_number', numberOf: ({ trackingNumber }) => trackingNumber },
  { kind: 'label', numberOf: ({ trackingNumber }) => trackingNumber },
  { kind: 'parcel_id', numberOf: ({ parcelId, trackingNumber }) => parcelId ?? trackingNumber },
  { kind: 'reference', numberOf: ({ reference }) => reference },
  { kind: 'order_number', numberOf: ({ orderNumber }) => orderNumber },
];
