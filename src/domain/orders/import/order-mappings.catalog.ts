import type { MappedColumn } from '../../common/tables/table-mapping.format.rules.ts';
import { CASH_WORDS } from './cash-on-delivery.rules.ts';
import { ORDER_COLUMNS, ORDER_FIELDS } from './order-columns.catalog.ts';
import type { OrderMapping } from './order-mapping.format.rules.ts';

/** Mappings of the exports of shops and marketplaces, and of tables with the known names. */

export interface KnownOrderMapping extends OrderMapping {
  /** Columns that no other export has together. */
  readonly signature: readonly MappedColumn[];
  readonly about: string;
}

const both = (first: string, second: string, by = ' ') => ({ all: [first, second], by });
/** States of an order that nobody ships, as shops and their plugins name them. */
const VOID = [
  ...['cancelled', 'canceled', 'voided', 'void', 'refunded', 'failed', 'expired', 'trash', 'deleted', 'payment error'],
  ...['wc-cancelled', 'wc-refunded', 'wc-failed', 'fully refunded', 'rejected', 'declined'],
  ...[
    'annullato',
    'annullata',
    'annullati',
    'cancellato',
    'cancellata',
    'rimborsato',
    'rimborsata',
    'fallito',
    'fallita',
  ],
  ...['non riuscito', 'errore di pagamento', 'rifiutato', 'stornato', 'eliminato'],
  ...['storniert', 'erstattet', 'rückerstattet', 'fehlgeschlagen', 'abgebrochen'],
  ...['annulé', 'annulée', 'remboursé', 'remboursée', 'échouée'],
  ...['cancelado', 'cancelada', 'anulado', 'reembolsado', 'reembolsada', 'fallido', 'geannuleerd', 'terugbetaald'],
];
const STATES = ['Order Status', 'order_status', 'order-status', 'Status', 'Stato ordine', "Stato dell'ordine", 'Stato'];

const STANDARD: KnownOrderMapping = {
  name: 'STANDARD',
  about: 'Known names in Italian and English.',
  signature: [],
  columns: Object.fromEntries(
    ORDER_FIELDS.map(field => [field, ORDER_COLUMNS[field].names]),
  ) as OrderMapping['columns'],
  metadata: {},
  values: {},
  skip: [{ column: STATES, values: VOID }],
};

const SHOPIFY: KnownOrderMapping = {
  name: 'SHOPIFY',
  about: 'Orders → Export → CSV. It has a row for each item, and no weights.',
  signature: ['Name', 'Lineitem name', 'Shipping Zip', 'Financial Status'],
  decimals: 'point',
  columns: {
    orderNumber: 'Name',
    marketplaceOrderId: 'Id',
    'recipient.companyName': ['Shipping Name', 'Shipping Company', 'Billing Name'],
    'recipient.address': [both('Shipping Address1', 'Shipping Address2', ', '), 'Shipping Street'],
    'recipient.postalCode': 'Shipping Zip',
    'recipient.city': 'Shipping City',
    'recipient.province': 'Shipping Province',
    'recipient.countryCode': 'Shipping Country',
    'recipient.email': 'Email',
    'recipient.telephone': ['Shipping Phone', 'Phone'],
    'order.currency': 'Currency',
  },
  cashOnDelivery: {
    payment: 'Payment Method',
    words: CASH_WORDS,
    amount: 'Total',
    outstanding: 'Outstanding Balance',
    paid: { column: 'Financial Status', values: ['paid', 'partially_refunded'] },
  },
  metadata: {},
  values: { marketplace: 'Shopify' },
  skip: [
    { column: 'Financial Status', values: VOID },
    { column: 'Cancelled at', values: ['*'] },
  ],
};

const WOOCOMMERCE: KnownOrderMapping = {
  name: 'WOOCOMMERCE',
  about: 'The plugins Advanced Order Export (names) and Order Export & Import (`shipping_city`).',
  signature: [
    ['Postcode (Shipping)', 'shipping_postcode'],
    ['Address 1&2 (Shipping)', 'Address 1 (Shipping)', 'shipping_address_1'],
  ],
  decimals: 'point',
  columns: {
    orderNumber: ['Order Number', 'order_number', 'order_id'],
    'recipient.companyName': [
      both('First Name (Shipping)', 'Last Name (Shipping)'),
      both('shipping_first_name', 'shipping_last_name'),
      'Company (Shipping)',
      'shipping_company',
    ],
    'recipient.address': [
      'Address 1&2 (Shipping)',
      both('Address 1 (Shipping)', 'Address 2 (Shipping)', ', '),
      both('shipping_address_1', 'shipping_address_2', ', '),
    ],
    'recipient.postalCode': ['Postcode (Shipping)', 'shipping_postcode'],
    'recipient.city': ['City (Shipping)', 'shipping_city'],
    'recipient.province': ['State Code (Shipping)', 'shipping_state'],
    'recipient.countryCode': ['Country Code (Shipping)', 'shipping_country'],
    'recipient.email': ['Email (Billing)', 'billing_email'],
    'recipient.telephone': ['Phone (Billing)', 'billing_phone'],
    'order.totalWeight': ['Order Total Weight', 'order_weight'],
    'order.currency': ['Order Currency', 'Currency', 'order_currency'],
  },
  cashOnDelivery: {
    payment: ['Payment Method Title', 'payment_method_title', 'Payment Method', 'payment_method'],
    words: CASH_WORDS,
    amount: ['Order Total Amount', 'order_total'],
  },
  metadata: {},
  values: { marketplace: 'WooCommerce' },
  skip: [{ column: STATES, values: VOID }],
};

const PRESTASHOP: KnownOrderMapping = {
  name: 'PRESTASHOP',
  about: 'A query of the SQL Manager on `orders` and `address`: the list of orders itself exports no addresses.',
  signature: ['id_order', 'postcode', 'address1'],
  decimals: 'point',
  columns: {
    // The orders of a divided cart share their reference.
    orderNumber: 'id_order',
    marketplaceOrderId: 'id_order',
    marketplaceOrderNumber: 'reference',
    'recipient.companyName': [both('firstname', 'lastname'), 'company'],
    'recipient.address': both('address1', 'address2', ', '),
    'recipient.postalCode': 'postcode',
    'recipient.city': 'city',
    'recipient.province': ['state_iso_code', 'state'],
    'recipient.countryCode': ['iso_code', 'country_iso_code', 'country'],
    'recipient.email': 'email',
    'recipient.telephone': ['phone_mobile', 'phone'],
    'order.totalWeight': ['weight', 'total_weight'],
    'order.currency': ['currency', 'currency_iso_code', 'currency_iso'],
  },
  cashOnDelivery: { payment: ['module', 'payment'], words: CASH_WORDS, amount: ['total_paid', 'total_paid_tax_incl'] },
  metadata: {},
  values: { marketplace: 'PrestaShop' },
  // A new shop has these numbers: cancelled, refunded and payment error.
  skip: [
    { column: 'current_state', values: ['6', '7', '8', ...VOID] },
    { column: ['order_state', 'state_name', 'osname', 'os_name', ...STATES], values: VOID },
  ],
};

const MAGENTO: KnownOrderMapping = {
  name: 'MAGENTO',
  about: 'Sales → Orders → Export, with the column Shipping Address. It has no weights and no countries.',
  signature: ['Purchase Point', 'Ship-to Name', 'Shipping Address'],
  decimals: 'point',
  columns: {
    orderNumber: 'ID',
    'recipient.companyName': 'Ship-to Name',
    'recipient.fullAddress': 'Shipping Address',
    'recipient.email': 'Customer Email',
    'order.currency': ['Order Currency', 'order_currency_code', 'Currency'],
  },
  cashOnDelivery: {
    payment: 'Payment Method',
    words: CASH_WORDS,
    amount: ['Grand Total (Purchased)', 'Grand Total (Base)'],
  },
  metadata: {},
  values: { marketplace: 'Magento' },
  // An order whose whole amount was refunded is closed.
  skip: [{ column: 'Status', values: [...VOID, 'closed', 'chiuso', 'fraud', 'suspected fraud'] }],
};

const AMAZON: KnownOrderMapping = {
  name: 'AMAZON',
  about:
    'Seller Central → Order reports → Unshipped orders, a text with tabs. It has a row for each item, and no weights. The report All Orders has no streets, and cannot be read.',
  signature: [['order-id', 'amazon-order-id'], 'ship-postal-code', 'ship-city'],
  decimals: 'point',
  columns: {
    orderNumber: ['order-id', 'amazon-order-id'],
    marketplaceOrderId: ['order-id', 'amazon-order-id'],
    marketplaceOrderNumber: ['order-id', 'amazon-order-id'],
    'recipient.companyName': ['recipient-name', 'buyer-name'],
    'recipient.address': { all: ['ship-address-1', 'ship-address-2', 'ship-address-3'], by: ', ' },
    'recipient.postalCode': 'ship-postal-code',
    'recipient.city': 'ship-city',
    'recipient.province': 'ship-state',
    'recipient.countryCode': 'ship-country',
    'recipient.email': 'buyer-email',
    'recipient.telephone': ['ship-phone-number', 'buyer-phone-number'],
  },
  metadata: {},
  values: { marketplace: 'Amazon' },
  skip: [
    { column: 'order-status', values: VOID },
    { column: 'item-status', values: VOID },
  ],
};

const EBAY: KnownOrderMapping = {
  name: 'EBAY',
  about:
    'Seller Hub → Orders → Download report, of eBay in America, Britain or Australia. It has rows of items below an order, and no weights.',
  signature: ['Order Number', ['Ship To Zip', 'Post to postcode', 'Post to postal code']],
  decimals: 'point',
  columns: {
    orderNumber: 'Order Number',
    marketplaceOrderId: ['Sales Record Number', 'Order Number'],
    marketplaceOrderNumber: 'Order Number',
    'recipient.companyName': ['Ship To Name', 'Post to name', 'Buyer Name'],
    'recipient.address': [
      both('Ship To Address 1', 'Ship To Address 2', ', '),
      both('Post to address 1', 'Post to address 2', ', '),
    ],
    'recipient.postalCode': ['Ship To Zip', 'Post to postcode', 'Post to postal code'],
    'recipient.city': ['Ship To City', 'Post to city'],
    'recipient.province': ['Ship To State', 'Post to county', 'Post to state'],
    'recipient.countryCode': ['Ship To Country', 'Post to country'],
    'recipient.email': 'Buyer Email',
    'recipient.telephone': ['Ship To Phone', 'Post to phone'],
  },
  metadata: {},
  values: { marketplace: 'eBay' },
  skip: [{ column: 'Order Number', values: ['', 'record(s) downloaded*'] }],
};

/** Columns as files of 2024 to 2026 in public repositories have them, read on 2026-11-28. */
const ETSY: KnownOrderMapping = {
  name: 'ETSY',
  about: 'Shop Manager → Settings → Options → Download data, the files Orders and Order items. It has no weights.',
  signature: ['Order ID', 'Ship City', 'Ship Zipcode'],
  decimals: 'point',
  columns: {
    orderNumber: 'Order ID',
    marketplaceOrderId: 'Order ID',
    'recipient.companyName': ['Ship Name', 'Full Name', both('First Name', 'Last Name')],
    'recipient.address': [both('Ship Address1', 'Ship Address2', ', '), both('Street 1', 'Street 2', ', ')],
    'recipient.postalCode': 'Ship Zipcode',
    'recipient.city': 'Ship City',
    'recipient.province': 'Ship State',
    'recipient.countryCode': 'Ship Country',
  },
  metadata: {},
  values: { marketplace: 'Etsy' },
  skip: [{ column: STATES, values: VOID }],
};

/** Columns as a file of 2018 in a public repository has them, read on 2026-11-28. */
const SQUARESPACE: KnownOrderMapping = {
  name: 'SQUARESPACE',
  about: 'Commerce → Orders → Download CSV. It has a row for each item, and no weights.',
  signature: ['Order ID', 'Lineitem name', 'Shipping Zip', 'Financial Status'],
  decimals: 'point',
  columns: {
    orderNumber: 'Order ID',
    marketplaceOrderId: 'Order ID',
    'recipient.companyName': ['Shipping Name', 'Billing Name'],
    'recipient.address': both('Shipping Address1', 'Shipping Address2', ', '),
    'recipient.postalCode': 'Shipping Zip',
    'recipient.city': 'Shipping City',
    'recipient.province': 'Shipping Province',
    'recipient.countryCode': 'Shipping Country',
    'recipient.email': 'Email',
    'recipient.telephone': 'Shipping Phone',
    'order.currency': 'Currency',
  },
  cashOnDelivery: {
    payment: 'Payment Method',
    words: CASH_WORDS,
    amount: 'Total',
    paid: { column: 'Financial Status', values: ['paid', 'partially_refunded'] },
  },
  metadata: {},
  values: { marketplace: 'Squarespace' },
  skip: [
    { column: 'Financial Status', values: VOID },
    { column: 'Cancelled at', values: ['*'] },
  ],
};

/** Columns as programs of public repositories read them, on 2026-11-28. */
const WIX: KnownOrderMapping = {
  name: 'WIX',
  about: 'Orders → Export. It has a row for each item, and no weights.',
  signature: ['Order number', 'Delivery zip/postal code', 'Delivery address'],
  decimals: 'point',
  columns: {
    orderNumber: 'Order number',
    'recipient.companyName': ['Recipient name', 'Recipient company name', 'Billing name'],
    'recipient.address': 'Delivery address',
    'recipient.postalCode': 'Delivery zip/postal code',
    'recipient.city': 'Delivery city',
    'recipient.province': 'Delivery state',
    'recipient.countryCode': 'Delivery country',
    'recipient.email': 'Contact email',
    'recipient.telephone': ['Recipient phone', 'Billing phone'],
    'order.currency': 'Currency',
  },
  cashOnDelivery: {
    payment: 'Payment method',
    words: CASH_WORDS,
    amount: 'Total',
    paid: { column: 'Payment status', values: ['paid', 'partially refunded'] },
  },
  metadata: {},
  values: { marketplace: 'Wix' },
  skip: [
    { column: 'Payment status', values: ['refunded', 'fully refunded', 'voided', 'cancelled', 'canceled', 'declined'] },
    { column: ['Order status', 'Fulfillment status'], values: VOID },
  ],
};

/** By name; `STANDARD` is for any other file. */
export const ORDER_MAPPINGS = {
  STANDARD,
  SHOPIFY,
  WOOCOMMERCE,
  PRESTASHOP,
  MAGENTO,
  AMAZON,
  EBAY,
  ETSY,
  SQUARESPACE,
  WIX,
} as const;
export type OrderMappingName = keyof typeof ORDER_MAPPINGS;
