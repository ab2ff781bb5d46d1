import type { CommandRow } from './command-row.ts';

/** Tariffs of connections, their revisions, and what they would cost. */

const revision = 'databaseId number name state publishedAt publishDate author apiKeyLabel restoredNumber problem';
const diff = `changes(first: 1000) { nodes { part aspect text } } samplePrices { date prices { shipment to before after } }`;
const revisions = 'tariffRevisions(carrierConnectionId: $connection';

/** The tariff in force on a connection. */
export const CURRENT_TARIFF = `query ($connection: ID!) { ${revisions}, first: 1) { nodes { document } } }`;

const Simulation = `fragment Simulation on TariffSimulation {
  databaseId state progress problem period { from to } shipments
  asShipped { shipments total totalWithAccount byConnection { carrierConnectionId shipments total } notPriced { reason shipments } }
  tariffs {
    number name isInForce carrierConnectionId shipments total totalWithAccount account { total bonus { amount } }
    comparison { shipments before after difference } cheapestShipments cheapestTotal notPriced { reason shipments }
  }
  cheapestMix { shipments total comparison { before after difference } } notPriceable { reason shipments }
}`;

export const TARIFF_COMMANDS: readonly CommandRow[] = [
  {
    name: 'tariff import',
    purpose: 'replace the tariff of a connection, as a whole or not at all; `tariff rollback` brings the old one back',
    operation: `mutation ($file: JSON!, $connection: ID!, $name: String, $dryRun: Boolean = false) {
      importTariff(input: { carrierConnectionId: $connection, tariff: $file, name: $name, dryRun: $dryRun }) {
        tariffRevision { ${revision} } tariffDiff { ${diff} }
      }
    }`,
    files: { file: 'tariff' },
    argument: 'file',
    confirm: 'The tariff of the connection will be replaced; --dry-run shows what would change.',
    examples: ['gls.json --connection 8 --dry-run', 'prices.xlsx --connection 8'],
  },
  {
    name: 'tariff export',
    purpose: 'print the tariff of a connection as JSON',
    operation: CURRENT_TARIFF,
    isDocument: true,
    examples: ['--connection 8 --out gls.json'],
  },
  {
    name: 'tariff list',
    purpose: 'list the tariffs of a company with their connections',
    operation: `query ($first: Int = 100, $after: String) {
      tariffs(first: $first, after: $after) {
        nodes { carrierConnection { databaseId carrierCode label } databaseId name validUntil versions { validFrom } updatedAt }
        pageInfo { hasNextPage endCursor }
      }
    }`,
    examples: [''],
  },
  {
    name: 'tariff history',
    purpose: 'list the tariffs that a connection has had, and its drafts',
    operation: `query ($connection: ID!) {
      revisions: ${revisions}, first: 1000) { nodes { ${revision} } }
      drafts: tariffDrafts(carrierConnectionId: $connection, first: 1000) { nodes { ${revision} } }
    }`,
    argument: 'connection',
    examples: ['8'],
  },
  {
    name: 'tariff diff',
    purpose: 'show the differences between two revisions or drafts, by the ids that `tariff history` shows',
    operation: `query ($from: ID, $to: ID!) { tariffDiff(from: $from, to: $to) { from { ${revision} } to { ${revision} } ${diff} } }`,
    examples: ['--to 17', '--from 12 --to 17'],
  },
  {
    name: 'tariff rollback',
    purpose: 'bring an earlier tariff of a connection back, as a new revision',
    operation: `mutation ($to: ID!, $name: String) { rollbackTariff(input: { id: $to, name: $name }) { tariffRevision { ${revision} } } }`,
    confirm: 'The revision will be in force again; `tariff diff` shows what that changes.',
    examples: ['--to 12'],
  },
  {
    name: 'tariff after-shipment',
    purpose: 'print the charges for something that happens after a shipment was quoted',
    operation: `query ($shipment: QuoteInput!, $terms: QuoteTermsInput, $event: ShipmentEventKind!, $storageDays: Int, $waitingMinutes: Int) {
      quoteAfterShipment(input: $shipment, terms: $terms, events: [{ kind: $event, storageDays: $storageDays, waitingMinutes: $waitingMinutes }]) {
        items { carrierConnectionId carrierName totalPrice vatAmount charges { code description amount vatRate calculation(language: EN) } }
        excluded { carrierConnectionId code message(language: EN) }
      }
    }`,
    files: { shipment: 'json', terms: 'json' },
    argument: 'shipment',
    examples: ['shipment.json --event storage --storage-days 12'],
  },
  {
    name: 'tariff simulate',
    purpose: 'price the shipments of a period on other tariffs, and compare; no tariff is changed',
    operation: `mutation ($input: SimulateTariffsInput!) { simulateTariffs(input: $input) { simulation { ...Simulation } } } ${Simulation}`,
    files: { 'input.filter': 'json' },
    examples: [
      '--from 2026-10-01 --to 2026-10-31 --tariffs tariffs-2027.json',
      '--from 2026-10-01 --to 2026-10-31 --carriers GLS,BRT',
    ],
  },
  {
    name: 'tariff simulation',
    purpose: 'print a simulation, or its progress',
    operation: `query ($simulation: ID!) { tariffSimulation(id: $simulation) { ...Simulation } } ${Simulation}`,
    argument: 'simulation',
    examples: ['4'],
  },
];
