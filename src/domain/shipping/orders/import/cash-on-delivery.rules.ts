import { type Cell, textOf } from '../../../../platform/tables/sent-table.ts';
import { brokenCell, type WrongCell } from '../../../common/tables/cell-values.rules.ts';
import { type FoundColumn, type Header, joinedText, wordTest } from '../../../common/tables/mapped-table.rules.ts';
import { type NumberColumns, numberIssue } from '../../../common/tables/number-columns.rules.ts';
import type { MappedColumn } from '../../../common/tables/table-mapping.format.rules.ts';
import type { OrderMapping } from './order-mapping.format.rules.ts';

/**
 * Cash on delivery in the exports of shops, which name the payment and a total. The merchant writes the name of the
 * payment, so the words are looked for in it: `gift_card + Cash on Delivery (COD)`, `Pagamento in contrassegno (+5€)`.
 */

/** Words of the countries of shops, by their languages. */
export const CASH_WORDS = [
  // Modules and codes of shops.
  ...['*cashondelivery*', 'cod', 'c o d', 'codfee*', 'codwfee*'],
  // English.
  ...['cash on delivery', 'cash upon delivery', 'cash at delivery', 'collect on delivery', 'pay* on delivery'],
  ...['pay* upon delivery', 'pay* at delivery', 'pay cash', 'cash on collection by courier'],
  // Italian.
  ...['contrassegn*', 'contanti alla consegna', 'alla consegna', 'in contanti al corriere', 'pagamento al corriere'],
  ...['paga* al corriere', 'contanti al corriere', 'pagamento al ricevimento', 'rimessa contanti'],
  // German.
  ...['nachnahme*', '*nachnahme', 'barzahlung bei lieferung', 'zahlung bei lieferung', 'bar bei lieferung'],
  // French.
  ...['contre remboursement', 'contreremboursement', 'contre rembours', 'paiement a la livraison'],
  ...['payer a la livraison', 'especes a la livraison', 'paiement a la reception'],
  // Spanish and Portuguese.
  ...['contra reembolso', 'contrareembolso', '*reembolso', 'contra entrega', 'contraentrega', 'pago a la entrega'],
  ...['efectivo a la entrega', 'pago al recibir', 'envio a cobranca', 'a cobranca', 'pagamento na entrega'],
  ...['pagamento contra entrega'],
  // Dutch, Polish, Czech, Slovak, Hungarian.
  ...['rembours*', 'onder rembours', 'betalen bij levering', 'betaling bij levering', 'contant bij levering'],
  ...['za pobraniem', 'pobranie*', 'przy odbiorze', 'dobirk*', 'na dobirku', 'dobierk*', 'utanvet*'],
  // Romanian, Bulgarian, Greek, Croatian, Slovenian, Serbian.
  ...[
    'ramburs',
    'plata la livrare',
    'numerar la livrare',
    'наложен* платеж',
    'αντικαταβολη*',
    'pouzec*',
    'po povzetju',
  ],
  ...['povzetje*', 'placanje po povzetju', 'pouzecem', 'pri preuzimanju', 'prilikom preuzimanja'],
  // Swedish, Danish, Norwegian, Finnish, Estonian, Latvian, Lithuanian, Turkish, Albanian.
  ...[
    'vid leverans',
    'ved levering',
    'postforskott',
    'efterkrav',
    'postoppkrav',
    'postiennakko*',
    'lunamaks*',
    'pecapmaks*',
    'apmoke* pristat*',
  ],
  ...['kapida odeme*', 'pagese ne dorezim', 'paguaj ne dorezim'],
];

/** Words that negate a payment beside them, such as `no` in `no contrassegno`. */
const NOT = new Set('no non not nein senza without ohne kein keine sans sin sem zonder bez niet false'.split(' '));
const PART_PAID = /partial|part paid|partly|parzial|acconto|teilweise|teilzahlung|partiel|parcial/;
/** The signs by which shops separate several payments of one order. A fee such as `+ 5 €` is not a payment. */
const SEVERAL = / \+ (?![€\d])/;

type CashAmount =
  | { readonly at: number; readonly value: string; readonly otherPayment?: string }
  | (WrongCell & { readonly at: number });
type ReadCash = CashAmount | { readonly otherPayment: string };

export class CashReader {
  readonly payment: FoundColumn;
  /** Undefined if no column has the total. */
  readonly amount: FoundColumn | undefined;
  readonly #outstanding: FoundColumn | undefined;
  readonly #paidAmount: FoundColumn | undefined;
  readonly #states: readonly { readonly column: FoundColumn; readonly isPaid: (text: string) => boolean }[];
  readonly #isCash: (text: string) => boolean;
  readonly #nameOfPayment: string;
  /** The end of a message. */
  readonly #amountNames: string;

  private constructor(header: Header, payment: FoundColumn, mapping: NonNullable<OrderMapping['cashOnDelivery']>) {
    const find = (column: MappedColumn | undefined) => (column === undefined ? undefined : header.find(column));
    this.payment = payment;
    this.amount = find(mapping.amount);
    this.#outstanding = find(mapping.outstanding);
    this.#paidAmount = find(mapping.paidAmount);
    this.#states = mapping.paid.flatMap(({ column: name, values }) => {
      const column = header.find(name);
      return column ? [{ column, isPaid: wordTest(values) }] : [];
    });
    this.#isCash = containedWords(mapping.words);
    const names = [mapping.amount ?? []].flat().flatMap(one => (typeof one === 'string' ? one : one.all));
    this.#amountNames = names.length === 0 ? '' : `, such as ${names.slice(0, 3).join(' or ')}`;
    this.#nameOfPayment = payment.at.map(at => header.label(at)).join(' ');
  }

  /** Undefined if the table lacks the payment. */
  static of(header: Header, mapping: NonNullable<OrderMapping['cashOnDelivery']>): CashReader | undefined {
    const payment = header.find(mapping.payment);
    return payment && new CashReader(header, payment, mapping);
  }

  /** The columns with amounts. */
  get amounts(): readonly number[] {
    return [this.amount, this.#outstanding, this.#paidAmount].flatMap(column => column?.at ?? []);
  }

  /** The amount to collect for a row; undefined if the row names no payment. */
  read(cells: readonly Cell[], numbers: NumberColumns): ReadCash | undefined {
    const broken = this.payment.at.find(i => brokenCell(cells[i]));
    // A payment that is not known may be cash on delivery.
    if (broken !== undefined) return { at: broken, ...(brokenCell(cells[broken]) as WrongCell) };
    const text = joinedText(this.payment, cells);
    if (text === '') return undefined;
    if (!this.#isCash(text)) return { otherPayment: text };
    const [due] = this.#outstanding?.at.filter(i => textOf(cells[i]) !== '') ?? [];
    if (due !== undefined) return this.#amountIn(due, text, cells, numbers);
    const states = this.#states.map(({ column, isPaid }) => ({ isPaid, state: joinedText(column, cells) }));
    const [at = this.payment.at[0] ?? 0] = this.amount?.at ?? [];
    const paid = states.find(({ state, isPaid }) => state !== '' && isPaid(state));
    // An order that was imported before it was paid has an amount.
    if (paid) return { at, value: '0', otherPayment: `${text} (${paid.state})` };
    const isShared = !text.split(SEVERAL).every(this.#isCash);
    const part = states.find(({ state }) => PART_PAID.test(plain(state)));
    if (isShared || part) {
      const why = isShared ? text : part?.state;
      const message = `must be what is still to be paid, since ${this.#nameOfPayment} is ${why}, and the file has only a total`;
      return { at, code: 'not_allowed', message };
    }
    if (this.amount === undefined) {
      const message = `must have an amount, since ${this.#nameOfPayment} is ${text}: no column has what is to be collected${this.#amountNames}`;
      return { at, code: 'required', message };
    }
    return this.#withoutPaid(this.#amountIn(at, text, cells, numbers), text, cells, numbers);
  }

  /** @param text the payment */
  #amountIn(at: number, text: string, cells: readonly Cell[], numbers: NumberColumns): CashAmount {
    const cell = cells[at] ?? '';
    const wrong = brokenCell(cell);
    if (wrong) return { at, ...wrong };
    if (textOf(cell) === '')
      return { at, code: 'required', message: `must be given, since ${this.#nameOfPayment} is ${text}` };
    const read = numbers.read(cell, 'money');
    return 'decimal' in read
      ? { at, value: read.decimal }
      : { at, code: 'invalid_decimal', message: numberIssue(read) };
  }

  #withoutPaid(total: CashAmount, text: string, cells: readonly Cell[], numbers: NumberColumns): CashAmount {
    if ('code' in total) return total;
    let paid = 0;
    for (const i of this.#paidAmount?.at ?? []) {
      if (textOf(cells[i]) === '') continue;
      const part = this.#amountIn(i, text, cells, numbers);
      if ('code' in part) return part;
      paid += Number(part.value);
    }
    if (paid === 0) return total;
    if (Math.abs(paid - Number(total.value)) < 0.005)
      return { at: total.at, value: '0', otherPayment: `${text} (paid)` };
    const message = `must be what is still to be paid: ${paid.toFixed(2)} of it is paid or refunded already`;
    return { at: total.at, code: 'not_allowed', message };
  }
}

/** Whether a text contains one of several words, each as a whole; * stands for the rest of a word. */
function containedWords(words: readonly string[]): (text: string) => boolean {
  const sought = words.map(word => word.split(/[\s_-]+/).map(partTest)).filter(parts => parts.length > 0);
  return text => {
    const found = plain(text).split(' ').slice(0, MAX_WORDS);
    return sought.some(parts =>
      found.some(
        (_, at) =>
          parts.every((isPart, i) => isPart(found[at + i] ?? '')) &&
          !NOT.has(found[at - 1] ?? '') &&
          !(NOT.has(found[at + parts.length] ?? '') && at + parts.length === found.length - 1),
      ),
    );
  };
}

/** The words of a cell that are read, because a cell can have any length. */
const MAX_WORDS = 100;

function partTest(part: string): (word: string) => boolean {
  const letters = plain(part);
  const [isEnd, isBeginning] = [part.startsWith('*'), part.endsWith('*')];
  if (letters === '') return () => false;
  if (isEnd && isBeginning) return word => word.includes(letters);
  if (isBeginning) return word => word.startsWith(letters);
  return isEnd ? word => word.endsWith(letters) : word => word === letters;
}

/** A text in small letters without accents, with a single blank in place of all other characters. */
function plain(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
