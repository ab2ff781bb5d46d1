// What the page of imports asks of GraphQL, as any client does, with the key of the tab.

import { apiKey } from './api-key.js';

/** Faults of a request, each with a message or a code, and the place in the file, if there is one. */
export class Rejected extends Error {
  constructor(faults) {
    super(faults.map(({ message, code }) => message ?? code).join(' '));
    this.faults = faults;
  }
}

const MAPPING = `name document sheet headerRow
  columns { field column header examples }
  fields { name label }
  problems { sheet row column header value message }`;
const ERRORS = 'userErrors { code pointer message }';
const FINDINGS =
  'findings(first: 100) { totalCount nodes { line { number } code billed due amount explanation(language: $language) } }';
const INVOICE = `id number state lineCount checkedCount billed overbilled underbilled notChecked
  totals { code count amount } ${FINDINGS}`;
const REVISION = 'id name number';
const DIFF = `tariffDiff { from { name number } changes(first: 250) { totalCount nodes { text } }
  samplePrices { prices { shipment to before after } } warnings { message(language: $language) } }`;

export const DOCUMENTS = {
  choices: `query ($warehouses: Boolean!, $carriers: Boolean!) {
    warehouses(first: 250) @include(if: $warehouses) { nodes { databaseId name city isPrincipal } }
    carrierConnections(first: 250) @include(if: $carriers) { nodes { id label carrierName } }
    __type(name: "CarrierInvoiceMapping") { enumValues { name } } }`,
  orderTable: `query ($file: TableFileInput!, $locale: TableLocale, $columns: [TableColumnInput!]) {
    orderTable(input: { file: $file, locale: $locale, columns: $columns }) { ${MAPPING} } }`,
  importOrders: `mutation ($file: TableFileInput!, $mapping: JSON!, $warehouse: ID, $dryRun: Boolean!, $goodRows: Boolean!) {
    importOrders(input: { file: $file, mapping: { document: $mapping }, warehouseId: $warehouse, dryRun: $dryRun, acceptGoodRows: $goodRows }) {
      created updated unchanged rejected onlyChecked orderIds
      rows { total read leftOut wrong } leftOut { sheet row reason cells } remarks
      problems { sheet row column header value cells pointer message } ${ERRORS} } }`,
  problemFile: `mutation ($file: TableFileInput!, $mapping: JSON!, $warehouse: ID) {
    importOrders(input: { file: $file, mapping: { document: $mapping }, warehouseId: $warehouse, dryRun: true }) {
      problemFile { base64 } ${ERRORS} } }`,
  defaultParcel: '{ defaultParcel { weight length width height } }',
  setDefaultParcel: `mutation ($parcel: DefaultParcelInput!) {
    setDefaultParcel(input: { parcel: $parcel }) { defaultParcel { weight } ${ERRORS} } }`,
  prices: `query ($ids: [ID!]!, $language: Language!) {
    nodes(ids: $ids) { ... on Order { orderNumber recipient { city } } }
    quoteOrders(ids: $ids) { errors { message } quote {
      ... on QuoteList { items { carrierName totalPrice totalPriceWithVat } }
      ... on QuoteWarning { message(language: $language) } } } }`,
  invoiceTable: `query ($connection: ID!, $file: TableFileInput!, $mapping: CarrierInvoiceMappingInput, $locale: TableLocale, $columns: [TableColumnInput!]) {
    carrierInvoiceTable(carrierConnectionId: $connection, input: { file: $file, mapping: $mapping, locale: $locale, columns: $columns }) {
      ${MAPPING} } }`,
  importInvoice: `mutation ($connection: ID!, $number: String!, $date: Date!, $file: TableFileInput!, $mapping: JSON!, $codPayment: CodPayment, $dryRun: Boolean!, $replace: Boolean!) {
    importCarrierInvoice(input: { carrierConnectionId: $connection, number: $number, date: $date, source: { file: $file }, mapping: { document: $mapping }, terms: { codPayment: $codPayment }, dryRun: $dryRun, replace: $replace }) {
      lineCount billed remarks rows { total read leftOut { reason count row } } carrierInvoice { id } ${ERRORS} } }`,
  invoice: `query ($id: ID!, $language: Language!) { carrierInvoice(id: $id) { ${INVOICE} } }`,
  claims: 'query ($id: ID!, $after: String) { carrierClaimsCsv(id: $id, after: $after) { csv endCursor } }',
  importTariff: `mutation ($connection: ID!, $file: TableFileInput!, $dryRun: Boolean!, $language: Language!) {
    importTariffWorkbook(input: { carrierConnectionId: $connection, file: $file, dryRun: $dryRun }) {
      tariffRevision { ${REVISION} } ${DIFF} ${ERRORS} } }`,
  publishTariff: `mutation ($id: ID!) { publishTariff(input: { id: $id }) { tariffRevision { ${REVISION} } ${ERRORS} } }`,
};

/** The root fields of a document. @throws Rejected */
export async function askAll(name, variables = {}) {
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
    throw new Rejected([{ code: 'unreachable' }]);
  }
  const errors = body.errors ?? [];
  if (errors.length > 0) throw new Rejected(errors.flatMap(faultsOf));
  if (!body.data) throw new Rejected([{ code: body.code, message: body.detail ?? `HTTP ${response.status}` }]);
  return body.data;
}

/** The value of the one root field of a document. @throws Rejected */
export async function ask(name, variables) {
  const [value] = Object.values(await askAll(name, variables));
  // A look-up returns null for a record that is not there.
  if (value === null) throw new Rejected([{ code: 'gone' }]);
  if (value.userErrors?.length > 0) throw new Rejected(value.userErrors.map(placed));
  return value;
}

function faultsOf({ message, extensions }) {
  return extensions?.errors?.map(placed) ?? [{ message, code: extensions?.code }];
}

/** A fault with sheet, row and column in the place of a pointer such as `/file/Prices/4/H`, or else its field. */
function placed({ pointer, code, message }) {
  const parts = (pointer ?? '')
    .split('/')
    .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .slice(1);
  const name = parts.map(part => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`)).join('');
  const intro = `The field ${name.slice(1)} `;
  const isOfField = message.startsWith(intro);
  const bare = isOfField ? message.slice(intro.length).replace(/\.$/, '') : message;
  const at = parts.indexOf('file');
  if (at < 0) return isOfField ? { code, field: parts.at(-1), message: bare } : { code, message };
  const rest = parts.slice(at + 1);
  const row = rest.findIndex(part => /^\d+$/.test(part));
  return {
    message: bare,
    sheet: row === 0 ? undefined : rest[0],
    row: rest[row],
    column: row < 0 ? undefined : rest[row + 1],
  };
}
