import { type Cell, textOf } from '../../../platform/tables/sent-table.ts';
import { brokenCell, type WrongCell } from '../../common/tables/cell-values.rules.ts';
import { type FoundColumn, type Header, joinedText, wordTest } from '../../common/tables/mapped-table.rules.ts';
import { type NumberColumns, numberIssue } from '../../common/tables/number-columns.rules.ts';
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
  ...['povzetje*', 'placanje po povzetju', 'pouzecem'],
  // Swedish, Danish, Norwegian, Finnish, Estonian, Latvian, Lithuanian, Turkish, Albanian.
  ...['postforskott', 'efterkrav', 'postoppkrav', 'postiennakko*', 'lunamaks*', 'pecapmaks*', 'apmoke* pristat*'],
  ...['kapida odeme*', 'pagese ne dorezim', 'paguaj ne dorezim'],
];

/** Beside a word, these say that it does not apply. */
const NOT = new Set('no non not nein senza without ohne kein keine sans sin sem zonder bez niet false'.split(' '));
const PART_PAID = /partial|part paid|partly|parzial|acconto|teilweise|teilzahlung|partiel|parcial/;
/** Shops write several payments of one order so, and a fee such as `+ 5 €` is not one of them. */
const SEVERAL = / \+ (?![€\d])/;

type ReadCash =
  | { readonly at: number; readonly value: string; readonly otherPayment?: string }
  | (WrongCell & { readonly at: number })
  | { readonly otherPayment: string };

export class CashReader {
  readonly payment: FoundColumn;
  readonly amount: FoundColumn;
  readonly #outstanding: FoundColumn | undefined;
  readonly #state: FoundColumn | undefined;
  readonly #isCash: (text: string) => boolean;
  readonly #isPaid: (text: string) => boolean;
  readonly #nameOfPayment: string;

  private constructor(
    header: Header,
    { words, outstanding, paid }: NonNullable<OrderMapping['cashOnDelivery']>,
    found: { readonly payment: FoundColumn; readonly amount: FoundColumn },
  ) {
    this.payment = found.payment;
    this.amount = found.amount;
    this.#outstanding = outstanding === undefined ? undefined : header.find(outstanding);
    this.#state = paid && header.find(paid.column);
    this.#isPaid = wordTest(paid?.values ?? []);
    this.#isCash = containedWords(words);
    this.#nameOfPayment = found.payment.at.map(at => header.label(at)).join(' ');
  }

  /** Undefined if the table lacks the payment or the amount. */
  static of(header: Header, mapping: NonNullable<OrderMapping['cashOnDelivery']>): CashReader | undefined {
    const [payment, amount] = [header.find(mapping.payment), header.find(mapping.amount)];
    return payment && amount ? new CashReader(header, mapping, { payment, amount }) : undefined;
  }

  /** The columns with amounts. */
  get amounts(): readonly number[] {
    return [...this.amount.at, ...(this.#outstanding?.at ?? [])];
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
    const state = this.#state === undefined ? '' : joinedText(this.#state, cells);
    const [at = 0] = due === undefined ? this.amount.at : [due];
    // An order that was imported before it was paid has an amount.
    if (due === undefined && state !== '' && this.#isPaid(state))
      return { at, value: '0', otherPayment: `${text} (${state})` };
    const isShared = !text.split(SEVERAL).every(this.#isCash);
    if (due === undefined && (isShared || PART_PAID.test(plain(state)))) {
      const message = `must be what is still to be paid, since ${this.#nameOfPayment} is ${isShared ? text : state}, and the file has only a total`;
      return { at, code: 'not_allowed', message };
    }
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
}

/** Whether a text contains one of several words, each as a whole; * stands for the rest of a word. */
export function containedWords(words: readonly string[]): (text: string) => boolean {
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

/** A cell can have any length. */
const MAX_WORDS = 100;

function partTest(part: string): (word: string) => boolean {
  const letters = plain(part);
  const [isEnd, isBeginning] = [part.startsWith('*'), part.endsWith('*')];
  if (letters === '') return () => false;
  if (isEnd && isBeginning) return word => word.includes(letters);
  if (isBeginning) return word => word.startsWith(letters);
  return isEnd ? word => word.endsWith(letters) : word => word === letters;
}

/** Letters without case and accents, and single blanks in place of all else. */
function plain(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
