import type { CommandRow } from './command-row.ts';

/** Invoices of carriers, and what they bill too much. */

const Invoice = `fragment Invoice on CarrierInvoice {
  databaseId carrierConnectionId number date state lineCount checkedCount billed overbilled underbilled notChecked
}`;
const Whole = `fragment Whole on CarrierInvoice { ...Invoice mapping totals { code count amount } lineTotals { state count } } ${Invoice}`;
const finding = 'code amount billed due credited reason explanation(language: EN) line { position row number date }';

export const INVOICE_COMMANDS: readonly CommandRow[] = [
  {
    name: 'invoice import',
    purpose: 'import an invoice and check it; a line that differs from the tariff has findings',
    operation: `mutation (
      $table: String!, $connection: ID!, $number: String!, $date: Date!, $mapping: CarrierInvoiceMappingInput
      $terms: CarrierInvoiceTermsInput, $replace: Boolean = false, $dryRun: Boolean = false
    ) {
      importCarrierInvoice(input: {
        carrierConnectionId: $connection, number: $number, date: $date, source: { file: { base64: $table } }
        mapping: $mapping, terms: $terms, replace: $replace, dryRun: $dryRun
      }) {
        rows { total read leftOut { reason count row } } remarks lineCount billed
        mapping { name columns { column header field } } carrierInvoice { ...Whole }
      }
    } ${Whole}`,
    names: { 'mapping.name': 'mapping', 'mapping.document': 'mapping-file' },
    files: { table: 'base64' },
    argument: 'table',
    examples: [
      'brt-november.csv --connection 8 --number 2026/4711 --date 2026-11-30',
      'sda.csv --connection 8 --number 17 --date 2026-11-30 --mapping-file sda-invoice.json',
      'brt-november.csv --connection 8 --number 2026/4711 --date 2026-11-30 --cod-payment cash --monthly-shipments 800',
    ],
  },
  {
    name: 'invoice list',
    purpose: 'list the invoices of a company, the last imported first',
    operation: `query ($connection: ID, $first: Int = 50, $after: String) {
      carrierInvoices(filter: { carrierConnectionId: $connection }, first: $first, after: $after) { nodes { ...Invoice } pageInfo { hasNextPage endCursor } }
    } ${Invoice}`,
    examples: [''],
  },
  {
    name: 'invoice show',
    purpose: 'print what an invoice was billed too much, by code',
    operation: `query ($invoice: ID!) { carrierInvoice(id: $invoice) { ...Whole } } ${Whole}`,
    argument: 'invoice',
    examples: ['3'],
  },
  {
    name: 'invoice findings',
    purpose: 'list the findings of an invoice: what was billed, what is due, and why',
    operation: `query ($invoice: ID!, $codes: [CarrierInvoiceFindingCode!], $first: Int = 50, $after: String) {
      carrierInvoice(id: $invoice) {
        findings(filter: { codes: $codes }, first: $first, after: $after) { nodes { ${finding} } pageInfo { hasNextPage endCursor } }
      }
    }`,
    argument: 'invoice',
    examples: ['3 --codes fuel,weight_band'],
  },
  {
    name: 'invoice check',
    purpose: 'check an invoice again, for example after its tariff was corrected',
    operation: `mutation ($invoice: ID!) { recheckCarrierInvoice(input: { id: $invoice }) { carrierInvoice { ...Whole } } } ${Whole}`,
    argument: 'invoice',
    examples: ['3'],
  },
  {
    name: 'invoice claims',
    purpose: 'print what to dispute as CSV for the carrier, one line a claim',
    operation: `query ($invoice: ID!, $after: String) { carrierClaimsCsv(id: $invoice, after: $after) { document: csv endCursor } }`,
    argument: 'invoice',
    isDocument: true,
    examples: ['3 --out claims.csv'],
  },
  {
    name: 'invoice open-claims',
    purpose: 'list the claims of all invoices that no credit of the carrier answers; --csv for the carrier',
    operation: `query ($connection: ID, $days: Int = 60, $first: Int = 50, $after: String) {
      openCarrierClaims(filter: { carrierConnectionId: $connection, days: $days }, first: $first, after: $after) {
        nodes { ${finding.replace('line {', 'line { invoice { number date }')} } pageInfo { hasNextPage endCursor }
      }
    }`,
    examples: ['--days 60 --all --csv'],
  },
  {
    name: 'invoice delete',
    purpose: 'delete an invoice with its lines and findings',
    operation: `mutation ($invoice: ID!) { deleteCarrierInvoice(input: { id: $invoice }) { carrierInvoice { ...Invoice } } } ${Invoice}`,
    argument: 'invoice',
    confirm: 'The invoice will be deleted with its lines and all of its findings.',
    examples: ['3'],
  },
];
