import { ORDER_COLUMNS, ORDER_FIELDS } from './order-columns.catalog.ts';
import type { OrderMapping } from './order-mapping.format.rules.ts';

/** Mappings of the exports of shops and marketplaces, and of tables with the known names. */

export interface KnownOrderMapping extends OrderMapping {
  /** Columns that no other export has together. */
  readonly signature: readonly string[];
  readonly about: string;
}

const both = (first: string, second: string, by = ' ') => ({ all: [first, second], by });
/** Words of shops for cash on delivery. */
export const CASH_WORDS = [
  'cash on delivery*',
  'cashondelivery',
  'cod',
  'contrassegno*',
  'pagamento alla consegna*',
  'ps_cashondelivery',
];

const STANDARD: KnownOrderMapping = {
  name: 'STANDARD',
  about: 'Known names in Italian and English.',
  signature: [],
  columns: Object.fromEntries(
    ORDER_FIELDS.map(field => [field, ORDER_COLUMNS[field].names]),
  ) as OrderMapping['columns'],
  metadata: {},
  values: {},
  skip: [],
};

const SHOPIFY: KnownOrderMapping = {
  name: 'SHOPIFY',
  about: 'Orders → Export → CSV. It has a row for each item, and no weights.',
  signature: ['Lineitem name', 'Shipping Zip', 'Financial Status'],
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
  },
  cashOnDelivery: { payment: 'Payment Method', words: CASH_WORDS, amount: 'Total' },
  metadata: {},
  values: { marketplace: 'Shopify' },
  skip: [],
};

const WOOCOMMERCE: KnownOrderMapping = {
  name: 'WOOCOMMERCE',
  about: 'The plugins Advanced Order Export (names) and Order Export & Import (`shipping_city`).',
  signature: ['Postcode (Shipping)'],
  decimals: 'point',
  columns: {
    orderNumber: ['Order Number', 'order_number', 'order_id'],
    'recipient.companyName': [
      both('First Name (Shipping)', 'Last Name (Shipping)'),
      both('shipping_first_name', 'shipping_last_name'),
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
  },
  cashOnDelivery: {
    payment: ['Payment Method Title', 'Payment Method', 'payment_method'],
    words: CASH_WORDS,
    amount: ['Order Total Amount', 'order_total'],
  },
  metadata: {},
  values: { marketplace: 'WooCommerce' },
  skip: [],
};

const PRESTASHOP: KnownOrderMapping = {
  name: 'PRESTASHOP',
  about: 'A query of the SQL Manager on `orders` and `address`: the list of orders itself exports no addresses.',
  signature: ['id_order', 'postcode', 'address1'],
  decimals: 'point',
  columns: {
    orderNumber: ['reference', 'id_order'],
    marketplaceOrderId: 'id_order',
    'recipient.companyName': [both('firstname', 'lastname'), 'company'],
    'recipient.address': both('address1', 'address2', ', '),
    'recipient.postalCode': 'postcode',
    'recipient.city': 'city',
    'recipient.province': ['state_iso_code', 'state'],
    'recipient.countryCode': ['iso_code', 'country_iso_code', 'country'],
    'recipient.email': 'email',
    'recipient.telephone': ['phone_mobile', 'phone'],
    'order.totalWeight': ['weight', 'total_weight'],
  },
  cashOnDelivery: { payment: ['module', 'payment'], words: CASH_WORDS, amount: ['total_paid', 'total_paid_tax_incl'] },
  metadata: {},
  values: { marketplace: 'PrestaShop' },
  skip: [],
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
  },
  cashOnDelivery: {
    payment: 'Payment Method',
    words: CASH_WORDS,
    amount: ['Grand Total (Purchased)', 'Grand Total (Base)'],
  },
  metadata: {},
  values: { marketplace: 'Magento' },
  skip: [],
};

const AMAZON: KnownOrderMapping = {
  name: 'AMAZON',
  about: 'Seller Central → Order reports, a text with tabs. It has a row for each item, and no weights.',
  signature: ['order-id', 'ship-postal-code', 'ship-city'],
  decimals: 'point',
  columns: {
    orderNumber: 'order-id',
    marketplaceOrderId: 'order-id',
    marketplaceOrderNumber: 'order-id',
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
  skip: [],
};

const EBAY: KnownOrderMapping = {
  name: 'EBAY',
  about: 'Seller Hub → Orders → Download report. It has rows of items below an order, and no weights.',
  signature: ['Sales Record Number', 'Ship To Zip'],
  decimals: 'point',
  columns: {
    orderNumber: 'Order Number',
    marketplaceOrderId: 'Sales Record Number',
    marketplaceOrderNumber: 'Order Number',
    'recipient.companyName': ['Ship To Name', 'Buyer Name'],
    'recipient.address': both('Ship To Address 1', 'Ship To Address 2', ', '),
    'recipient.postalCode': 'Ship To Zip',
    'recipient.city': 'Ship To City',
    'recipient.province': 'Ship To State',
    'recipient.countryCode': 'Ship To Country',
    'recipient.email': 'Buyer Email',
    'recipient.telephone': 'Ship To Phone',
  },
  metadata: {},
  values: { marketplace: 'eBay' },
  skip: [{ column: 'Order Number', values: ['', 'record(s) downloaded*'] }],
};

/** By name; `STANDARD` is for any other file. */
export const ORDER_MAPPINGS = { STANDARD, SHOPIFY, WOOCOMMERCE, PRESTASHOP, MAGENTO, AMAZON, EBAY } as const;
export type OrderMappingName = keyof typeof ORDER_MAPPINGS;
