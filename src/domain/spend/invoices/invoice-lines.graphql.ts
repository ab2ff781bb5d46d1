import { builder } from '../../../graphql/builder.ts';
import { enumType } from '../../../graphql/enum-type.ts';
import { inputType } from '../../../graphql/input-type.ts';
import { connectionOf, PAGE_ARGS, pageById, pageByPosition, pageCost } from '../../../graphql/lists.ts';
import { integerKey } from '../../../graphql/node-id.ts';
import { nodeType } from '../../../graphql/nodes.ts';
import { query } from '../../../graphql/query.ts';
import type { Position } from '../../../platform/database/lists/index-scan.ts';
import { LANGUAGE_ARG } from '../../pricing/tariffs/language.graphql.ts';
import { kilograms, money, percent } from '../../pricing/tariffs/units.rules.ts';
import { ShipmentRef } from '../../shipping/tracking/tracking.graphql.ts';
import type { BilledCharge } from './billed-line.rules.ts';
import { FINDING_CODES } from './check/finding-codes.rules.ts';
import { DAYS_TO_CREDIT } from './claims.rules.ts';
import { countFindings, type FindingRow, findingById, findingsPage } from './invoice-findings.repository.ts';
import { countLines, type LineRow, lineByPosition, linesPage } from './invoice-lines.repository.ts';
import { FindingCodeEnum, INVOICE_SCOPE, InvoiceRef, LineStateEnum, TermsRef } from './invoices.graphql.ts';
import { findingFilter, lineFilter, openClaimFilter } from './invoices.input.ts';
import { agedClaims, countAgedClaims, invoice, shipmentById } from './invoices.service.ts';
import type { ChargeKind } from './reading/invoice-mapping.format.rules.ts';
import { NO_TERMS } from './stated-terms.rules.ts';

const KIND_TEXTS: Readonly<Record<ChargeKind, string>> = {
  base: 'The base price.',
  surcharges: 'Surcharges.',
  fuel: 'Fuel.',
  options: 'Options.',
  cod: 'Cash on delivery.',
  insurance: 'Insurance.',
  storage: 'Storage (giacenza).',
  redelivery: 'Another delivery.',
  return: 'The return to the sender.',
  address_change: 'A changed address.',
  waiting: 'Waiting at the door.',
  account: 'The account: a monthly fee, pickups, or the minimum of a month.',
  duties: 'Duties and taxes that the carrier advanced. They are not compared.',
};

const ChargeKindEnum = enumType<ChargeKind>(
  'CarrierChargeKind',
  'What a charge of an invoice is for: a component of the price, what happened after the shipment, the account, or advanced duties.',
  KIND_TEXTS,
);

const ChargeRef = builder.objectRef<BilledCharge>('CarrierInvoiceCharge').implement({
  description: 'An amount of a line, and what it covers.',
  fields: t => ({
    kinds: t.field({ type: [ChargeKindEnum], description: 'Components or events.', resolve: ({ kinds }) => kinds }),
    lines: t.exposeStringList('lines', { description: 'Codes of lines of the tariff.' }),
    name: t.exposeString('name', { description: 'The name on the invoice.' }),
    amount: t.money('EUR before VAT.', ({ cents }) => cents),
    vatPercent: t.nullable('Decimal', 'The percentage of VAT that the invoice states for it alone.', ({ vatPpm }) =>
      vatPpm === undefined ? null : percent(vatPpm),
    ),
  }),
});

const LineRef = builder.objectRef<LineRow>('CarrierInvoiceLine').implement({
  description: 'A line of an invoice of a carrier, as it was billed and as it is due.',
  fields: t => ({
    position: t.exposeInt('id', { description: 'Number of the line in the invoice, from 1.' }),
    row: t.int({
      description: 'Row of the line in the file, as spreadsheets count; the first if there are several.',
      resolve: ({ billed }) => billed.row,
    }),
    ...t.nullableColumns('String', {
      number: 'The number of the shipment on the line.',
      reason:
        'Why it is not checked, that it corrects what was billed before, or that its shipment was found by a number with other zeros at its beginning.',
    }),
    date: t.nullable('Date', 'The day of shipment on the line.', ({ billed }) => billed.date),
    chargeableWeight: t.nullable('Decimal', 'The weight that was charged, kilograms.', ({ billed }) =>
      billed.chargeableGrams == null ? null : kilograms(billed.chargeableGrams),
    ),
    zone: t.string({ nullable: true, description: 'The zone that was charged.', resolve: ({ billed }) => billed.zone }),
    service: t.nullable('String', 'The service that was charged.', ({ billed }) => billed.service),
    vatPercent: t.nullable('Decimal', 'The percentage of VAT that it states.', ({ billed }) =>
      billed.vatPpm == null ? null : percent(billed.vatPpm),
    ),
    terms: t.value(TermsRef, 'The terms of the shipment that it states.', ({ billed }) => ({ ...NO_TERMS, ...billed })),
    charges: t.field({ type: [ChargeRef], description: 'Its amounts.', resolve: ({ billed }) => billed.charges }),
    billed: t.money('The billed amount before VAT, EUR.', ({ billedCents }) => billedCents),
    due: t.nullable(
      'Money',
      'The due amount before VAT, EUR. Null where the due amount is not known.',
      ({ dueCents }) => (dueCents === null ? null : money(dueCents)),
    ),
    state: t.expose('state', { type: LineStateEnum, description: 'The outcome of its check.' }),
    shipment: t.field({
      type: ShipmentRef,
      nullable: true,
      description: 'The shipment that its number finds.',
      authScopes: { scope: 'shipments:tracking' },
      resolve: ({ shipmentId }, _args, { tenant }) => (shipmentId === null ? null : shipmentById(tenant, shipmentId)),
    }),
  }),
});

/** `17.4`: an invoice, and the number of a line or finding in it. */
function readPair(key: string): readonly [number, number] | undefined {
  const [, invoiceId, id] = /^(\d{1,10})\.(\d{1,13})$/.exec(key) ?? [];
  const known = integerKey(invoiceId ?? '');
  return known === undefined || id === undefined ? undefined : [known, Number(id)];
}

nodeType(LineRef, {
  scope: INVOICE_SCOPE,
  keyOf: ({ invoiceId, id }) => `${invoiceId}.${id}`,
  readKey: key => {
    const pair = readPair(key);
    return pair && integerKey(String(pair[1])) !== undefined ? pair : undefined;
  },
  find: ([invoiceId, position], { tenant }) => lineByPosition(tenant, invoiceId, position),
});

const FindingRef = builder.objectRef<FindingRow>('CarrierInvoiceFinding').implement({
  description: 'A difference between the billed and the due amount of a line.',
  fields: t => ({
    code: t.expose('code', { type: FindingCodeEnum, description: 'What is wrong.' }),
    reason: t.value('String', 'The explanation in Italian, for the carrier.', ({ code }) => FINDING_CODES[code].reason),
    amount: t.money(
      'The amount that was billed too much with its consequences, such as fuel on a greater price; less than zero for too little. EUR before VAT; the amount of VAT for the code `VAT`.',
      ({ amountCents }) => amountCents,
    ),
    billed: t.money('The billed amount of the charge in question, EUR.', ({ billedCents }) => billedCents),
    due: t.money(
      'The due amount of the charge once the findings before it are corrected, EUR.',
      ({ dueCents }) => dueCents,
    ),
    ...t.nullableColumns('String', {
      rule: 'RFC 6901 pointer to the rule in the tariff. Null where no rule is concerned.',
    }),
    explanation: t.string({
      description: 'The due amount and the reason. Findings of version 1.0 have it in English alone.',
      args: LANGUAGE_ARG,
      resolve: ({ explanation, explanationIt }, { language }) => (language === 'it' ? explanationIt : explanation),
    }),
    credited: t.money(
      'The part of `amount` that credits of the carrier answer, EUR: lines below zero of the same shipment or number, on later lines and invoices. VAT is never credited.',
      ({ creditedCents }) => creditedCents,
    ),
    line: t.field({
      type: LineRef,
      description: 'The line of the finding.',
      resolve: async ({ invoiceId, position }, _args, { tenant }) =>
        (await lineByPosition(tenant, invoiceId, position)) as LineRow,
    }),
  }),
});

nodeType(FindingRef, {
  scope: INVOICE_SCOPE,
  keyOf: ({ invoiceId, id }) => `${invoiceId}.${id}`,
  readKey: readPair,
  find: ([invoiceId, id], { tenant }) => findingById(tenant, invoiceId, id),
});

const LineConnection = connectionOf(LineRef);
const FindingConnection = connectionOf(FindingRef);

query('openCarrierClaims', {
  type: FindingConnection,
  description:
    'Claims that no credit of the carrier answers in full, 50 a page unless `first` (at most 250) says otherwise. A claim is a finding with an `amount` above zero that is not about VAT. The claims of the first imported invoice come first.',
  authScopes: { scope: INVOICE_SCOPE },
  args: builder.args(t => ({
    ...PAGE_ARGS,
    filter: t.field({ type: inputType(openClaimFilter), description: 'Which claims.' }),
  })),
  complexity: pageCost,
  resolve: (_root, { filter, ...args }, { tenant }) => {
    const aged = { carrierConnectionId: filter?.carrierConnectionId ?? null, days: filter?.days ?? DAYS_TO_CREDIT };
    const place = (at: Position | null) => at && { invoiceId: at.key ?? 0, id: at.id };
    return pageByPosition(
      args,
      'invoice',
      () => countAgedClaims(tenant, aged),
      async ({ before, after, ...page }) => {
        const rows = await agedClaims(tenant, aged, { ...page, after: place(after), before: place(before) });
        return { rows: rows.map(row => ({ ...row, listKey: row.invoiceId })), reached: null };
      },
    );
  },
});

builder.objectFields(InvoiceRef, t => ({
  lines: t.field({
    type: LineConnection,
    description: 'Its lines in their order, 50 a page unless `first` (at most 250) says otherwise.',
    args: { ...PAGE_ARGS, filter: t.arg({ type: inputType(lineFilter), description: 'Which lines.' }) },
    complexity: pageCost,
    resolve: ({ id }, args, { tenant }) => {
      const states = args.filter?.states ?? null;
      return pageById(
        args,
        () => countLines(tenant, id, states),
        page => linesPage(tenant, id, states, page),
      );
    },
  }),
  findings: t.field({
    type: FindingConnection,
    description: 'Its findings in the order of its lines, 50 a page unless `first` (at most 250) says otherwise.',
    args: { ...PAGE_ARGS, filter: t.arg({ type: inputType(findingFilter), description: 'Which findings.' }) },
    complexity: pageCost,
    resolve: ({ id }, args, { tenant }) => {
      const filter = { line: null, codes: args.filter?.codes ?? null };
      return pageById(
        args,
        () => countFindings(tenant, id, filter),
        page => findingsPage(tenant, id, filter, page),
      );
    },
  }),
}));

builder.objectFields(LineRef, t => ({
  invoice: t.field({
    type: InvoiceRef,
    description: 'The invoice of the line.',
    resolve: ({ invoiceId }, _args, { tenant }) => invoice(tenant, invoiceId),
  }),
  findings: t.field({
    type: FindingConnection,
    description: 'Its findings, 50 a page unless `first` (at most 250) says otherwise.',
    args: PAGE_ARGS,
    complexity: pageCost,
    resolve: ({ invoiceId, id }, args, { tenant }) => {
      const filter = { line: id, codes: null };
      return pageById(
        args,
        () => countFindings(tenant, invoiceId, filter),
        page => findingsPage(tenant, invoiceId, filter, page),
      );
    },
  }),
}));
