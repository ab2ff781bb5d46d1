import { builder } from '../../../graphql/builder.ts';
import { MUTATION, TARIFF_IMPORT } from '../../../graphql/costs.ts';
import { enumType } from '../../../graphql/enum-type.ts';
import { inputType } from '../../../graphql/input-type.ts';
import { connectionOf, PAGE_ARGS, pageById, pageCost } from '../../../graphql/lists.ts';
import { mutation, numberId } from '../../../graphql/mutation.ts';
import { numberNamed, numberSought } from '../../../graphql/node-id.ts';
import { numberedNode } from '../../../graphql/nodes.ts';
import { idArg, lookUp, query } from '../../../graphql/query.ts';
import { RecipientTypeEnum } from '../../common/places/recipient.graphql.ts';
import { TableMappingRef } from '../../common/tables/table-mapping.graphql.ts';
import { CodPaymentEnum } from '../../pricing/quotes/quote.graphql.ts';
import { money } from '../../pricing/tariffs/units.rules.ts';
import {
  CarrierConnectionRef,
  carrierConnectionOf,
  recordIdOfConnection,
} from '../../shipping/carriers/carriers.graphql.ts';
import { FINDING_CODES, type FindingCode } from './check/finding-codes.rules.ts';
import { importCarrierInvoiceInput, invoiceFilter } from './invoices.input.ts';
import { countInvoices, type InvoiceRow, invoiceById } from './invoices.repository.ts';
import {
  type CodeTotal,
  type InvoiceState,
  type InvoiceTotals,
  LINE_STATES,
  type LineState,
} from './invoices.rules.ts';
import { deleteInvoice, importInvoice, invoice, listInvoices, recheckInvoice } from './invoices.service.ts';
import { INVOICE_MAPPINGS } from './reading/invoice-mappings.catalog.ts';
import type { LeftOutRows, RowCounts } from './reading/invoice-reader.rules.ts';
import { invoiceTableInput } from './reading/invoice-table.input.ts';
import { proposeSentInvoice } from './reading/invoice-table.service.ts';
import { NO_TERMS, type StatedTerms } from './stated-terms.rules.ts';

export const INVOICE_SCOPE = 'carriers:manage';
const authScopes = { scope: INVOICE_SCOPE } as const;

enumType<string>(
  'CarrierInvoiceMapping',
  'A mapping of the columns of an invoice that is built into the service.',
  Object.fromEntries(
    Object.keys(INVOICE_MAPPINGS).map(name => [
      name,
      name === 'PLAIN' ? 'The columns that the guide names.' : `Columns as ${name} names them.`,
    ]),
  ),
);

const StateEnum = enumType<InvoiceState>('CarrierInvoiceState', 'How far the check of an invoice is.', {
  checking: 'Its lines are being checked; `checkedCount` are done.',
  checked: 'All lines are checked.',
});

export const LineStateEnum = enumType<LineState>(
  'CarrierInvoiceLineState',
  'The outcome of the check of a line.',
  LINE_STATES,
);

export const FindingCodeEnum = enumType(
  'CarrierInvoiceFindingCode',
  'The error in a line of an invoice.',
  Object.fromEntries(Object.entries(FINDING_CODES).map(([code, { description }]) => [code, description])) as Record<
    FindingCode,
    string
  >,
);

const CodeTotalRef = builder.objectRef<CodeTotal>('CarrierInvoiceCodeTotal').implement({
  description: 'All findings of an invoice that have one code.',
  fields: t => ({
    code: t.expose('code', { type: FindingCodeEnum, description: 'The code.' }),
    count: t.exposeInt('count', { description: 'How many findings have it.' }),
    amount: t.money('The amount that was billed too much; less than zero for too little. EUR.', ({ cents }) => cents),
  }),
});

const StateTotalRef = builder.objectRef<InvoiceTotals['states'][number]>('CarrierInvoiceStateTotal').implement({
  description: 'All lines of an invoice that are in one state.',
  fields: t => ({
    state: t.expose('state', { type: LineStateEnum, description: 'The state.' }),
    count: t.exposeInt('count', { description: 'How many lines are in it.' }),
  }),
});

export const TermsRef = builder.objectRef<StatedTerms>('CarrierInvoiceTerms').implement({
  description: 'Terms of shipments that an invoice states. Null for what it does not state.',
  fields: t => ({
    ...t.nullableColumns(CodPaymentEnum, { codPayment: 'How cash on delivery was paid.' }),
    monthlyShipments: t.exposeInt('monthlyShipments', { nullable: true, description: 'Shipments of the month.' }),
    pallets: t.exposeInt('pallets', { nullable: true, description: 'How many of the parcels are pallets.' }),
    palletType: t.exposeString('palletType', { nullable: true, description: 'Type of the pallets.' }),
    ...t.nullableColumns('Int', { stackablePallets: 'On how many of the pallets something can stand.' }),
    ...t.nullableColumns(RecipientTypeEnum, { recipientType: 'What the recipients are.' }),
    goodsValue: t.nullable('Money', 'What the goods are worth, EUR.', ({ goodsCents }) =>
      goodsCents === null ? null : money(goodsCents),
    ),
    dutiesAmount: t.nullable('Money', 'Duties and taxes that the carrier advanced, EUR.', ({ dutiesCents }) =>
      dutiesCents === null ? null : money(dutiesCents),
    ),
  }),
});

export const InvoiceRef = builder.objectRef<InvoiceRow>('CarrierInvoice').implement({
  description: 'An invoice of a carrier, compared with the tariff of its connection.',
  fields: t => ({
    databaseId: t.exposeInt('id', { description: 'Number of the record.' }),
    carrierConnectionId: t.id({
      description: 'Id of the carrier connection.',
      resolve: ({ carrierConnectionId }) => recordIdOfConnection(carrierConnectionId),
    }),
    carrierConnection: t.field({
      type: CarrierConnectionRef,
      description: 'The carrier connection.',
      authScopes: { scope: 'carriers:read' },
      resolve: ({ carrierConnectionId }, _args, context) => carrierConnectionOf(context, carrierConnectionId),
    }),
    number: t.exposeString('number', { description: 'Number of the invoice.' }),
    date: t.expose('date', { type: 'Date', description: 'Its date.' }),
    mapping: t.exposeString('mapping', { description: 'Name of the mapping by which it was read; `ROWS` for none.' }),
    terms: t.field({
      type: TermsRef,
      description: 'Terms of all its shipments, where neither a line, a saved quote nor an order has them.',
      resolve: ({ terms }) => ({ ...NO_TERMS, ...terms }),
    }),
    state: t.expose('state', { type: StateEnum, description: 'How far its check is.' }),
    ...t.columns('Int', { lineCount: 'How many lines it has.', checkedCount: 'How many lines are checked.' }),
    billed: t.money('The billed amount before VAT, EUR.', ({ billedCents }) => billedCents),
    vat: t.money('The VAT that its lines state, EUR.', ({ vatCents }) => vatCents),
    overbilled: t.money(
      'The amount that is billed too much before VAT, EUR: the sum of the findings above zero.',
      ({ totals }) => totals.overCents,
    ),
    underbilled: t.money(
      'The amount that is billed too little before VAT, EUR: the sum of the findings below zero, without the sign.',
      ({ totals }) => totals.underCents,
    ),
    notChecked: t.nullable(
      'Money',
      'The part of the amount before VAT that could not be checked, EUR: lines that are `AMBIGUOUS`, `NOT_PRICED` or a `CREDIT`, and the charges of the findings `NOT_CHECKED`. Credits count without their sign. Null if the invoice was checked by an older version of the service: check it again.',
      ({ totals }) => (totals.uncheckedCents === undefined ? null : money(totals.uncheckedCents)),
    ),
    totals: t.field({
      type: [CodeTotalRef],
      description: 'The findings by code, the greatest amount first. Empty until it is checked.',
      resolve: ({ totals }) => totals.codes,
    }),
    lineTotals: t.field({
      type: [StateTotalRef],
      description: 'The lines by state. Empty until it is checked.',
      resolve: ({ totals }) => totals.states,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was first imported.' }),
    ...t.nullableColumns('DateTime', { checkedAt: 'When its check ended. Null while the check runs.' }),
  }),
});

numberedNode(InvoiceRef, INVOICE_SCOPE, invoiceById);

const LeftOutRef = builder.objectRef<LeftOutRows>('CarrierInvoiceLeftOutRows').implement({
  description: 'Rows of an invoice that are left out, for one reason.',
  fields: t => ({
    reason: t.exposeString('reason', { description: 'The reason, as a sentence about such a row.' }),
    ...t.columns('Int', { count: 'How many they are.', row: 'The first of them, as a spreadsheet counts rows.' }),
  }),
});

const RowCountsRef = builder.objectRef<RowCounts>('CarrierInvoiceRowCounts').implement({
  description:
    'The rows below the header of an invoice. Each is part of a line, is left out or is wrong. A wrong row rejects the invoice.',
  fields: t => ({
    total: t.exposeInt('total', { description: 'How many rows there are.' }),
    read: t.exposeInt('read', { description: 'How many are parts of lines. A line can have several rows.' }),
    leftOut: t.value([LeftOutRef], 'The others by reason, such as rows of totals.', ({ leftOut }) => leftOut),
    wrong: t.exposeInt('wrong', { description: 'How many have problems.' }),
  }),
});

const Connection = connectionOf(InvoiceRef);

query('carrierInvoices', {
  type: Connection,
  description: 'Invoices of carriers, the last imported first, 50 a page unless `first` (at most 250) says otherwise.',
  authScopes,
  args: builder.args(t => ({
    ...PAGE_ARGS,
    filter: t.field({ type: inputType(invoiceFilter), description: 'Which invoices.' }),
  })),
  complexity: pageCost,
  resolve: (_root, args, { tenant }) => {
    const carrierConnectionId = args.filter?.carrierConnectionId ?? null;
    const count = () => countInvoices(tenant, carrierConnectionId);
    return pageById(args, count, page => listInvoices(tenant, carrierConnectionId, page));
  },
});

query('carrierInvoice', {
  type: InvoiceRef,
  nullable: true,
  description: 'One invoice of a carrier. Null if the company has none with this id.',
  authScopes,
  args: idArg('Global id of the invoice, or its `databaseId`.'),
  resolve: (_root, { id }, context) =>
    lookUp(context, () => invoice(context.tenant, numberSought('CarrierInvoice', id))),
});

query('carrierInvoiceTable', {
  type: TableMappingRef,
  nullable: true,
  description:
    'How `importCarrierInvoice` would read the columns of a table. The columns can be chosen anew, one by one, and `document` is the mapping of the choice.',
  authScopes,
  args: builder.args(t => ({
    carrierConnectionId: t.id({ required: true, description: 'The carrier connection.' }),
    input: t.field({ type: inputType(invoiceTableInput), required: true, description: 'The table.' }),
  })),
  complexity: MUTATION,
  resolve: (_root, { carrierConnectionId, input }, { tenant }) => {
    const id = numberNamed('CarrierConnection', carrierConnectionId, ['carrierConnectionId']);
    return proposeSentInvoice(tenant, id, input);
  },
});

const ids = { id: numberId('CarrierInvoice', 'The invoice.') };
const payload = (description: string) => ({ carrierInvoice: { type: InvoiceRef, description } });

mutation('importCarrierInvoice', {
  description:
    'Imports an invoice of a carrier, as a whole or not at all, and compares its lines with the tariff of the connection. Up to 1,000 lines are checked before the response; a longer invoice is checked as a job, and `checkedCount` shows the progress.',
  scope: INVOICE_SCOPE,
  ids: { carrierConnectionId: numberId('CarrierConnection', 'The carrier connection.') },
  fields: importCarrierInvoiceInput,
  payload: {
    ...payload('The imported invoice. Null if it was only read.'),
    lineCount: { type: 'Int', description: 'How many lines it has.' },
    billed: { type: 'Money', description: 'What it bills before VAT, EUR.' },
    rows: {
      type: RowCountsRef,
      description: 'How many rows were read, left out and wrong, also where wrong rows reject the invoice.',
    },
    remarks: {
      type: ['String'],
      description: 'Sentences about sheets that were not read, and about an encoding that was guessed.',
    },
    mapping: { type: TableMappingRef, description: 'How the table was read. Null for `rows`.' },
  },
  complexity: TARIFF_IMPORT,
  resolve: async ({ carrierConnectionId, ...input }, { tenant, jobs }) => {
    const { billedCents, ...imported } = await importInvoice(tenant, jobs, carrierConnectionId, input);
    return { ...imported, billed: money(billedCents) };
  },
});

mutation('recheckCarrierInvoice', {
  description:
    'Checks an invoice again, for example after its tariff was corrected or shipments were added. Its findings are replaced.',
  scope: INVOICE_SCOPE,
  ids,
  payload: payload('The invoice as it is now.'),
  complexity: TARIFF_IMPORT,
  resolve: async ({ id }, { tenant, jobs }) => ({ carrierInvoice: await recheckInvoice(tenant, jobs, id) }),
});

mutation('deleteCarrierInvoice', {
  description: 'Deletes an invoice with its lines and findings.',
  scope: INVOICE_SCOPE,
  ids,
  payload: payload('The invoice as it was.'),
  resolve: async ({ id }, { tenant }) => ({ carrierInvoice: await deleteInvoice(tenant, id) }),
});
