import { afterAll, describe, expect, test } from 'vitest';
import type { ImportedRow } from '../../src/domain/common/tables/row-problem.rules.ts';
import { ORDER_COLUMNS } from '../../src/domain/shipping/orders/import/order-columns.catalog.ts';
import {
  mapOrders,
  type OrderFile,
  orderMappingNamed,
} from '../../src/domain/shipping/orders/import/order-table.service.ts';
import { orderInput } from '../../src/domain/shipping/orders/orders.input.ts';
import type { CompanyId } from '../../src/platform/database/tenancy/company-id.ts';
import { checkInput } from '../../src/platform/input.ts';
import { readTable } from '../../src/platform/tables/read-table.ts';
import { closeThreads } from '../../src/platform/threads/threads.ts';
import { workbook } from '../support/workbook.ts';

afterAll(closeThreads);

async function mapped(content: string | Uint8Array, options: Omit<OrderFile, 'table'> = {}) {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const table = await readTable({ companyId: 'a' as CompanyId }, bytes);
  return mapOrders({ table, ...options });
}

async function ordersOf(content: string | Uint8Array, options?: Omit<OrderFile, 'table'>): Promise<unknown[]> {
  const rows = [...(await mapped(content, options)).orders()].filter(({ leftOut }) => leftOut === undefined);
  expect(rows.flatMap(({ issues }) => issues)).toEqual([]);
  for (const { value } of rows) expect(checkInput(orderInput, value).issues).toEqual([]);
  return rows.map(({ value }) => value);
}

/** Lists the problems of a file, each as sheet, row, column, value and message. */
async function problemsOf(content: string | Uint8Array, options?: Omit<OrderFile, 'table'>): Promise<string[]> {
  const rows: ImportedRow[] = [...(await mapped(content, options)).orders()];
  return rows.flatMap(({ issues, placeOf }) =>
    issues.map(({ path, message }) => {
      const { sheet, row, column, value } = placeOf?.(path) ?? {};
      return [...(sheet === null ? [] : [sheet]), row, column, value, message].join(' | ');
    }),
  );
}

const ROSSI = { address: 'Via Roma 1', postalCode: '10121', city: 'Torino', province: 'TO' };

describe('An export of a shop or a marketplace', () => {
  const cases: { name: string; file: string; mapping: string; orders: unknown[] }[] = [
    {
      name: 'Shopify, with a row for each item',
      mapping: 'SHOPIFY',
      file: [
        'Name,Email,Financial Status,Currency,Total,Lineitem quantity,Lineitem name,Shipping Name,Shipping Street,Shipping Address1,Shipping Address2,Shipping Company,Shipping City,Shipping Zip,Shipping Province,Shipping Country,Shipping Phone,Payment Method,Id',
        '#1001,anna@example.com,pending,EUR,1234.50,2,"Lampada 27""",Anna Rossi,"Via Roma 1, Scala B",Via Roma 1,Scala B,,Torino,\'10121,TO,IT,+39 011 123456,Cash on Delivery (COD),5551',
        '#1001,anna@example.com,,,,1,Sedia,,,,,,,,,,,,',
        "#1002,luca@example.com,paid,EUR,20.00,1,Tavolo,Luca Verdi,Rue 1,Rue 1,,,Paris,'75001,,FR,,Visa,5552",
      ].join('\n'),
      orders: [
        {
          orderNumber: '#1001',
          marketplace: 'Shopify',
          marketplaceOrderId: '5551',
          codAmount: '1234.50',
          recipient: {
            ...ROSSI,
            companyName: 'Anna Rossi',
            address: 'Via Roma 1, Scala B',
            countryCode: 'IT',
            email: 'anna@example.com',
            telephone: '+39 011 123456',
          },
        },
        {
          orderNumber: '#1002',
          marketplace: 'Shopify',
          marketplaceOrderId: '5552',
          recipient: {
            companyName: 'Luca Verdi',
            address: 'Rue 1',
            postalCode: '75001',
            city: 'Paris',
            countryCode: 'FR',
            email: 'luca@example.com',
          },
        },
      ],
    },
    {
      name: 'WooCommerce, with the weight of the order in the row of each item',
      mapping: 'WOOCOMMERCE',
      file: [
        'Order Number,Order Status,First Name (Shipping),Last Name (Shipping),Address 1&2 (Shipping),City (Shipping),State Code (Shipping),Postcode (Shipping),Country Code (Shipping),Phone (Billing),Payment Method Title,Order Total Amount,Order Total Weight,Item Name',
        '77,processing,Anna,Rossi,Via Roma 1,Torino,TO,10121,IT,011123456,Contrassegno,49.9,2.5,Lampada',
        '77,processing,Anna,Rossi,Via Roma 1,Torino,TO,10121,IT,011123456,Contrassegno,49.9,2.5,Sedia',
      ].join('\n'),
      orders: [
        {
          orderNumber: '77',
          marketplace: 'WooCommerce',
          codAmount: '49.9',
          recipient: { ...ROSSI, companyName: 'Anna Rossi', countryCode: 'IT', telephone: '011123456' },
          parcels: [{ weight: '2.500', quantity: 1 }],
        },
      ],
    },
    {
      name: 'WooCommerce, whose products have no weight: the order has no parcel, so that the default parcel counts',
      mapping: 'WOOCOMMERCE',
      file: [
        'Order Number,First Name (Shipping),Last Name (Shipping),Address 1&2 (Shipping),City (Shipping),State Code (Shipping),Postcode (Shipping),Country Code (Shipping),Phone (Billing),Order Total Weight',
        '78,Anna,Rossi,Via Roma 1,Torino,TO,10121,IT,011123456,0',
      ].join('\n'),
      orders: [
        {
          orderNumber: '78',
          marketplace: 'WooCommerce',
          recipient: { ...ROSSI, companyName: 'Anna Rossi', countryCode: 'IT', telephone: '011123456' },
        },
      ],
    },
    {
      name: 'PrestaShop, from the SQL Manager, joined with items',
      mapping: 'PRESTASHOP',
      file: [
        '"id_order";"reference";"firstname";"lastname";"address1";"address2";"postcode";"city";"iso_code";"phone";"module";"total_paid";"weight"',
        '"12";"XKBKNABJK";"Anna";"Rossi";"Via Roma 1";"";"10121";"Torino";"IT";"011123456";"ps_cashondelivery";"49.900000";"2.500000"',
        '"12";"XKBKNABJK";"Anna";"Rossi";"Via Roma 1";"";"10121";"Torino";"IT";"011123456";"ps_cashondelivery";"49.900000";"2.500000"',
      ].join('\n'),
      orders: [
        {
          orderNumber: '12',
          marketplace: 'PrestaShop',
          marketplaceOrderId: '12',
          marketplaceOrderNumber: 'XKBKNABJK',
          codAmount: '49.900000',
          recipient: {
            address: 'Via Roma 1',
            postalCode: '10121',
            city: 'Torino',
            companyName: 'Anna Rossi',
            countryCode: 'IT',
            telephone: '011123456',
          },
          parcels: [{ weight: '2.500', quantity: 1 }],
        },
      ],
    },
    {
      name: 'Magento, with the address in one cell',
      mapping: 'MAGENTO',
      file: [
        'ID,Purchase Point,Purchase Date,Bill-to Name,Ship-to Name,Grand Total (Base),Grand Total (Purchased),Status,Shipping Address,Customer Email,Payment Method',
        '000000012,Main Website,2026-11-03,Anna Rossi,Anna Rossi,49.9000,49.9000,pending,"Via Roma 1, Scala B,Torino,TO,10121",anna@example.com,cashondelivery',
      ].join('\n'),
      orders: [
        {
          orderNumber: '000000012',
          marketplace: 'Magento',
          codAmount: '49.9000',
          recipient: { ...ROSSI, companyName: 'Anna Rossi', address: 'Via Roma 1, Scala B', email: 'anna@example.com' },
        },
      ],
    },
    {
      name: 'Amazon, with tabs and quotes that are not doubled',
      mapping: 'AMAZON',
      file: [
        'order-id\torder-item-id\tbuyer-email\tproduct-name\tquantity-purchased\trecipient-name\tship-address-1\tship-address-2\tship-address-3\tship-city\tship-state\tship-postal-code\tship-country',
        '402-1\t1\ta@example.com\tMonitor 27" nero\t2\tAnna Rossi\tVia Roma 1\tScala B\t\tTorino\tTO\t10121\tIT',
        '402-1\t2\ta@example.com\tCavo\t1\tAnna Rossi\tVia Roma 1\tScala B\t\tTorino\tTO\t10121\tIT',
      ].join('\n'),
      orders: [
        {
          orderNumber: '402-1',
          marketplace: 'Amazon',
          marketplaceOrderId: '402-1',
          marketplaceOrderNumber: '402-1',
          recipient: {
            ...ROSSI,
            companyName: 'Anna Rossi',
            address: 'Via Roma 1, Scala B',
            countryCode: 'IT',
            email: 'a@example.com',
          },
        },
      ],
    },
    {
      name: 'eBay, with lines above and below',
      mapping: 'EBAY',
      file: [
        '',
        '"Sales Record Number","Order Number","Buyer Username","Buyer Name","Ship To Name","Ship To Phone","Ship To Address 1","Ship To Address 2","Ship To City","Ship To State","Ship To Zip","Ship To Country","Item Title","Quantity"',
        '"","","","","","","","","","","","","",""',
        '"101","12-1","anna","Anna Rossi","Anna Rossi","011123456","Via Roma 1","","Torino","TO","10121","Italia","Lampada","3"',
        '',
        '"1","record(s) downloaded,","from ,Nov-01-26","","","","","","","","","","",""',
        '"Seller ID : example"',
      ].join('\r\n'),
      orders: [
        {
          orderNumber: '12-1',
          marketplace: 'eBay',
          marketplaceOrderId: '101',
          marketplaceOrderNumber: '12-1',
          recipient: { ...ROSSI, companyName: 'Anna Rossi', countryCode: 'IT', telephone: '011123456' },
        },
      ],
    },
  ];
  test.each(cases)('can be read as it is: $name', async ({ file, mapping, orders }) => {
    expect((await mapped(file)).mapping.name).toBe(mapping);
    expect(await ordersOf(file)).toEqual(orders);
  });
});

describe('A table with Italian names', () => {
  const HEADER = 'Numero ordine;Destinatario;Indirizzo;CAP;Città;Prov.';
  const ANNA = 'A-1;Anna Rossi;Via Roma 1;10121;Torino;TO';
  const recipient = { ...ROSSI, companyName: 'Anna Rossi' };

  const PARCELS: { name: string; header: string; rows: string[]; parcels: unknown }[] = [
    { name: 'a weight alone', header: 'Peso (kg)', rows: ['2,5'], parcels: [{ weight: '2.5', quantity: 1 }] },
    {
      name: 'sides and a number',
      header: 'Peso;Lunghezza (cm);Larghezza (cm);Altezza (cm);Colli',
      rows: ['2,5 kg;40;30,5;20;3'],
      parcels: [{ weight: '2.5', length: '40', width: '30.5', height: '20', quantity: 3 }],
    },
    {
      name: 'a size in one cell',
      header: 'Peso;Dimensioni',
      rows: ['2,5;40 x 30,5 × 20 cm'],
      parcels: [{ weight: '2.5', length: '40', width: '30.5', height: '20', quantity: 1 }],
    },
    { name: 'grams', header: 'Peso (g)', rows: ['1250'], parcels: [{ weight: '1.250', quantity: 1 }] },
    {
      name: 'a total weight, in shares of whole grams',
      header: 'Peso totale;Colli',
      rows: ['10;3'],
      parcels: [
        { weight: '3.334', quantity: 1 },
        { weight: '3.333', quantity: 2 },
      ],
    },
    {
      name: 'a weight of the order in each of its rows, once',
      header: 'Order weight;Note',
      rows: ['5;a', ';b', '5;c'],
      parcels: [{ weight: '5.000', quantity: 1 }],
    },
    {
      name: 'a weight of the order beside sides and a number',
      header: 'Peso ordine;Misure;Colli',
      rows: ['5;40x30x20;2'],
      parcels: [{ weight: '2.500', length: '40', width: '30', height: '20', quantity: 2 }],
    },
    {
      name: 'weights of rows, in place of that of the order',
      header: 'Peso;Order weight',
      rows: ['1;3', '2;3'],
      parcels: [
        { weight: '1', quantity: 1 },
        { weight: '2', quantity: 1 },
      ],
    },
    {
      name: 'a row for each parcel',
      header: 'Peso;Misure',
      rows: ['1;10x10x10', '2;20x20x20'],
      parcels: [
        { weight: '1', length: '10', width: '10', height: '10', quantity: 1 },
        { weight: '2', length: '20', width: '20', height: '20', quantity: 1 },
      ],
    },
    { name: 'a number of items, which is no number of parcels', header: 'Quantità', rows: ['3'], parcels: undefined },
  ];
  test.each(PARCELS)('has parcels as $name', async ({ header, rows, parcels }) => {
    const file = [`${HEADER};${header}`, ...rows.map(row => `${ANNA};${row}`)].join('\n');
    expect(await ordersOf(file)).toEqual([
      { orderNumber: 'A-1', recipient, ...(parcels !== undefined && { parcels }) },
    ]);
  });

  test('has cash on delivery, insurance, marketplace, type and metadata', async () => {
    const file = `${HEADER};Nazione;Tipo cliente;Canale;Contrassegno;Valore assicurato;metadata.channel;Note\n${ANNA};San Marino;Privato;eBay;€ 1.049,90;100;b2c;x\n`;
    expect(await ordersOf(file.replace('10121', '47890'))).toEqual([
      {
        orderNumber: 'A-1',
        marketplace: 'eBay',
        codAmount: '1049.90',
        insuranceAmount: '100',
        recipient: { ...recipient, postalCode: '47890', countryCode: 'SM', type: 'private' },
        metadata: { channel: 'b2c' },
      },
    ]);
    const { columns } = await mapped(file);
    expect(columns.at(-1)).toEqual({ column: 'M', header: 'Note', examples: ['x'] });
    expect(columns).toContainEqual({
      field: 'codAmount',
      column: 'J',
      header: 'Contrassegno',
      examples: ['€ 1.049,90'],
    });
  });

  test('may be a workbook, whose CAP has lost its zeros and whose header is below a title', async () => {
    const rows = [
      ['Ordini di novembre'],
      [],
      HEADER.split(';'),
      ['A-1', 'Anna Rossi', 'Via Roma 1', 121, 'Roma', 'RM'],
    ];
    const file = workbook({ Istruzioni: [['Compilare il foglio Ordini']], Ordini: rows });
    expect(await mapped(file)).toMatchObject({ sheet: 'Ordini', headerRow: 3 });
    expect(await ordersOf(file, { warehouseId: 7 })).toEqual([
      {
        orderNumber: 'A-1',
        warehouseId: 7,
        recipient: { ...recipient, postalCode: '00121', city: 'Roma', province: 'RM' },
      },
    ]);
  });

  test('is rejected with each problem by its sheet, row, column and value', async () => {
    const header = [...HEADER.split(';'), 'Peso', 'Misure', 'Contrassegno', 'Tipo cliente'];
    const anna = ANNA.split(';');
    const file = workbook({
      Ordini: [
        header,
        [...anna, 'due', '40x30', '1.234', 'boh'],
        ['A-1', 'Anna Verdi', ...anna.slice(2), 1, '1x1x1', '', ''],
        ['A-2', ...anna.slice(1), { xml: '<c t="e"><v>#N/A</v></c>' }, '', '', ''],
        ['A-1', ...anna.slice(1)],
        [{ xml: '<c><v>8012345678901234567</v></c>' }, ...anna.slice(1)],
      ],
    });
    expect(await problemsOf(file)).toEqual([
      'Ordini | 2 | J | boh | must be business or private (azienda, privato)',
      'Ordini | 2 | G | due | must be a number',
      'Ordini | 2 | H | 40x30 | must be three sides, such as 40x30x20, 40/30/20 or 400x300x200 mm',
      'Ordini | 2 | I | 1.234 | must be unambiguous: it can be 1234 or 1.234. State `decimals` in the mapping, or the locale',
      'Ordini | 3 | B | Anna Verdi | must be the same in all rows of the order, which begins in row 2',
      'Ordini | 4 | G | #N/A | must be a value, not a spreadsheet error such as #N/A',
      'Ordini | 5 | A | A-1 | must stand directly below the other rows of its order, which begins in row 2',
      'Ordini | 6 | A | 8012345678901230000 | must be saved as text: the spreadsheet has shortened the number',
    ]);
  });

  test('has weights in whole grams, and one weight of an order', async () => {
    expect(await problemsOf(`${HEADER};Peso (g)\n${ANNA};1500,5\n`)).toEqual(['2 | G | 1500,5 | must be whole grams']);
    expect(await problemsOf(`${HEADER};Order weight\n${ANNA};5\n${ANNA};6\n`)).toEqual([
      '3 | G | 6 | must be the same in all rows of the order, which begins in row 2',
    ]);
    expect(await problemsOf(`${HEADER};Order weight\n${ANNA};due\n`)).toEqual(['2 | G | due | must be a number']);
  });

  test('keeps a postal code as it is where the mapping states another country', async () => {
    const file = workbook({ Ordini: [HEADER.split(';'), ['A-1', 'Huber', 'Ring 1', 1010, 'Wien', '']] });
    const of = (country: string) => ({
      ...orderMappingNamed('STANDARD'),
      values: { 'recipient.countryCode': country },
    });
    expect(await ordersOf(file, { mapping: of('AT') })).toMatchObject([
      { recipient: { postalCode: '1010', countryCode: 'AT' } },
    ]);
    expect(await ordersOf(file, { mapping: of('it') })).toMatchObject([{ recipient: { postalCode: '01010' } }]);
  });

  test('treats values of the mapping like cells', async () => {
    const values = { 'recipient.countryCode': 'Austria', 'recipient.type': 'Azienda', warehouseId: '7' };
    const mapping = { ...orderMappingNamed('STANDARD'), values };
    const file = `${HEADER}\nA-1;Huber;Ring 1;1010;Wien;\n`;
    expect(await ordersOf(file, { mapping })).toMatchObject([
      { warehouseId: 7, recipient: { postalCode: '1010', countryCode: 'AT', type: 'business' } },
    ]);
  });

  test('may have a number of items that cannot be read as a number of parcels, such as "1 paio"', async () => {
    const items = `${HEADER};Peso ordine;Quantità\n${ANNA};2,5;\n${ANNA};2,5;1 paio\n`;
    expect(await ordersOf(items)).toMatchObject([{ parcels: [{ weight: '2.500', quantity: 1 }] }]);
    expect(await ordersOf(`${HEADER};Quantità\n${ANNA};1 paio\n`)).toEqual([{ orderNumber: 'A-1', recipient }]);
    expect(await problemsOf(`${HEADER};Peso;Quantità\n${ANNA};2,5;1 paio\n`)).toEqual([
      '2 | H | 1 paio | must be a number',
    ]);
  });

  test('may have a column whose name is a sign, and columns without a name', async () => {
    const standard = orderMappingNamed('STANDARD');
    const mapping = { ...standard, columns: { ...standard.columns, orderNumber: '#', codAmount: '€' } };
    const file = `x;;#;§;€;${HEADER.slice(HEADER.indexOf(';') + 1)}\n1;old;A-1;2;9,50;${ANNA.slice(4)}\n`;
    expect(await ordersOf(file, { mapping })).toEqual([{ orderNumber: 'A-1', codAmount: '9.50', recipient }]);
    const skip = [{ column: 'x', values: ['-'] }];
    expect(await ordersOf(file.replace('\n1;', '\n;'), { mapping: { ...mapping, skip } })).toHaveLength(1);
  });

  test('may not have an error of the spreadsheet as a text, key or payment', async () => {
    const error = { xml: '<c t="e"><v>#N/A</v></c>' };
    const row = ['A-1', 'Anna', error, '10121', 'Torino', error, error, 'x'];
    const header = [...HEADER.split(';').slice(0, 5), 'metadata.channel', 'Pagamento', 'Totale'];
    const cashOnDelivery = { payment: 'Pagamento', words: ['contrassegno'], amount: 'Totale', paid: [] };
    const mapping = { ...orderMappingNamed('STANDARD'), cashOnDelivery };
    expect(await problemsOf(workbook({ Ordini: [header, row] }), { mapping })).toEqual([
      'Ordini | 2 | C | #N/A | must be a value, not a spreadsheet error such as #N/A',
      'Ordini | 2 | G | #N/A | must be a value, not a spreadsheet error such as #N/A',
      'Ordini | 2 | F | #N/A | must be a value, not a spreadsheet error such as #N/A',
    ]);
  });

  test('is read by a stated locale, if a number can be read in two ways', async () => {
    const file = `${HEADER};Contrassegno\n${ANNA};1.234\n`;
    expect(await ordersOf(file, { locale: 'it' })).toMatchObject([{ codAmount: '1234' }]);
    expect(await problemsOf(file, { locale: 'en-GB' })).toEqual([]);
    expect([...(await mapped(file, { locale: 'en-GB' })).orders()]).toMatchObject([{ value: { codAmount: '1.234' } }]);
  });

  test('is rejected by its header without an address, or with a name twice', async () => {
    await expect(mapped('Numero ordine;Destinatario\nA;B\n')).rejects.toMatchObject({
      options: { issues: [{ path: [1] }, { message: expect.stringContaining('recipient.postalCode, CAP') }, {}] },
    });
    await expect(mapped(`${HEADER};CAP\n${ANNA};1\n`)).rejects.toMatchObject({
      options: { issues: [{ path: [1, 'G'], code: 'duplicate' }] },
    });
    await expect(mapped('a;b\n1;2\n')).rejects.toThrow('a column with the number of the order');
  });
});

test('Every field of an order has a column', () => {
  const fields = Object.keys(orderInput.shape).flatMap(name =>
    name === 'recipient' ? Object.keys(orderInput.shape.recipient.shape).map(of => `recipient.${of}`) : [name],
  );
  expect(Object.keys(ORDER_COLUMNS)).toEqual(expect.arrayContaining(fields.filter(name => name !== 'metadata')));
});
