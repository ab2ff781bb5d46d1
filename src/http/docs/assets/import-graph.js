// What the page of imports asks of GraphQL, as any client does, with the key of the tab.

import { apiKey } from './api-key.js';

/** Faults of a request, each with a message and the place in the file, if there is one. */
export class Rejected extends Error {
  constructor(faults) {
    super(faults.map(({ message }) => message).join(' '));
    this.faults = faults;
  }
}

const MAPPING = `name document sheet headerRow
  columns { field column header examples }
  fields { name label description }
  problems { sheet row column header value message }`;
const ERRORS = 'userErrors { code pointer message }';
const FINDINGS =
  'findings(first: 100) { totalCount nodes { line { number } code reason billed due amount explanation } }';
const INVOICE = `id number state lineCount checkedCount billed overbilled underbilled notChecked
  totals { code count amount } ${FINDINGS}`;
const REVISION = 'id name number';
const DIFF = 'tariffDiff { from { number } changes(first: 100) { totalCount nodes { text } } }';

export const DOCUMENTS = {
  warehouses: '{ warehouses(first: 100) { nodes { databaseId name city } } }',
  connections: '{ carrierConnections(first: 100) { nodes { id label carrierName isActive environment } } }',
  orderTable: `query ($file: TableFileInput!, $locale: TableLocale, $columns: [TableColumnInput!]) {
    orderTable(input: { file: $file, locale: $locale, columns: $columns }) { ${MAPPING} } }`,
  importOrders: `mutation ($file: TableFileInput!, $mapping: JSON!, $warehouse: ID, $dryRun: Boolean!, $goodRows: Boolean!) {
    importOrders(input: { file: $file, mapping: { document: $mapping }, warehouseId: $warehouse, dryRun: $dryRun, acceptGoodRows: $goodRows }) {
      created updated unchanged rejected onlyChecked
      rows { total read leftOut wrong } leftOut { sheet row reason cells } remarks
      problems { sheet row column header value cells pointer message } ${ERRORS} } }`,
  problemFile: `mutation ($file: TableFileInput!, $mapping: JSON!, $warehouse: ID) {
    importOrders(input: { file: $file, mapping: { document: $mapping }, warehouseId: $warehouse, dryRun: true }) {
      problemFile { base64 } ${ERRORS} } }`,
  defaultParcel: '{ defaultParcel { weight length width height } }',
  setDefaultParcel: `mutation ($parcel: DefaultParcelInput!) {
    setDefaultParcel(input: { parcel: $parcel }) { defaultParcel { weight } ${ERRORS} } }`,
  newestOrders: '{ orders(first: 20) { nodes { id orderNumber recipient { city } } } }',
  quoteOrders: `query ($ids: [ID!]!) { quoteOrders(ids: $ids) {
    index code errors { message }
    quote { ... on QuoteList { items { carrierName totalPrice totalPriceWithVat } } ... on QuoteWarning { message } } } }`,
  invoiceMappings: '{ __type(name: "CarrierInvoiceMapping") { enumValues { name } } }',
  invoiceTable: `query ($connection: ID!, $file: TableFileInput!, $mapping: CarrierInvoiceMappingInput, $locale: TableLocale, $columns: [TableColumnInput!]) {
    carrierInvoiceTable(carrierConnectionId: $connection, input: { file: $file, mapping: $mapping, locale: $locale, columns: $columns }) {
      ${MAPPING} } }`,
  importInvoice: `mutation ($connection: ID!, $number: String!, $date: Date!, $file: TableFileInput!, $mapping: JSON!, $codPayment: CodPayment, $dryRun: Boolean!, $replace: Boolean!) {
    importCarrierInvoice(input: { carrierConnectionId: $connection, number: $number, date: $date, source: { file: $file }, mapping: { document: $mapping }, terms: { codPayment: $codPayment }, dryRun: $dryRun, replace: $replace }) {
      lineCount billed rows { total read leftOut { reason count row } } carrierInvoice { id } ${ERRORS} } }`,
  invoice: `query ($id: ID!) { carrierInvoice(id: $id) { ${INVOICE} } }`,
  claims: 'query ($id: ID!, $after: String) { carrierClaimsCsv(id: $id, after: $after) { csv endCursor } }',
  importTariff: `mutation ($connection: ID!, $file: TableFileInput!, $dryRun: Boolean!) {
    importTariffWorkbook(input: { carrierConnectionId: $connection, file: $file, dryRun: $dryRun }) {
      tariffRevision { ${REVISION} } ${DIFF} ${ERRORS} } }`,
  publishTariff: `mutation ($id: ID!) { publishTariff(input: { id: $id }) { tariffRevision { ${REVISION} } ${ERRORS} } }`,
};

/** The value of the one root field of a document. @throws Rejected */
export async function ask(name, variables = {}) {
  if (apiKey() === '') throw new Rejected([{ message: 'Type your key first.' }]);
  let response;
  let body;
  try {
    response = await fetch('/graphql', {
      method: 'POST',
      // A browser that is logged in as an operator would send that login too.
      credentials: 'omit',
      headers: { 'content-type': 'application/json', 'x-api-key': apiKey() },
      body: JSON.stringify({ query: DOCUMENTS[name], variables }),
    });
    body = await response.json();
  } catch {
    throw new Rejected([{ message: 'The service cannot be reached, or has closed the connection.' }]);
  }
  const errors = body.errors ?? [];
  if (errors.length > 0) throw new Rejected(errors.flatMap(faultsOf));
  const [value] = Object.values(body.data ?? {});
  if (value === undefined)
    throw new Rejected([{ message: body.detail ?? `The service responded with ${response.status}.` }]);
  // A look-up returns null for a record that is not there.
  if (value === null) throw new Rejected([{ message: 'The record no longer exists. Import the file again.' }]);
  if (value.userErrors?.length > 0) throw new Rejected(value.userErrors.map(placed));
  return value;
}

function faultsOf({ message, extensions }) {
  return extensions?.errors?.map(placed) ?? [{ message }];
}

/** A fault with sheet, row and column in the place of a pointer such as `/file/Prices/4/H`. */
function placed({ pointer, message }) {
  const parts = (pointer ?? '')
    .split('/')
    .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .slice(1);
  const at = parts.indexOf('file');
  if (at < 0) return { message };
  const name = parts.reduce(
    (path, part) => `${path}${/^\d+$/.test(part) ? `[${part}]` : `${path ? '.' : ''}${part}`}`,
    '',
  );
  const intro = `The field ${name} `;
  const rest = parts.slice(at + 1);
  const row = rest.findIndex(part => /^\d+$/.test(part));
  return {
    message: message.startsWith(intro) ? message.slice(intro.length) : message,
    sheet: row === 1 ? rest[0] : row < 0 ? rest[0] : undefined,
    row: rest[row],
    column: row < 0 ? undefined : rest[row + 1],
  };
}
