import { RECIPIENT } from '../../support/platform-side.ts';
import type { Arena } from '../service/arena.ts';
import { SANDBOX_CREDENTIALS } from '../service/company.ts';
import type { Scenario } from '../service/scenario.ts';
import { FAILURES } from '../service/unreliable-server.ts';

/** Carriers fail, one way after the other, while addresses are checked and shipments are refreshed. */

/** Fewer than those after which the service leaves a connection alone, so that each meets the carrier. */
const CHECKS = 3;
const CONNECT = `mutation ($input: ConnectCarrierInput!) {
  connectCarrier(input: $input) { carrierConnection { databaseId } userErrors { code message } } }`;
const UPSERT = `mutation ($input: UpsertShipmentsInput!) {
  upsertShipments(input: $input) { results { id: databaseId } userErrors { code message } } }`;
const REFRESH = `mutation ($input: RefreshTrackingInput!) {
  refreshTracking(input: $input) { shipment { polling { outcome } } userErrors { code message } } }`;

interface Account {
  readonly connection: number;
  readonly shipment: number;
}

/** A connection for each way to fail, and one for after that: what failed is left alone for a while. */
let accounts: Account[] = [];
let rounds = 0;

async function prepare({ load }: Arena): Promise<void> {
  load.resume();
  const { client } = load;
  accounts = [];
  rounds++;
  for (const failure of [...FAILURES, 'none']) {
    const input = { carrierCode: 'GLS', label: failure, credentials: SANDBOX_CREDENTIALS };
    const connected = await client.acknowledged(client.graphql('connectCarrier', CONNECT, { input }));
    const { databaseId: carrierConnectionId } = connected.body.data.connectCarrier.carrierConnection;
    const trackingNumber = `CARRIER${rounds}N${carrierConnectionId}`;
    const shipments = [{ carrierConnectionId, trackingNumber, recipient: RECIPIENT }];
    const made = await client.acknowledged(client.graphql('upsertShipments', UPSERT, { input: { shipments } }));
    const [shipment] = made.body.data.upsertShipments.results;
    accounts.push({ connection: carrierConnectionId, shipment: Number(shipment.id) });
  }
  await load.pause();
}

/** The state of the carrier in an address check. */
async function checked({ load }: Arena, { connection }: Account): Promise<string> {
  const address = {
    carrierCompanyId: connection,
    address: 'Via Dante 12',
    city: 'Palermo',
    provincia: 'PA',
    zip: '90139',
  };
  const answer = await load.client.acknowledged(load.client.rest('POST', '/addresses/check-address', address));
  return answer.body.code;
}

async function refreshed({ load }: Arena, { shipment }: Account): Promise<void> {
  const input = { shipmentId: shipment };
  await load.client.acknowledged(load.client.graphql('refreshTracking', REFRESH, { input }));
}

export const CARRIERS: readonly Scenario[] = [
  {
    name: 'carriers fail in each way',
    allows: [],
    prepare,
    inflict: async arena => {
      const failures: string[] = [];
      for (const [i, failure] of FAILURES.entries()) {
        const account = accounts[i];
        if (account === undefined) break;
        await arena.carriers.fail(failure);
        const checks = Array.from({ length: CHECKS }, () => checked(arena, account));
        const [results] = await Promise.all([Promise.all(checks), refreshed(arena, account)]);
        const wrong = results.find(result => !['CARRIER_UNAVAILABLE', 'VERIFICATION_ERROR'].includes(result));
        if (wrong !== undefined)
          failures.push(`a check of an address says ${wrong} while the carrier fails by "${failure}"`);
      }
      await arena.carriers.fail(undefined);
      const last = accounts.at(-1);
      const result = last && (await checked(arena, last));
      if (result !== 'ADDRESS_VALID')
        failures.push(`a check of an address says ${result} although the carrier works again`);
      return { kills: 0, failures };
    },
  },
];
