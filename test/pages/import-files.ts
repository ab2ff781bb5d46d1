/** Files of orders as shops and people have them, on their public columns with invented values. */

export interface OrderFile {
  readonly name: string;
  readonly content: string;
  /** The sentence of the page about its columns. */
  readonly says: string;
  /** Rows of the file, read, left out and with problems. */
  readonly rows: readonly [total: number, read: number, leftOut: number, wrong: number];
  /** Its good orders, in the order of the file. */
  readonly orders: readonly string[];
}

const tabs = (...rows: readonly (readonly string[])[]) => rows.map(cells => cells.join('\t')).join('\n');

export const ORDER_FILES: readonly OrderFile[] = [
  {
    name: 'shopify.csv',
    says: 'This is an export of Shopify.',
    rows: [4, 3, 1, 0],
    orders: ['#P1', '#P2'],
    content: [
      'Name,Email,Financial Status,Currency,Total,Lineitem quantity,Lineitem name,Shipping Name,Shipping Address1,Shipping Address2,Shipping City,Shipping Zip,Shipping Province,Shipping Country,Payment Method,Outstanding Balance,Cancelled at',
      '#P1,anna@example.com,pending,EUR,84.50,2,"Lampada 27""",Anna Rossi,Via Roma 1,Scala B,Torino,\'10121,TO,IT,gift_card + Cash on Delivery (COD),34.50,',
      '#P1,anna@example.com,,,,1,Sedia,,,,,,,,,,',
      "#P2,luca@example.com,paid,EUR,20.00,1,Tavolo,Luca Verdi,Corso Italia 7,,Palermo,'90139,PA,IT,Visa,0.00,",
      "#P3,eva@example.com,voided,EUR,20.00,1,Tavolo,Eva Neri,Via Po 7,,Milano,'20121,MI,IT,Visa,0.00,2026-11-20 10:00:00 +0100",
    ].join('\n'),
  },
  {
    name: 'woocommerce.csv',
    says: 'This is an export of WooCommerce.',
    rows: [4, 3, 1, 0],
    orders: ['W77', 'W79'],
    content: [
      'Order Number,Order Status,First Name (Shipping),Last Name (Shipping),Address 1&2 (Shipping),City (Shipping),State Code (Shipping),Postcode (Shipping),Country Code (Shipping),Payment Method Title,Order Total Amount,Order Total Weight,Item Name',
      'W77,processing,Anna,Rossi,Via Roma 1,Torino,TO,10121,IT,Contanti alla consegna,49.9,2.5,Lampada',
      'W77,processing,Anna,Rossi,Via Roma 1,Torino,TO,10121,IT,Contanti alla consegna,49.9,2.5,Sedia',
      'W78,cancelled,Anna,Rossi,Via Roma 1,Torino,TO,10121,IT,Contrassegno,49.9,2.5,Sedia',
      'W79,processing,Ugo,Bo,Via Etna 9,Catania,CT,95131,IT,PayPal,19.9,1.2,Sedia',
    ].join('\n'),
  },
  {
    name: 'prestashop.csv',
    says: 'This is an export of PrestaShop.',
    rows: [2, 2, 0, 0],
    orders: ['9012', '9013'],
    content: [
      '"id_order";"reference";"firstname";"lastname";"address1";"address2";"postcode";"city";"iso_code";"module";"total_paid";"weight"',
      '"9012";"XKBKNABJK";"Anna";"Rossi";"Via Roma 1";"";"10121";"Torino";"IT";"ps_cashondelivery";"49.900000";"2.500000"',
      '"9013";"XKBKNABJK";"Ugo";"Bo";"Via Etna 9";"";"95131";"Catania";"IT";"ps_wirepayment";"19.900000";"1.000000"',
    ].join('\n'),
  },
  {
    name: 'magento.csv',
    says: 'This is an export of Magento.',
    rows: [3, 1, 1, 1],
    orders: ['000000912'],
    content: [
      'ID,Purchase Point,Purchase Date,Bill-to Name,Ship-to Name,Grand Total (Base),Grand Total (Purchased),Status,Shipping Address,Customer Email,Payment Method',
      '000000912,Main,2026-11-03,Anna Rossi,Anna Rossi,49.9000,49.9000,pending,"Via Roma 1, Scala B,Torino,TO,10121",anna@example.com,cashondelivery',
      '000000913,Main,2026-11-03,Jean Petit,Jean Petit,49.9000,49.9000,pending,"Rue 1,Paris,,75001",jean@example.com,checkmo',
      '000000914,Main,2026-11-03,Eva Neri,Eva Neri,49.9000,49.9000,canceled,"Via Po 3,Milano,MI,20121",eva@example.com,checkmo',
    ].join('\n'),
  },
  {
    name: 'amazon.txt',
    says: 'This is an export of Amazon.',
    rows: [3, 3, 0, 0],
    orders: ['402-91', '402-92'],
    content: tabs(
      [
        ...['order-id', 'order-item-id', 'buyer-email', 'product-name', 'quantity-purchased', 'recipient-name'],
        ...['ship-address-1', 'ship-address-2', 'ship-city', 'ship-state', 'ship-postal-code', 'ship-country'],
      ],
      [
        '402-91',
        '1',
        'a@example.com',
        '"Monitor 27" nero',
        '2',
        'Anna Rossi',
        'Via Roma 1',
        '',
        'Torino',
        'TO',
        '10121',
        'IT',
      ],
      ['402-91', '2', 'a@example.com', 'Cavo', '1', 'Anna Rossi', 'Via Roma 1', '', 'Torino', 'TO', '10121', 'IT'],
      ['402-92', '3', 'b@example.com', '"Offerta', '1', 'Ugo Bo', 'Via Etna 9', '', 'Catania', 'CT', '95131', 'IT'],
    ),
  },
  {
    name: 'ebay.csv',
    says: 'This is an export of eBay.',
    rows: [4, 2, 2, 0],
    orders: ['12-91', '12-92'],
    content: [
      '',
      '"Sales Record Number","Order Number","Buyer Username","Buyer Name","Ship To Name","Ship To Phone","Ship To Address 1","Ship To Address 2","Ship To City","Ship To State","Ship To Zip","Ship To Country","Item Title","Quantity"',
      '"","","","","","","","","","","","","",""',
      '"101","12-91","anna","Anna Rossi","Anna Rossi","011123456","Via Roma 1","","Torino","TO","10121","Italia","Lampada","3"',
      '"102","12-92","ugo","Ugo Bo","Ugo Bo","095123456","Via Etna 9","","Catania","CT","95131","Italia","Lampada","3"',
      '"2","record(s) downloaded,","from ,Nov-01-26","","","","","","","","","","",""',
      '"Seller ID : example"',
    ].join('\r\n'),
  },
  {
    name: 'etsy.csv',
    says: 'This is an export of Etsy.',
    rows: [2, 2, 0, 0],
    orders: ['3312345001', '3312345002'],
    content: [
      'Sale Date,Order ID,Buyer User ID,Full Name,First Name,Last Name,Number of Items,Payment Method,Date Shipped,Street 1,Street 2,Ship City,Ship State,Ship Zipcode,Ship Country,Currency,Order Value,Status',
      '11/03/26,3312345001,anna,Anna Rossi,Anna,Rossi,1,Credit Card,,Via Roma 1,,Torino,TO,10121,Italy,EUR,49.90,',
      '11/04/26,3312345002,ugo,Ugo Bo,Ugo,Bo,1,Credit Card,,Via Etna 9,,Catania,CT,95131,Italy,EUR,20.00,',
    ].join('\n'),
  },
];

/** A header that nobody knows, a good row, one with two mistakes, and a total. */
export const OWN_TABLE = [
  'Rif;Destinatario;Indirizzo;CAP;Città;Kg;Misure',
  'PAGE-1;Anna Rossi;Via Libertà 12;90139;Palermo;2,5;40x30x20',
  'PAGE-2;Luca Verdi;Corso Italia 7;9999;Milano;due;30x20x10',
  'Totale;;;;;2,5;',
].join('\n');
