/**
 * Makes the text that a statement of a company has for a sandbox key: each table whose rows belong to a carrier connection,
 * an endpoint or a key is read as if it had those of the sandbox alone. So no repository has to think of it, and live keys
 * run the texts as they are declared.
 *
 * Not by views: they keep the columns that a table had when they were made, and Citus changes nothing through them.
 */

/** A condition on a row of a table, by the name that the row has in the statement. */
type Condition = (row: string) => string;

/** What the rows of a table that is read are named before the statement names them. No statement has this name of its own. */
export const ROW = 'in_sandbox';
/** The same of a table that a condition reads. */
const OTHER = 'of_sandbox';

const own = (table: string, condition: Condition) =>
  `array(select ${OTHER}.id from ${table} ${OTHER} where ${OTHER}.company_id = $1 and ${condition(OTHER)})`;
const isSandbox: Condition = row => `${row}.environment = 'sandbox'`;
const CONNECTIONS = own('carrier_connection', isSandbox);
const ENDPOINTS = own('webhook_endpoint', isSandbox);

/**
 * One of some numbers, which PostgreSQL reads once a statement. With `+ 0` it is a filter and never the reason to take
 * another index: the statement goes the way that it goes for a live key.
 */
const isOneOf = (column: string, numbers: string) => `${column} + 0 = any(${numbers})`;
const ofConnection: Condition = row => isOneOf(`${row}.carrier_connection_id`, CONNECTIONS);
const ofInvoice: Condition = row => isOneOf(`${row}.invoice_id`, own('carrier_invoice', ofConnection));
const ofTariff: Condition = row => isOneOf(`${row}.tariff_id`, own('tariff', ofConnection));
const ofSimulation: Condition = row => isOneOf(`${row}.simulation_id`, own('tariff_simulation', isSandbox));
const ofEndpoint: Condition = row => `${row}.endpoint_id = any(${ENDPOINTS})`;
/** By the shipment of each row: there are too many shipments to read all of them. */
const ofShipment: Condition = row => `(select ${OTHER}.carrier_connection_id from shipment ${OTHER}
    where ${OTHER}.company_id = $1 and ${OTHER}.id = ${row}.shipment_id) = any(${CONNECTIONS})`;
const ofDelivery = (column: string, ofRow: string) => `exists (select from webhook_delivery ${OTHER}
    where ${OTHER}.company_id = $1 and ${OTHER}.${column} = ${ofRow} and ${ofEndpoint(OTHER)})`;

/** Which rows of a table a sandbox key sees. */
const SANDBOXED: Readonly<Record<string, Condition>> = {
  api_key: isSandbox,
  audit_entry: row => `${row}.content #>> '{actor,environment}' = 'sandbox'`,
  carrier_call: ofConnection,
  carrier_connection: isSandbox,
  carrier_invoice: ofConnection,
  carrier_invoice_finding: ofInvoice,
  carrier_invoice_line: ofInvoice,
  carrier_tariff_revision: ofConnection,
  promise_accuracy: ofConnection,
  promise_cell: ofConnection,
  saved_quote: ofConnection,
  shipment: ofConnection,
  shipment_contact: ofShipment,
  shipment_estimate: ofShipment,
  shipment_label: ofShipment,
  shipment_promise: ofConnection,
  shipment_relation: ofShipment,
  tariff: ofConnection,
  tariff_band: ofTariff,
  tariff_place: ofTariff,
  tariff_simulation: isSandbox,
  tariff_simulation_page: ofSimulation,
  tariff_version: ofTariff,
  tariff_zone: ofTariff,
  tracking_change: ofShipment,
  tracking_event: ofShipment,
  tracking_poll: ofConnection,
  webhook_attempt: row => ofDelivery('id', `${row}.delivery_id`),
  webhook_delivery: ofEndpoint,
  webhook_endpoint: isSandbox,
  webhook_endpoint_count: ofEndpoint,
  // A test event is of no shipment.
  webhook_event: row => `(${ofShipment(row)} or ${ofDelivery('event_id', `${row}.id`)})`,
  webhook_secret: ofEndpoint,
};

export const SANDBOXED_TABLES: readonly string[] = Object.keys(SANDBOXED);

const TABLE = `(${SANDBOXED_TABLES.join('|')})\\b`;
/** What may follow a table that has no other name. */
const NO_NAME =
  'where|set|using|on|join|cross|inner|left|natural|order|group|limit|offset|for|union|returning|having|window|and|or|as';
const NAME = `(?:\\s+(?:as\\s+)?(?!(?:${NO_NAME})\\b)([a-z_]+))?`;
const READ = new RegExp(`(?<!\\bdelete )\\b(from|join|using)\\s+${TABLE}${NAME}`, 'g');
const CHANGE = new RegExp(`\\b(?:update|delete from)\\s+${TABLE}${NAME}`, 'g');

/**
 * The text of a statement for a sandbox key; the same where all that it names belongs to the whole company. What is inserted
 * is not looked at: it belongs to a row that this statement, or one before it, has read.
 *
 * @throws Error where a change of a table has no predicate `company_id = $1` of its own, after which a condition could stand
 */
export function sandboxText(name: string, text: string): string {
  // The place of a row is no column, and so not among all of them.
  const columns = /\bctid\b/.test(text) ? `${ROW}.ctid, ${ROW}.*` : `${ROW}.*`;
  const read = text.replaceAll(READ, (_, keyword: string, table: string, row: string = table) => {
    const condition = conditionOf(table, ROW);
    return `${keyword} (select ${columns} from ${table} ${ROW} where ${ROW}.company_id = $1 and ${condition}) ${row}`;
  });
  let changed = read;
  // From the end on, so that what is put in moves nothing that is still to be found.
  for (const match of [...read.matchAll(CHANGE)].reverse()) {
    const [{ length }, table = '', row] = match;
    const predicate = new RegExp(
      `${row === undefined ? '(?<![.\\w])' : `\\b${row}\\.`}company_id = \\$1(?:::uuid)?`,
      'g',
    );
    predicate.lastIndex = match.index + length;
    if (!predicate.test(read))
      throw new Error(`Statement ${name} changes ${table} without company_id = $1 of its rows`);
    const end = predicate.lastIndex;
    changed = `${changed.slice(0, end)} and ${conditionOf(table, row ?? table)}${changed.slice(end)}`;
  }
  return changed;
}

function conditionOf(table: string, row: string): string {
  return (SANDBOXED[table] as Condition)(row);
}
