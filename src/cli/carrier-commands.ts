import type { CommandRow } from './command-row.ts';

/** Accounts at carriers, requests to them, and what their tariffs refer to. */

const Connection = `fragment Connection on CarrierConnection {
  databaseId carrierCode label environment isActive hasCredentials baseUrl createdAt updatedAt
}`;

const CONNECTION = { 'input.id': 'connection' };
/** Read from a file, because other users of the machine can see the options of a command. */
const CREDENTIALS = { 'input.credentials': 'json' } as const;
const CARRIER = { 'input.carrierCode': 'carrier', carrierCode: 'carrier' };
const DETAILS = ['requestHeaders', 'requestBody', 'responseHeaders', 'responseBody'];

const references = (
  kind: string,
  about: string,
) => `query ($carrierCode: CarrierCode, $first: Int = 100, $after: String) {
  carrierReferences(kind: ${kind}, carrierCode: $carrierCode, first: $first, after: $after) {
    nodes { id carrierCode name ${about}updatedAt } pageInfo { hasNextPage endCursor }
  }
}`;
const content = (kind: string, name: string) =>
  `carrierReferences(kind: ${kind}, carrierCode: $carrier, name: $${name}, first: 1) { nodes { document: content } }`;
const deletion = `mutation ($id: ID!) {
  deleteCarrierReference(input: { id: $id }) { carrierReference { carrierCode kind name updatedAt } }
}`;

export const CARRIER_COMMANDS: readonly CommandRow[] = [
  {
    name: 'carrier connect',
    purpose: "connect a company's account at a carrier and print the connection",
    operation: `mutation ($input: ConnectCarrierInput!) { connectCarrier(input: $input) { carrierConnection { ...Connection } } } ${Connection}`,
    names: { ...CARRIER, 'input.isActive': 'active' },
    files: CREDENTIALS,
    opensSecrets: true,
    examples: ['--carrier GLS --label "GLS Milano" --credentials gls.json'],
  },
  {
    name: 'carrier list',
    purpose: 'list the carrier connections of a company, by ascending id',
    operation: `query ($first: Int = 100, $after: String) {
      carrierConnections(first: $first, after: $after) { nodes { ...Connection } pageInfo { hasNextPage endCursor } }
    } ${Connection}`,
    examples: [''],
  },
  {
    name: 'carrier update',
    purpose: 'change a connection; options that are left out change nothing',
    operation: `mutation ($input: UpdateCarrierConnectionInput!) { updateCarrierConnection(input: $input) { carrierConnection { ...Connection } } } ${Connection}`,
    names: { ...CONNECTION, 'input.isActive': 'active' },
    files: CREDENTIALS,
    removable: ['credentials', 'base-url'],
    opensSecrets: true,
    examples: ['--connection 8 --credentials gls.json', '--connection 8 --active no'],
  },
  {
    name: 'carrier test',
    purpose:
      'ask the carrier, and print whether it accepts the credentials of a connection, for tracking and for the check of addresses; fails unless it does',
    operation:
      'mutation ($input: TestCarrierConnectionInput!) { testCarrierConnection(input: $input) { outcome tracking addressCheck } }',
    names: CONNECTION,
    fails: ({ outcome }) => outcome !== 'ACCEPTED',
    opensSecrets: true,
    examples: ['--connection 8'],
  },
  {
    name: 'carrier calls',
    purpose:
      'list requests to carriers of the last days, newest first, without credentials, names and streets; with --json also headers and bodies',
    operation: `query ($filter: CarrierCallFilter, $first: Int = 50, $after: String) {
      carrierCalls(filter: $filter, first: $first, after: $after) {
        nodes { databaseId startedAt carrierConnection { databaseId } purpose isTokenRequest method url outcome responseStatus failure durationMs requestId ${DETAILS.join(' ')} }
        pageInfo { hasNextPage endCursor }
      }
    }`,
    names: { 'filter.carrierConnectionId': 'connection', 'filter.requestId': 'request' },
    onlyInJson: DETAILS,
    examples: ['--outcomes refused', '--request 5b2f7c3e-7f0d-4f0e-9a51-0d9a4f1b2c3d'],
  },
  {
    name: 'carrier disconnect',
    purpose: 'disconnect an account for good: its credentials are deleted, its shipments stay',
    operation: `mutation ($input: DisconnectCarrierInput!) { disconnectCarrier(input: $input) { carrierConnection { ...Connection } } } ${Connection}`,
    names: CONNECTION,
    confirm: 'The connection will be disconnected for good, and its credentials deleted.',
    examples: ['--connection 8'],
  },
  {
    name: 'fuel import',
    purpose: 'put percentages into an index of a carrier; those from other days stay as they are',
    operation: `mutation ($table: [FuelRateInput!]!, $carrier: CarrierCode!, $index: String = "fuel") {
      importFuelIndex(input: { carrierCode: $carrier, name: $index, rates: $table }) { carrierReference { carrierCode name updatedAt } }
    }`,
    files: { table: 'rates' },
    argument: 'table',
    examples: ['brt-2026.csv --carrier BRT'],
  },
  {
    name: 'fuel export',
    purpose: 'print the percentages of an index, in the form in which they can be imported',
    operation: `query ($carrier: CarrierCode!, $index: String = "fuel") { ${content('INDEX', 'index')} }`,
    isDocument: true,
    examples: ['--carrier BRT --out brt-fuel.json'],
  },
  {
    name: 'fuel list',
    purpose: 'list the indexes of a company',
    operation: references('INDEX', 'rates: content '),
    names: CARRIER,
    examples: [''],
  },
  {
    name: 'fuel delete',
    purpose: 'delete an index that no tariff refers to',
    operation: deletion,
    argument: 'id',
    confirm: 'The index will be deleted.',
    examples: ['BRT.index.diesel'],
  },
  {
    name: 'places import',
    purpose: 'replace a list of places of a carrier, for all tariffs that name it',
    operation: `mutation ($file: JSON!, $carrier: CarrierCode!, $list: String!) {
      replacePlaceList(input: { carrierCode: $carrier, name: $list, places: $file }) { carrierReference { carrierCode name updatedAt } }
    }`,
    files: { file: 'places' },
    argument: 'file',
    examples: ['isole.json --carrier BRT --list isole_minori', 'isole.csv --carrier BRT --list isole_minori'],
  },
  {
    name: 'places export',
    purpose: 'print a list of places as JSON, in the form in which it can be imported',
    operation: `query ($carrier: CarrierCode!, $list: String!) { ${content('LIST', 'list')} }`,
    isDocument: true,
    examples: ['--carrier BRT --list isole_minori --out isole.json'],
  },
  {
    name: 'places list',
    purpose: 'list the lists of places of a company',
    operation: references('LIST', ''),
    names: CARRIER,
    examples: [''],
  },
  {
    name: 'places delete',
    purpose: 'delete a list of places that no tariff refers to',
    operation: deletion,
    argument: 'id',
    confirm: 'The list of places will be deleted.',
    examples: ['BRT.list.ztl'],
  },
];
