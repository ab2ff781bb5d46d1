import { expect, test } from 'vitest';
import { currentTariff } from '../rest/tariffs.ts';
import { order, RECIPIENT, shipment, upsertOrders, upsertShipments } from '../support/platform-side.ts';
import { imported, linesOf, useInvoices } from './invoice-calls.ts';

/** Terms that orders state: what the recipient is, and what the goods are worth. */

const { company } = useInvoices();

const LUGANO = { ...RECIPIENT, postalCode: '6900', city: 'Lugano', province: null, countryCode: 'CH' };

const TARIFF = currentTariff(
  {
    palletClasses: [
      { code: 'basso', heightCm: 60 },
      { code: 'alto', heightCm: 220 },
    ],
    zones: [
      {
        code: 'tutto',
        name: 'Tutto',
        to: { anywhere: true },
        bands: [{ upToKg: 100, price: 10 }],
        pallets: [
          { types: ['basso'], prices: [{ upTo: 1, price: 30 }] },
          { types: ['alto'], prices: [{ upTo: 1, price: 70 }] },
        ],
      },
    ],
    surcharges: [
      {
        code: 'privato',
        description: 'Privato',
        when: { recipientType: 'private' },
        price: { fixed: 2.5 },
      },
      {
        code: 'dogana',
        description: 'Diritti doganali',
        when: { customs: true },
        price: { percent: 1, of: ['goodsValue'], minimum: 5, maximum: 50 },
      },
    ],
  },
  'Contratto',
);

const PARCELS = [{ weight: '4', length: '20', width: '20', height: '10' }];

/** Findings by shipment, of an invoice that bills these surcharges to a base price of 10.00. */
interface Billed {
  readonly order: object;
  readonly surcharges?: string;
  /** Terms that the row states. */
  readonly row?: object;
}

async function checked(shipments: Readonly<Record<string, Billed>>, ofInvoice: object = {}) {
  const { caller, connectionId, warehouseId } = await company(TARIFF);
  const numbers = Object.keys(shipments);
  await upsertOrders(
    caller,
    numbers.map(number => order(`O-${number}`, { warehouseId, parcels: PARCELS, ...shipments[number]?.order })),
  );
  await upsertShipments(
    caller,
    numbers.map(number => ({
      ...shipment(connectionId, number, { warehouseId, shippedAt: '2026-11-03T09:00:00Z' }),
      orderNumber: `O-${number}`,
      recipient: null,
    })),
  );
  const rows = numbers.map(trackingNumber => {
    const { surcharges, row } = shipments[trackingNumber] ?? {};
    const charged = surcharges === undefined ? [] : [{ kinds: ['surcharges'], amount: surcharges }];
    return { trackingNumber, ...row, charges: [{ kinds: ['base'], amount: '10.00' }, ...charged] };
  });
  const { id } = await imported(caller, {
    carrierConnectionId: connectionId,
    number: '1',
    date: '2026-11-30',
    rows,
    terms: { pallets: 0, ...ofInvoice },
  });
  const lines = await linesOf(caller, id);
  return lines.map(({ findings: { nodes } }) => nodes.map(one => `${one.code} ${one.amount}`).join());
}

test('A surcharge for private recipients is checked by the recipient type of the order, and not checked without it', async () => {
  const recipient = (type?: string) => ({ recipient: { ...RECIPIENT, ...(type && { type }) } });
  const found = await checked({
    A: { order: recipient('PRIVATE'), surcharges: '2.50' },
    B: { order: recipient('BUSINESS'), surcharges: '2.50' },
    C: { order: recipient(), surcharges: '2.50' },
    D: { order: recipient() },
    E: { order: recipient(), surcharges: '3.50' },
  });
  expect(found).toEqual([
    '',
    'surcharge_not_due 2.50',
    'not_checked 0.00',
    'not_checked 0.00',
    'surcharge_amount 1.00',
  ]);
});

test("Customs charges are checked by the value of the order's goods, and not checked without it", async () => {
  const to = (fields: object) => ({ recipient: { ...LUGANO, type: 'BUSINESS' }, ...fields });
  const found = await checked({
    A: { order: to({ goodsValue: '900' }), surcharges: '9.00' },
    B: { order: to({ goodsValue: '900' }), surcharges: '12.00' },
    C: { order: to({}), surcharges: '12.00' },
    D: { order: to({}), surcharges: '60.00' },
  });
  expect(found).toEqual(['', 'surcharge_amount 3.00', 'not_checked 0.00', 'surcharge_amount 10.00']);
});

test('A row of the invoice can state the recipient type and the value of the goods', async () => {
  const unsaid = { recipient: LUGANO };
  const found = await checked({
    A: { order: unsaid, row: { recipientType: 'PRIVATE', goodsValue: '900' }, surcharges: '11.50' },
    B: { order: unsaid, row: { recipientType: 'BUSINESS', goodsValue: '900' }, surcharges: '11.50' },
    C: { order: unsaid, row: { recipientType: 'BUSINESS', goodsValue: '0' }, surcharges: '9.00' },
    D: { order: unsaid, row: { recipientType: 'BUSINESS' }, surcharges: '9.00' },
    E: {
      order: { recipient: { ...LUGANO, type: 'PRIVATE' }, goodsValue: '900' },
      row: { goodsValue: '600' },
      surcharges: '8.50',
    },
  });
  expect(found).toEqual(['', 'surcharge_not_due 2.50', 'surcharge_amount 4.00', 'not_checked 0.00', '']);
});

test('A goods value of 0.00 in the order counts as stated, and the terms of the invoice count if the order states none', async () => {
  const to = (fields: object) => ({ recipient: LUGANO, ...fields });
  const found = await checked(
    { A: { order: to({ goodsValue: '0' }), surcharges: '9.00' }, B: { order: to({}), surcharges: '9.00' } },
    { recipientType: 'BUSINESS', goodsValue: '900' },
  );
  expect(found).toEqual(['surcharge_amount 4.00', '']);
});

test('Columns of a file state duties, and recipient types by words that the mapping translates', async () => {
  const [version] = TARIFF.versions;
  const duties = { percent: 2, of: ['dutiesAmount'], minimum: 10 };
  const surcharges = [
    ...(version?.surcharges ?? []).filter(({ code }) => code === 'privato'),
    { code: 'anticipo', description: 'Anticipo', when: { dutiesAmount: { over: 0 } }, price: duties },
  ];
  const { caller, connectionId, warehouseId } = await company({ ...TARIFF, versions: [{ ...version, surcharges }] });
  const numbers = ['A', 'B', 'C'];
  await upsertShipments(
    caller,
    numbers.map(number =>
      shipment(connectionId, number, { warehouseId, weight: 4, volume: 4000, shippedAt: '2026-11-03T09:00:00Z' }),
    ),
  );
  const ownMapping = {
    name: 'Mia',
    columns: { trackingNumber: 'LDV', recipientType: 'Destinatario', dutiesAmount: 'Dazi' },
    charges: [
      { column: 'Nolo', kinds: ['base'] },
      { column: 'Altro', kinds: ['surcharges'] },
    ],
    recipientTypes: { Azienda: 'business', 'Casa privata': 'private' },
  };
  const csv =
    'LDV;Destinatario;Dazi;Nolo;Altro\nA;azienda;600,00;10,00;12,00\nB;CASA PRIVATA;0,00;10,00;12,50\nC;private;;10,00;2,50\n';
  const { id } = await imported(caller, {
    carrierConnectionId: connectionId,
    number: '1',
    date: '2026-11-30',
    csv,
    ownMapping,
    terms: { pallets: 0 },
  });
  const found = (await linesOf(caller, id)).map(({ findings: { nodes } }) =>
    nodes.map(one => `${one.code} ${one.amount}`).join(),
  );
  expect(found).toEqual(['', 'surcharge_not_due 10.00', 'not_checked 0.00']);
});

test('A pallet without a stated type is checked by the class that its height determines', async () => {
  const { caller, connectionId, warehouseId } = await company(TARIFF);
  const recipient = { ...RECIPIENT, type: 'BUSINESS' };
  const parcels = [{ weight: '4', length: '120', width: '80', height: '50' }];
  await upsertOrders(caller, [order('O', { warehouseId, parcels, recipient })]);
  await upsertShipments(
    caller,
    ['A'].map(number => ({
      ...shipment(connectionId, number, { warehouseId, shippedAt: '2026-11-03T09:00:00Z' }),
      orderNumber: 'O',
      recipient: null,
    })),
  );
  const rows = [{ trackingNumber: 'A', charges: [{ kinds: ['base'], amount: '70.00' }] }];
  const { id } = await imported(caller, { carrierConnectionId: connectionId, number: '1', date: '2026-11-30', rows });
  const [line] = await linesOf(caller, id);
  // As a parcel it costs 10.00, and as a pallet 30.00, since it is low.
  expect(line?.findings.nodes.map(({ code, amount }) => `${code} ${amount}`)).toEqual(['base_price 40.00']);
});
