import { defineEntity, p } from '@mikro-orm/core';
import { foreignKeys, ofCompany } from '../../../platform/database/tenancy/company-entity.ts';
import type { BilledLine } from './billed-line.rules.ts';
import type { InvoiceTotals } from './invoices.rules.ts';
import type { StatedTerms } from './stated-terms.rules.ts';

/** A carrier's invoice, and the progress of its check. */
export const CarrierInvoiceEntity = defineEntity({
  name: 'CarrierInvoice',
  tableName: 'carrier_invoice',
  ...ofCompany,
  properties: {
    id: p.integer().primary().autoincrement().generated('by default as identity'),
    companyId: p.uuid().primary(),
    carrierConnectionId: p.integer(),
    number: p.text(),
    invoiceDate: p.date(),
    year: p.smallint(),
    mapping: p.text(),
    covers: p.array(),
    terms: p.json<StatedTerms>().nullable(),
    state: p.enum(['checking', 'checked']),
    run: p.integer(),
    lineCount: p.integer(),
    checkedCount: p.integer(),
    billedCents: p.bigint('number'),
    vatCents: p.bigint('number'),
    totals: p.json<InvoiceTotals>(),
    createdAt: p.datetime(3),
    checkedAt: p.datetime(3).nullable(),
  },
  uniques: [
    {
      name: 'carrier_invoice_company_id_carrier_connection_id_year_numbe_key',
      properties: ['companyId', 'carrierConnectionId', 'year', 'number'],
    },
  ],
  ...foreignKeys(
    { columns: ['company_id', 'carrier_connection_id'], references: 'carrier_connection' },
    { columns: ['company_id'], references: 'company' },
  ),
});

export const CarrierInvoiceLineEntity = defineEntity({
  name: 'CarrierInvoiceLine',
  tableName: 'carrier_invoice_line',
  ...ofCompany,
  properties: {
    companyId: p.uuid().primary(),
    invoiceId: p.integer().primary(),
    position: p.integer().primary(),
    number: p.text().nullable(),
    billed: p.json<BilledLine>(),
    billedCents: p.bigint('number'),
    vatCents: p.bigint('number'),
    kinds: p.integer(),
    state: p.enum(['unchecked', 'agrees', 'differs', 'unknown', 'ambiguous', 'not_priced', 'credit']),
    reason: p.text().nullable(),
    shipmentId: p.integer().nullable(),
    dueCents: p.bigint('number').nullable(),
  },
  indexes: [
    {
      name: 'carrier_invoice_line_shipment',
      properties: ['companyId', 'shipmentId', 'invoiceId'],
      where: 'shipment_id is not null',
    },
    { name: 'carrier_invoice_line_credit', properties: ['companyId', 'shipmentId'], where: "state = 'credit'" },
    {
      name: 'carrier_invoice_line_number',
      expression:
        "create index carrier_invoice_line_number on carrier_invoice_line (company_id, left(number, 100)) where shipment_id is null and state in ('unknown', 'credit')",
    },
  ],
  ...foreignKeys({ columns: ['company_id', 'invoice_id'], references: 'carrier_invoice', onDelete: 'cascade' }),
});

/** A difference between a line and the tariff. */
export const CarrierInvoiceFindingEntity = defineEntity({
  name: 'CarrierInvoiceFinding',
  tableName: 'carrier_invoice_finding',
  ...ofCompany,
  properties: {
    companyId: p.uuid().primary(),
    invoiceId: p.integer().primary(),
    position: p.integer().primary(),
    n: p.smallint().primary(),
    code: p.text(),
    amountCents: p.bigint('number'),
    billedCents: p.bigint('number'),
    dueCents: p.bigint('number'),
    rule: p.text().nullable(),
    explanation: p.text(),
    explanationIt: p.text().nullable(),
    creditedCents: p.bigint('number').defaultRaw('0'),
  },
  indexes: [
    { name: 'carrier_invoice_finding_code', properties: ['companyId', 'invoiceId', 'code', 'position', 'n'] },
    {
      name: 'carrier_invoice_finding_open',
      properties: ['companyId', 'invoiceId', 'position', 'n'],
      where: "amount_cents > credited_cents and code <> 'vat'",
    },
  ],
  ...foreignKeys({
    columns: ['company_id', 'invoice_id', 'position'],
    references: 'carrier_invoice_line',
    to: ['company_id', 'invoice_id', 'position'],
    onDelete: 'cascade',
  }),
});
