import type { Tenant } from '../../../platform/database/tenancy/tenancy.ts';
import { inTurns } from '../../../platform/limits/turns.ts';
import { inThread } from '../../../platform/threads/threads.ts';
import { otherZeros, trackingKey } from '../../common/number.rules.ts';
import type { CompiledTariff } from '../../pricing/tariffs/compile/compiled-tariff.rules.ts';
import { compiledTariffOf } from '../../pricing/tariffs/compile/large-tariffs.service.ts';
import { referencesOfConnection } from '../../pricing/tariffs/references/references.service.ts';
import { currentTariff } from '../../pricing/tariffs/tariff.service.ts';
import { isPriceable, type NotPriceable, type NumberKind, type Shipped } from '../shipped.rules.ts';
import { ShippedShipments } from '../shipped.service.ts';
import { type BilledLine, numberOf } from './billed-line.rules.ts';
import type { AccountContext } from './check/account-findings.rules.ts';
import { eventCharges } from './check/billed-parts.rules.ts';
import type { BilledBefore } from './check/check-line.rules.ts';
import {
  addBilled,
  checkedLines,
  type LineResult,
  type LinesToCheck,
  type LineToCheck,
} from './check/check-lines.rules.ts';
import type { Tracked } from './check/event-findings.rules.ts';
import { matched } from './check/shipment-as-billed.rules.ts';
import { trackedOf } from './check/tracked.rules.ts';
import { CLAIMS_LOCK, matchCredits } from './credits.repository.ts';
import { insertFindings } from './invoice-findings.repository.ts';
import {
  type AccountLineRow,
  accountLines,
  billedBefore,
  billedLine,
  type CheckedLine,
  linesAfter,
  shipmentsOfNumbers,
  spendOfMonth,
  trackedShipments,
  writeCheckedLines,
} from './invoice-lines.repository.ts';
import { advance, finish, type InvoiceRow, invoiceById } from './invoices.repository.ts';
import { MAX_INLINE } from './invoices.rules.ts';
import { NO_TERMS, type StatedTerms } from './stated-terms.rules.ts';

/**
 * Checks the lines of an invoice. Each slice is committed, so that another worker can continue after a dead one. While
 * one slice is checked, PostgreSQL reads the next and writes the one before.
 */

/** Lines that are read, priced and written together. */
const SLICE = 500;

const THREAD = new URL('./invoice-check.thread.ts', import.meta.url);

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
  const check = new InvoiceCheck(fresh, invoice, await compiledTariff(fresh, invoice.carrierConnectionId));
  let from = invoice.checkedCount;
  let reading = ahead(check.read(from));
  let writing: Promise<boolean> = Promise.resolve(true);
  /** Waits for the slice before. False if another check, or another worker of this one, has continued. */
  const isWritten = async () => {
    if (!(await writing)) return false;
    if (from > invoice.checkedCount) onProgress(from, invoice.lineCount);
    return true;
  };
  while (from < invoice.lineCount) {
    const read = await reading;
    const to = from + read.lines.length;
    reading = ahead(check.read(to));
    const lines = await check.checked(read);
    if (!(await isWritten()) || lines.length === 0) return;
    writing = ahead(write(tenant, invoice, { from, to, lines }));
    from = to;
  }
  if (await isWritten()) await tenant.transaction(tx => finish(tx, id, run));
}

/** A promise that is awaited later, or never. A failure is thrown where it is awaited. */
function ahead<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => undefined);
  return promise;
}

/** Writes a slice. False if another check, or another worker of this one, has continued. */
function write(
  tenant: Tenant,
  { id, run, carrierConnectionId }: InvoiceRow,
  { from, to, lines }: { readonly from: number; readonly to: number; readonly lines: readonly CheckedLine[] },
): Promise<boolean> {
  return tenant.exclusively(CLAIMS_LOCK, async tx => {
    if (!(await advance(tx, id, { run, from, to }))) return false;
    await writeCheckedLines(tx, id, lines);
    await insertFindings(tx, id, lines);
    await matchCredits(tx, carrierConnectionId, lines);
    return true;
  });
}

async function compiledTariff(tenant: Tenant, carrierConnectionId: number): Promise<CompiledTariff | undefined> {
  const tariff = await currentTariff(tenant, carrierConnectionId);
  if (tariff === undefined) return undefined;
  const { references } = await referencesOfConnection(tenant, carrierConnectionId);
  return compiledTariffOf(tenant, tariff, references);
}

/** Lines with the data of their shipments. */
interface ReadLines {
  readonly positions: readonly number[];
  readonly lines: readonly LineToCheck[];
  readonly tracked: LinesToCheck['tracked'];
  /** Charges that were billed on other invoices, or on this one before the check began. */
  readonly billedBefore: LinesToCheck['billedBefore'];
}

/** Lines with charges for the account up to this invoice, and what shipments of their months come to. */
interface ReadAccount {
  readonly lines: readonly AccountLineRow[];
  readonly spendCents: AccountContext['spendCents'];
}

class InvoiceCheck {
  readonly #tenant: Tenant;
  readonly #invoice: InvoiceRow;
  readonly #terms: StatedTerms;
  readonly #tariff: CompiledTariff | undefined;
  readonly #shipments: ShippedShipments;
  #account: Promise<ReadAccount> | undefined;
  /** The charges of all lines before the next one, by shipment: read once, and added to by each line. */
  readonly #billed = new Map<number, BilledBefore>();

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
    const only = found.map(({ found: some }) => (some.length === 1 ? some[0] : undefined));
    const ids = [...new Set(only.flatMap(one => one?.id ?? []))];
    const place = { invoiceId: this.#invoice.id, position: this.#invoice.checkedCount + 1 };
    return {
      positions: rows.map(({ id }) => id),
      lines: found,
      tracked: await this.#tracked(lines, only),
      billedBefore: ids.length === 0 ? new Map() : await billedBefore(this.#tenant, ids, place),
    };
  }

  /** The account before a line, for an invoice that has charges for it. */
  async #accountBefore(position: number): Promise<AccountContext | undefined> {
    this.#account ??= this.#readAccount();
    const { lines, spendCents } = await this.#account;
    const { id, date } = this.#invoice;
    if (!lines.some(({ invoiceId }) => invoiceId === id)) return undefined;
    const before = lines.filter(line => line.invoiceId < id || line.position < position);
    return { date, spendCents, earlier: before.map(row => ({ line: billedLine(row), date: row.date })) };
  }

  async #readAccount(): Promise<ReadAccount> {
    const { id, carrierConnectionId, covers } = this.#invoice;
    const lines = covers.includes('account') ? await accountLines(this.#tenant, this.#invoice) : [];
    const own = lines.filter(({ invoiceId }) => invoiceId === id);
    const spendCents: Record<string, number> = {};
    for (const month of new Set(own.map(({ billed, date }) => (billed.date ?? date).slice(0, 7)))) {
      spendCents[month] = await spendOfMonth(this.#tenant, carrierConnectionId, month);
    }
    return { lines, spendCents };
  }

  /** Checks lines after all lines before them. */
  async checked({ positions, lines, tracked, billedBefore: before }: ReadLines): Promise<readonly CheckedLine[]> {
    const earlier = new Map<number, BilledBefore>();
    for (const { id } of lines.flatMap(({ found }) => found)) {
      const billed = this.#billed.get(id) ?? before.get(id);
      if (billed === undefined) continue;
      this.#billed.set(id, billed);
      earlier.set(id, billed);
    }
    const { covers } = this.#invoice;
    const account = await this.#accountBefore(positions[0] ?? 0);
    const of = { lines, tracked, billedBefore: earlier, covers, terms: this.#terms, account };
    const results = await this.#results(of);
    for (const [i, one] of lines.entries()) addBilled(this.#billed, one, results[i] as LineResult);
    return results.map((result, i) => {
      const { line } = lines[i] as LineToCheck;
      return { ...result, position: positions[i] as number, number: numberOf(line) };
    });
  }

  /** A long invoice is checked in a thread, and a short one in short turns. */
  async #results(lines: LinesToCheck): Promise<readonly LineResult[]> {
    const { companyId } = this.#tenant;
    if (this.#invoice.lineCount <= MAX_INLINE) {
      return Array.fromAsync(inTurns(companyId, checkedLines(lines, this.#tariff)));
    }
    const { id, run } = this.#invoice;
    const key = `${companyId} ${id} ${run}`;
    const known = await inThread<LineResult[] | undefined>(this.#tenant, THREAD, 'checkLines', [key, undefined, lines]);
    const tariff = { compiled: this.#tariff };
    return known ?? (await inThread<LineResult[]>(this.#tenant, THREAD, 'checkLines', [key, tariff, lines]));
  }

  /** The shipments of the connection for each line: by its first number that finds any. */
  async #find(lines: readonly BilledLine[]): Promise<LineToCheck[]> {
    const found: LineToCheck[] = lines.map(line => ({ line, found: [] }));
    for (const { kind, numbersOf } of SOUGHT) await this.#findBy(kind, found, numbersOf);
    await this.#findByOtherZeros(found);
    return found;
  }

  /** A spreadsheet drops zeros, and the answer says where another number was found. */
  async #findByOtherZeros(lines: LineToCheck[]): Promise<void> {
    const sought = lines
      .flatMap(({ line, found }) => (found.length === 0 ? carrierNumbers(line) : []))
      .flatMap(otherZeros);
    if (sought.length === 0) return;
    // Few numbers exist, and only these are read with their shipments.
    const known = await shipmentsOfNumbers(this.#tenant, this.#invoice.carrierConnectionId, [...new Set(sought)]);
    const existing = (line: BilledLine) =>
      carrierNumbers(line)
        .flatMap(otherZeros)
        .filter(number => known.has(number));
    for (const kind of ['tracking_number', 'label', 'parcel_id'] as const) {
      await this.#findBy(kind, lines, existing, 'other');
    }
  }

  /** Searches for lines that are not found yet, and puts what it finds in their place. */
  async #findBy(kind: NumberKind, lines: LineToCheck[], numbersOf: NumbersOf, are: 'own' | 'other' = 'own') {
    const keys = new Map<number, readonly string[]>();
    for (const [i, { line, found }] of lines.entries()) {
      const numbers = found.length === 0 ? numbersOf(line) : [];
      if (numbers.length > 0) keys.set(i, kind === 'order_number' ? numbers : numbers.map(trackingKey));
    }
    if (keys.size === 0) return;
    const byKey = await this.#shipments.byNumber(kind, [...new Set([...keys.values()].flat())]);
    for (const [i, sought] of keys) {
      const { line } = lines[i] as LineToCheck;
      const all = sought.flatMap(key => byKey.get(key) ?? []);
      const own = new Map(all.flatMap(one => (this.#isOwn(one) ? [[one.id, one] as const] : [])));
      const foundAs = are === 'own' ? undefined : sought.find(key => byKey.get(key)?.some(one => this.#isOwn(one)));
      lines[i] = { line, found: matched(line, [...own.values()]).map(plain), foundAs };
    }
  }

  #isOwn({ carrierConnectionId }: Known): boolean {
    return carrierConnectionId === this.#invoice.carrierConnectionId;
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

/** A shipment that can be sent to a thread. */
function plain(one: Known): Known {
  if (!isPriceable(one)) return one;
  const { warehouseId, country, place } = one.shipment.origin;
  return { ...one, shipment: { ...one.shipment, origin: { warehouseId, country, place } } };
}

type NumbersOf = (line: BilledLine) => readonly string[];

const carrierNumbers: NumbersOf = ({ trackingNumber, parcelId, packages }) => [
  ...new Set([...some(trackingNumber), ...some(parcelId), ...(packages ?? [])]),
];

const some = (number: string | null) => (number === null ? [] : [number]);

/** Numbers in the order of the search: the carrier's number of a shipment may be the number of a label or a parcel. */
const SOUGHT: readonly { readonly kind: NumberKind; readonly numbersOf: NumbersOf }[] = [
  { kind: 'tracking_number', numbersOf: ({ trackingNumber }) => some(trackingNumber) },
  { kind: 'label', numbersOf: ({ trackingNumber }) => some(trackingNumber) },
  { kind: 'tracking_number', numbersOf: ({ packages }) => packages ?? [] },
  { kind: 'label', numbersOf: ({ packages }) => packages ?? [] },
  { kind: 'parcel_id', numbersOf: ({ parcelId, trackingNumber }) => some(parcelId ?? trackingNumber) },
  { kind: 'reference', numbersOf: ({ reference }) => some(reference) },
  { kind: 'order_number', numbersOf: ({ orderNumber }) => some(orderNumber) },
];
