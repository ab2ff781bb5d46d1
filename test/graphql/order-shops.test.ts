import { expect, test } from 'vitest';
import { ask } from '../support/platform-side.ts';
import { useSharedWorld } from '../support/world.ts';

/**
 * Exports of shops: our own values below the columns that public files and programs had on 2026-11-28, with their quirks.
 * The orders were written by hand.
 */

const world = useSharedWorld();

interface Shop {
  readonly shop: string;
  readonly mapping: string;
  readonly lines: readonly string[];
  /** The encoding of the file. */
  readonly encoding?: 'latin1';
  /** Number, name, street, postal code, country and cash on delivery of each order. */
  readonly orders: readonly (readonly (string | null)[])[];
  /** Rows that are not orders, each with a part of the reason. */
  readonly leftOut?: readonly (readonly [number, string])[];
  /** Rows with a problem, each with a part of its message. */
  readonly problems?: readonly (readonly [number, string])[];
  /** Payments that are listed, since they are not cash on delivery. */
  readonly payments?: string;
}

const AMAZON =
  'order-id\torder-item-id\tpurchase-date\tbuyer-email\tbuyer-name\tsku\tproduct-name\tquantity-purchased\trecipient-name\tship-address-1\tship-address-2\tship-address-3\tship-city\tship-state\tship-postal-code\tship-country\tis-business-order';
const EBAY_BRITAIN =
  'Sales record number,Order number,Buyer username,Buyer name,Post to name,Post to phone,Post to address 1,Post to address 2,Post to city,Post to county,Post to postcode,Post to country,Total price,Payment method,Paid on date';
const WIX =
  'Order number,Date created,Time,Fulfill by,Total order quantity,Contact email,Item,Qty,Price,Weight,Recipient name,Recipient phone,Recipient company name,Delivery country,Delivery state,Delivery state name,Delivery city,Delivery address,Delivery zip/postal code,Billing name,Billing phone,Billing company name,Billing country,Delivery state,Delivery state name,Delivery city,Delivery address,Delivery zip/postal code,Payment status,Payment method,Coupon code,Gift card amount,Shipping rate,Total tax,Total,Currency,Refunded amount,Net amount,Fulfillment status';
const wix = (number: string, { state = 'Unpaid', gift = '', payment = 'Cash on Delivery' } = {}) =>
  `"${number}","Nov 3, 2026","9:15:51 AM","","1","a@example.com","Lampada","1","49.90","0","Anna Rossi","","","ITA","IT-TO","Torino","Torino","Via Roma 1","10121","Bice Neri","","","ITA","IT-MI","Milano","Milano","Via Fattura 9","20121","${state}","${payment}","","${gift}","0.00","0.00","49.90","EUR","0.00","49.90","Not fulfilled"`;
const BIGCOMMERCE =
  'Order ID,Customer ID,Customer Name,Customer Email,Customer Phone,Order Date,Order Status,Subtotal (inc tax),Store Credit Redeemed,Gift Certificate Amount Redeemed,Order Total (inc tax),Order Total (ex tax),Refund Amount,Payment Method,Order Currency Code,Billing First Name,Billing Last Name,Billing Street 1,Billing Suburb,Billing Zip,Shipping First Name,Shipping Last Name,Shipping Company,Shipping Street 1,Shipping Street 2,Shipping Suburb,Shipping State,Shipping Zip,Shipping Country,Shipping Phone';
const big = (number: string, state: string, gift = '0.0000', total = '49.9000') =>
  `${number},7,Bice Neri,b@example.com,,03/11/2026,${state},49.9000,0.0000,${gift},${total},40.9000,0.0000,Cash on Delivery,EUR,Bice,Neri,Via Fattura 9,Milano,20121,Anna,Rossi,,Via Roma 1,Scala B,Torino,Torino,10121,Italy,`;
const TORINO = ['Anna Rossi', 'Via Roma 1', '10121', 'IT'];

const SHOPS: readonly Shop[] = [
  {
    shop: 'Advanced Order Export with whole names and names of countries, with drafts and a header in the middle',
    mapping: 'WOOCOMMERCE',
    lines: [
      'Order Number,Order Status,Full Name (Shipping),Address 1 (Shipping),City (Shipping),State Name (Shipping),Postcode (Shipping),Country Name (Shipping),Payment Method,Order Total Amount,Paid Date',
      '1,Processing,Anna Groß,Hauptstraße 2,Berlin,Berlin,10115,Germany,cod,49.90,0000-00-00 00:00:00',
      'Order Number,Order Status,Full Name (Shipping),Address 1 (Shipping),City (Shipping),State Name (Shipping),Postcode (Shipping),Country Name (Shipping),Payment Method,Order Total Amount,Paid Date',
      '2,checkout-draft,Anna Rossi,Via Roma 1,Torino,Torino,10121,Italy,cod,49.90,',
      '3,Bozza,Anna Rossi,Via Roma 1,Torino,Torino,10121,Italy,cod,49.90,',
      '4,Processing,Anna Rossi,Via Roma 1,Torino,Torino,10121,Italy,cod,"1.249,90",',
    ],
    orders: [['1', 'Anna Groß', 'Hauptstraße 2', '10115', 'DE', '49.90']],
    leftOut: [
      [3, 'repeats the header'],
      [4, 'Status is checkout-draft'],
      [5, 'Status is Bozza'],
    ],
    problems: [[6, 'a point before its decimals']],
  },
  {
    shop: 'Magento by the names of attributes, with the rest to pay',
    mapping: 'MAGENTO',
    lines: [
      'increment_id,status,order_currency_code,grand_total,total_due,shipping_firstname,shipping_lastname,shipping_street,shipping_city,shipping_region,shipping_postcode,shipping_country_id,payment_method',
      '000000201,pending,EUR,49.9000,30.0000,Anna,Rossi,Via Roma 1,Torino,Torino,10121,IT,cashondelivery',
      '000000202,canceled,EUR,49.9000,0.0000,Anna,Rossi,Via Roma 1,Torino,Torino,10121,IT,cashondelivery',
    ],
    orders: [['000000201', ...TORINO, '30.00']],
    leftOut: [[3, 'status is canceled']],
  },
  {
    shop: 'Amazon, with a payment on delivery whose amount is missing',
    mapping: 'AMAZON',
    lines: [
      `${AMAZON}\tpayment-method\tcod-collectible-amount`,
      '402-1\t1\t2026-11-03T09:30:00+00:00\ta@example.com\tBice\tL1\tLampada\t1\tAnna Rossi\tVia Roma 1\t\t\tTorino\tTO\t10121\tIT\tfalse\tCOD\t',
      '402-2\t1\t2026-11-03T09:30:00+00:00\ta@example.com\tBice\tL1\tLampada\t1\tAnna Rossi\tVia Roma 1\t\t\tTorino\tTO\t10121\tIT\tfalse\tCOD\t49.90',
    ],
    orders: [['402-2', ...TORINO, '49.90']],
    problems: [[2, 'payment-method is COD']],
  },
  {
    shop: 'Shopify, with a note of several lines, rows of items and apostrophes before postal codes',
    mapping: 'SHOPIFY',
    lines: [
      'Name,Email,Financial Status,Currency,Total,Lineitem quantity,Lineitem name,Shipping Name,Shipping Address1,Shipping City,Shipping Zip,Shipping Country,Notes,Cancelled at,Payment Method,Refunded Amount,Outstanding Balance',
      `#1,a@example.com,pending,EUR,49.90,1,Lampada,Anna Rossi,Via Roma 1,Torino,'10121,IT,"citofono\nRossi",,Cash on Delivery (COD),0.00,49.90`,
      '#1,a@example.com,,,,2,Sedia,,,,,,,,,,',
      "#2,b@example.com,partially_paid,EUR,80.00,1,Lampada,Anna Rossi,Via Roma 1,Torino,'10121,IT,,,gift_card + Cash on Delivery (COD),0.00,30.00",
      "#3,b@example.com,voided,EUR,80.00,1,Lampada,Anna Rossi,Via Roma 1,Torino,'10121,IT,,,Cash on Delivery (COD),0.00,0.00",
      '#3,b@example.com,,,,2,Sedia,,,,,,,,,,',
    ],
    orders: [
      ['#1', ...TORINO, '49.90'],
      ['#2', ...TORINO, '30.00'],
    ],
    leftOut: [
      [5, 'Financial Status is voided'],
      [6, 'belongs to the order of row 5'],
    ],
  },
  {
    shop: 'WooCommerce Order Export & Import, whose column says when an order was paid',
    mapping: 'WOOCOMMERCE',
    lines: [
      'order_id,order_number,order_date,paid_date,status,order_total,order_currency,payment_method,payment_method_title,customer_email,billing_phone,shipping_first_name,shipping_last_name,shipping_address_1,shipping_address_2,shipping_postcode,shipping_city,shipping_state,shipping_country,customer_note,wt_import_key',
      '7,70,2026-11-03 10:00:00,,processing,49.9,EUR,cod,Contanti alla consegna,a@example.com,,Anna,Rossi,Via Roma 1,,10121,Torino,TO,IT,,70',
      '8,71,2026-11-03 10:00:00,2026-11-05 10:00:00,completed,49.9,EUR,cod,Contanti alla consegna,a@example.com,,Anna,Rossi,Via Roma 1,,10121,Torino,TO,IT,,71',
      '9,72,2026-11-03 10:00:00,,cancelled,49.9,EUR,cod,Contanti alla consegna,a@example.com,,Anna,Rossi,Via Roma 1,,10121,Torino,TO,IT,,72',
    ],
    orders: [
      ['70', ...TORINO, '49.90'],
      ['71', ...TORINO, '0.00'],
    ],
    leftOut: [[4, 'status is cancelled']],
    payments: '"Contanti alla consegna (2026-11-05 10:00:00)" (1)',
  },
  {
    shop: 'Advanced Order Export, with a refund that the total does not tell',
    mapping: 'WOOCOMMERCE',
    lines: [
      'Order Number,Order Status,Order Date,First Name (Billing),Last Name (Billing),Email (Billing),First Name (Shipping),Last Name (Shipping),Address 1&2 (Shipping),City (Shipping),State Code (Shipping),Postcode (Shipping),Country Code (Shipping),Payment Method Title,Order Refund Amount,Order Total Amount,Item Name',
      '80,On hold,2026-11-03 10:00,Bice,Neri,a@example.com,Anna,Rossi,Via Roma 1,Torino,TO,10121,IT,Pagamento in contrassegno (+5&euro;),0,54.9,Lampada',
      '81,On hold,2026-11-03 10:00,Bice,Neri,a@example.com,Anna,Rossi,Via Roma 1,Torino,TO,10121,IT,Contrassegno,10,54.9,Lampada',
    ],
    orders: [['80', ...TORINO, '54.90']],
    problems: [[3, '10.00 of it is paid or refunded']],
  },
  {
    shop: 'PrestaShop, with orders of a divided cart and a paid one',
    mapping: 'PRESTASHOP',
    lines: [
      '"id_order";"reference";"firstname";"lastname";"address1";"postcode";"city";"iso_code";"module";"total_paid";"total_paid_real";"current_state"',
      '"12";"XKBKNABJK";"Anna";"Rossi";"Via Roma 1";"10121";"Torino";"IT";"ps_cashondelivery";"30.000000";"0.000000";"3"',
      '"13";"XKBKNABJK";"Anna";"Rossi";"Via Roma 1";"10121";"Torino";"IT";"codwfeeplus";"60.000000";"60.000000";"5"',
      '"14";"QWERTYUIO";"Anna";"Rossi";"Via Roma 1";"10121";"Torino";"IT";"ps_cashondelivery";"30.000000";"0.000000";"6"',
    ],
    orders: [
      ['12', ...TORINO, '30.00'],
      ['13', ...TORINO, '0.00'],
    ],
    leftOut: [[4, 'current_state is 6']],
    payments: '"codwfeeplus (paid)" (1)',
  },
  {
    shop: 'Magento, with closed and complete orders',
    mapping: 'MAGENTO',
    lines: [
      'ID,Purchase Point,Purchase Date,Bill-to Name,Ship-to Name,Grand Total (Base),Grand Total (Purchased),Status,Shipping Address,Customer Email,Payment Method,Total Refunded',
      '000000012,"Main Website Store",2026-11-03,Bice Neri,Anna Rossi,49.9000,49.9000,Pending,"Via Roma 1,Torino,Torino,10121",a@example.com,cashondelivery,',
      '000000013,"Main Website Store",2026-11-03,Bice Neri,Anna Rossi,49.9000,49.9000,Complete,"Via Roma 1,Torino,Torino,10121",a@example.com,cashondelivery,',
      '000000014,"Main Website Store",2026-11-03,Bice Neri,Anna Rossi,49.9000,49.9000,Closed,"Via Roma 1,Torino,Torino,10121",a@example.com,cashondelivery,49.9000',
    ],
    orders: [
      ['000000012', ...TORINO, '49.90'],
      ['000000013', ...TORINO, '0.00'],
    ],
    leftOut: [[4, 'Status is Closed']],
    payments: '"cashondelivery (Complete)" (1)',
  },
  {
    shop: 'BigCommerce, with gift certificates, and orders that were never placed',
    mapping: 'BIGCOMMERCE',
    lines: [
      BIGCOMMERCE,
      big('101', 'Awaiting Fulfillment'),
      big('102', 'Awaiting Fulfillment', '10.0000'),
      big('103', 'Awaiting Fulfillment', '49.9000'),
      big('104', 'Incomplete'),
      big('105', 'Refunded'),
    ],
    orders: [
      ['101', 'Anna Rossi', 'Via Roma 1, Scala B', '10121', 'IT', '49.90'],
      ['103', 'Anna Rossi', 'Via Roma 1, Scala B', '10121', 'IT', '0.00'],
    ],
    leftOut: [
      [5, 'Order Status is Incomplete'],
      [6, 'Order Status is Refunded'],
    ],
    problems: [[3, 'still to be paid']],
  },
  {
    shop: 'Squarespace, whose orders have rows of items',
    mapping: 'SQUARESPACE',
    lines: [
      'Order ID,Email,Financial Status,Currency,Total,Amount Refunded,Lineitem quantity,Lineitem name,Shipping Name,Shipping Address1,Shipping Address2,Shipping City,Shipping Zip,Shipping Province,Shipping Country,Cancelled at,Payment Method',
      '00012,a@example.com,PAID,EUR,49.90,0.00,1,Lampada,Anna Rossi,Via Roma 1,,Torino,10121,TO,Italy,,Stripe',
      '00012,,,,,,2,Sedia,,,,,,,,,',
      '00013,a@example.com,PAID,EUR,49.90,0.00,1,Lampada,Anna Rossi,Via Roma 1,,Torino,10121,TO,Italy,2026-11-04 10:00:00 +0100,Stripe',
    ],
    orders: [['00012', ...TORINO, null]],
    leftOut: [[4, 'Cancelled at is 2026-11-04']],
    payments: '"Stripe" (1)',
  },
  {
    shop: 'Wix, which writes the names of the delivery once more above the address of the bill',
    mapping: 'WIX',
    lines: [WIX, wix('10007'), wix('10008', { gift: '10.00' }), wix('10009', { state: 'Refunded' })],
    orders: [['10007', ...TORINO, '49.90']],
    leftOut: [[4, 'Payment status is Refunded']],
    problems: [[3, '10.00 of it is paid or refunded']],
  },
  {
    shop: "Amazon's unshipped orders, in Windows-1252 and with quotes that nothing closes",
    mapping: 'AMAZON',
    encoding: 'latin1',
    lines: [
      AMAZON,
      '402-1\t1\t2026-11-03T09:30:00+00:00\ta@example.com\tBice\tL1\t"Offerta lampada\t1\tNiccolò Forlì\tVia Libertà 1\t\t\tTorino\tTO\t10121\tIT\tfalse',
      '402-2\t2\t2026-11-03T09:30:00+00:00\ta@example.com\tBice\tS1\tSchermo 24"\t1\tAnna Rossi\tVia Roma 1\tScala B\t\tTorino\tTO\t10121\tIT\tfalse',
      '402-2\t3\t2026-11-03T09:30:00+00:00\ta@example.com\tBice\tS2\tCavo\t2\tAnna Rossi\tVia Roma 1\tScala B\t\tTorino\tTO\t10121\tIT\tfalse',
    ],
    orders: [
      ['402-1', 'Niccolò Forlì', 'Via Libertà 1', '10121', 'IT', null],
      ['402-2', 'Anna Rossi', 'Via Roma 1, Scala B', '10121', 'IT', null],
    ],
  },
  {
    shop: 'eBay in America, with lines above and below',
    mapping: 'EBAY',
    lines: [
      '',
      '"Sales Record Number","Order Number","Buyer Username","Buyer Name","Buyer Email","Ship To Name","Ship To Phone","Ship To Address 1","Ship To Address 2","Ship To City","Ship To State","Ship To Zip","Ship To Country","Item Title","Total Price","Payment Method","Paid On Date"',
      '"","","","","","","","","","","","","","","","",""',
      '"101","12-1","anna","Bice Neri","","Anna Rossi","","Via Roma 1","","Torino","TO","10121","Italy","Lampada","$49.90","PayPal","Nov-03-26"',
      '"102","12-2","anna","Bice Neri","","Anna Rossi","","Via Roma 1","","Torino","TO","10121","Italy","Lampada","$49.90","Cash on delivery",""',
      '',
      '"2","record(s) downloaded,","from ,Nov-01-26"',
      '"Seller ID : example"',
    ],
    orders: [['12-1', ...TORINO, null]],
    leftOut: [
      [7, 'record(s)'],
      [8, 'Order Number is empty'],
    ],
    problems: [[5, 'EUR']],
    payments: '"PayPal" (1)',
  },
  {
    shop: 'eBay in Britain',
    mapping: 'EBAY',
    lines: [
      EBAY_BRITAIN,
      '101,12-1,anna,Bice Neri,Anna Rossi,,Via Roma 1,,Torino,TO,10121,Italy,£49.90,PayPal,03-Nov-26',
    ],
    orders: [['12-1', ...TORINO, null]],
    payments: '"PayPal" (1)',
  },
  {
    shop: 'eBay in Germany, with decimal commas and payment on delivery',
    mapping: 'EBAY_DE',
    lines: [
      '',
      'Verkaufsprotokollnummer;Bestellnummer;Nutzername des Käufers;Name des Käufers;E-Mail des Käufers;Adresse 1 des Käufers;PLZ des Käufers;Name des Empfängers;Telefonnummer des Empfängers;Adresse 1 des Empfängers;Adresse 2 des Empfängers;Versand nach - Ort;Versand nach - PLZ;Versand nach - Land;Artikelnummer;Angebotstitel;Anzahl;Verkauft für;Gesamtbetrag;Zahlungsmethode;Verkauft am;Zahlungsdatum',
      '101;12-11111-11111;anna;Bice Neri;;Weg 9;50667;Anna Groß;;Hauptstraße 2;2. Stock;Berlin;10115;Deutschland;7;Lampe;1;1.016,99 €;1.016,99 €;Nachnahme;10-Dez-25;',
      '102;12-22222-22222;anna;Bice Neri;;Weg 9;50667;Anna Groß;;Hauptstraße 2;;Berlin;10115;Deutschland;7;Lampe;1;16,99 €;16,99 €;PayPal;10-Dez-25;10-Dez-25',
      '2;Datensätze heruntergeladen',
    ],
    orders: [
      ['12-11111-11111', 'Anna Groß', 'Hauptstraße 2, 2. Stock', '10115', 'DE', '1016.99'],
      ['12-22222-22222', 'Anna Groß', 'Hauptstraße 2', '10115', 'DE', null],
    ],
    leftOut: [[5, 'Datensätze heruntergeladen']],
    payments: '"PayPal" (1)',
  },
  {
    shop: 'Etsy',
    mapping: 'ETSY',
    lines: [
      'Sale Date,Order ID,Full Name,First Name,Last Name,Street 1,Street 2,Ship City,Ship State,Ship Zipcode,Ship Country,Currency,Order Total',
      '11/03/26,3001,Anna Rossi,Anna,Rossi,Via Roma 1,,Torino,TO,10121,Italy,USD,49.90',
    ],
    orders: [['3001', ...TORINO, null]],
  },
];

const IMPORT = `mutation ($input: ImportOrdersInput!) { importOrders(input: $input) {
  mapping { name } rows { total read leftOut wrong } leftOut { row reason } remarks problems { row message }
  userErrors { message } } }`;
const ORDERS = `{ orders(first: 20) { nodes { orderNumber codAmount recipient { companyName address postalCode countryCode } } } }`;

interface Imported {
  readonly mapping: { readonly name: string } | null;
  readonly rows: Readonly<Record<'total' | 'read' | 'leftOut' | 'wrong', number>>;
  readonly leftOut: readonly { readonly row: number; readonly reason: string }[];
  readonly remarks: readonly string[];
  readonly problems: readonly { readonly row: number; readonly message: string }[];
  readonly userErrors: readonly { readonly message: string }[];
}

test.each(SHOPS)('The export of $shop is read correctly', async shop => {
  const { mapping, lines, encoding = 'utf8', orders, leftOut = [], problems = [], payments } = shop;
  const caller = await world.company();
  const file = { base64: Buffer.from(`${lines.join('\r\n')}\r\n`, encoding).toString('base64') };
  const sent = await caller.graphql<{ importOrders: Imported }>(IMPORT, { input: { file, acceptGoodRows: true } });
  const answer = sent.data.importOrders;
  const { nodes } = await ask<{ nodes: { recipient: object; codAmount: string; orderNumber: string }[] }>(
    caller,
    ORDERS,
  );
  const stored = nodes.map(({ orderNumber, recipient, codAmount }) => [
    orderNumber,
    ...Object.values(recipient),
    codAmount,
  ]);
  expect(stored.toReversed()).toEqual(orders);
  expect(answer.mapping?.name).toBe(mapping);
  const { total, ...parts } = answer.rows;
  expect(Object.values(parts).reduce((sum, count) => sum + count, 0)).toBe(total);
  expect(answer.leftOut).toEqual(leftOut.map(([row, reason]) => ({ row, reason: expect.stringContaining(reason) })));
  expect(answer.problems).toEqual(
    problems.map(([row, message]) => ({ row, message: expect.stringContaining(message) })),
  );
  const listed = answer.remarks.filter(remark => remark.startsWith('Payments'));
  expect(listed).toEqual(payments === undefined ? listed : [expect.stringContaining(payments)]);
});

test("Amazon's report of all orders, which has no streets, is rejected with an error that explains that and counts its rows", async () => {
  const caller = await world.company();
  const text = [
    'amazon-order-id\tmerchant-order-id\tpurchase-date\torder-status\tfulfillment-channel\tsales-channel\tproduct-name\tsku\titem-status\tquantity\tcurrency\titem-price\tship-city\tship-state\tship-postal-code\tship-country',
    '402-1\t402-1\t2026-11-03T09:30:00+00:00\tShipped\tMerchant\tAmazon.it\tSedia\tS1\tShipped\t1\tEUR\t10.00\tTorino\tTO\t10121\tIT',
    '402-2\t402-2\t2026-11-03T09:30:00+00:00\tCancelled\tMerchant\tAmazon.it\tSedia\tS1\tCancelled\t1\tEUR\t10.00\tTorino\tTO\t10121\tIT',
  ].join('\n');
  const { data } = await caller.graphql<{ importOrders: Imported }>(IMPORT, { input: { file: { text } } });
  const [{ message } = { message: '' }] = data.importOrders.userErrors;
  expect(message).toContain('ship-address-1');
  expect(message).toContain('none of its 2 rows was read');
});
