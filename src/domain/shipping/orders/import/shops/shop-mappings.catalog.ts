import { CASH_WORDS } from '../cash-on-delivery.rules.ts';
import { both } from '../order-columns.catalog.ts';
import { DONE, type KnownOrderMapping, STATES, VOID } from './known-order-mapping.catalog.ts';

/** Mappings of the exports of shops. */

export const SHOPIFY: KnownOrderMapping = {
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
    paidAmount: 'Refunded Amount',
    paid: [{ column: 'Financial Status', values: ['paid', 'partially_refunded'] }],
  },
  metadata: {},
  values: { marketplace: 'Shopify' },
  skip: [
    { column: 'Financial Status', values: VOID },
    { column: 'Cancelled at', values: ['*'] },
  ],
};

/** The columns of Order Export & Import as a file of a public repository has them, read on 2026-11-28. */
export const WOOCOMMERCE: KnownOrderMapping = {
  name: 'WOOCOMMERCE',
  about:
    'The plugins Advanced Order Export (names) and Order Export & Import (`shipping_city`). The list of orders of WooCommerce itself exports no addresses.',
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
      'Full Name (Shipping)',
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
    'recipient.province': ['State Code (Shipping)', 'State Name (Shipping)', 'shipping_state'],
    'recipient.countryCode': ['Country Code (Shipping)', 'Country Name (Shipping)', 'shipping_country'],
    'recipient.email': ['Email (Billing)', 'billing_email'],
    'recipient.telephone': ['Phone (Billing)', 'billing_phone'],
    'order.totalWeight': ['Order Total Weight', 'order_weight'],
    'order.currency': ['Order Currency', 'Currency', 'order_currency'],
  },
  cashOnDelivery: {
    payment: ['Payment Method Title', 'payment_method_title', 'Payment Method', 'payment_method'],
    words: CASH_WORDS,
    amount: ['Order Total Amount', 'order_total'],
    paidAmount: 'Order Refund Amount',
    paid: [
      { column: ['Paid Date', 'paid_date'], values: ['*'] },
      { column: STATES, values: DONE },
    ],
  },
  metadata: {},
  values: { marketplace: 'WooCommerce' },
  skip: [{ column: STATES, values: VOID }],
};

export const PRESTASHOP: KnownOrderMapping = {
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
    'recipient.countryCode': ['iso_code', 'country_iso_code', 'country', 'country_name'],
    'recipient.email': 'email',
    'recipient.telephone': ['phone_mobile', 'phone'],
    'order.totalWeight': ['weight', 'total_weight'],
    'order.currency': ['currency', 'currency_iso_code', 'currency_iso'],
  },
  cashOnDelivery: {
    payment: ['module', 'payment'],
    words: CASH_WORDS,
    amount: ['total_paid', 'total_paid_tax_incl'],
    paidAmount: 'total_paid_real',
    paid: [],
  },
  metadata: {},
  values: { marketplace: 'PrestaShop' },
  // A new shop has these numbers: cancelled, refunded and payment error.
  skip: [
    { column: 'current_state', values: ['6', '7', '8', ...VOID] },
    { column: ['order_state', 'state_name', 'osname', 'os_name', ...STATES], values: VOID },
  ],
};

/** The second form has the names of Magento's own attributes, as programs that export whole orders write them. */
export const MAGENTO: KnownOrderMapping = {
  name: 'MAGENTO',
  about:
    'Sales → Orders → Export, with the column Shipping Address, which has no weights and no countries; or whole orders by the names of attributes (`increment_id`, `shipping_street`).',
  signature: [
    ['Purchase Point', 'increment_id'],
    ['Ship-to Name', 'shipping_firstname'],
    ['Shipping Address', 'shipping_street'],
  ],
  decimals: 'point',
  columns: {
    orderNumber: ['increment_id', 'ID'],
    'recipient.companyName': ['Ship-to Name', both('shipping_firstname', 'shipping_lastname'), 'shipping_company'],
    'recipient.fullAddress': 'Shipping Address',
    'recipient.address': 'shipping_street',
    'recipient.postalCode': 'shipping_postcode',
    'recipient.city': 'shipping_city',
    'recipient.province': 'shipping_region',
    'recipient.countryCode': ['shipping_country_id', 'shipping_country'],
    'recipient.email': ['Customer Email', 'customer_email'],
    'recipient.telephone': 'shipping_telephone',
    'order.totalWeight': 'weight',
    'order.currency': ['Order Currency', 'order_currency_code', 'Currency'],
  },
  cashOnDelivery: {
    payment: ['Payment Method', 'payment_method'],
    words: CASH_WORDS,
    amount: ['Grand Total (Purchased)', 'Grand Total (Base)', 'grand_total'],
    outstanding: 'total_due',
    paidAmount: ['Total Refunded', 'total_refunded'],
    paid: [{ column: 'Status', values: DONE }],
  },
  metadata: {},
  values: { marketplace: 'Magento' },
  // An order whose whole amount was refunded is closed.
  skip: [{ column: 'Status', values: [...VOID, 'closed', 'chiuso', 'fraud', 'suspected fraud'] }],
};

/** Columns of the template "Default" as programs of public repositories list them, read on 2026-11-28. */
export const BIGCOMMERCE: KnownOrderMapping = {
  name: 'BIGCOMMERCE',
  about: 'Orders → Export, as CSV with the template Default. It has one row for each order, and no weights.',
  signature: ['Order ID', 'Shipping Street 1', 'Shipping Suburb', 'Shipping Zip'],
  decimals: 'point',
  columns: {
    orderNumber: 'Order ID',
    marketplaceOrderId: 'Order ID',
    'recipient.companyName': [both('Shipping First Name', 'Shipping Last Name'), 'Shipping Company', 'Customer Name'],
    'recipient.address': both('Shipping Street 1', 'Shipping Street 2', ', '),
    'recipient.postalCode': 'Shipping Zip',
    'recipient.city': 'Shipping Suburb',
    'recipient.province': 'Shipping State',
    'recipient.countryCode': 'Shipping Country',
    'recipient.email': ['Shipping Email', 'Customer Email'],
    'recipient.telephone': ['Shipping Phone', 'Customer Phone'],
    'order.currency': 'Order Currency Code',
  },
  cashOnDelivery: {
    payment: 'Payment Method',
    words: CASH_WORDS,
    amount: 'Order Total (inc tax)',
    paidAmount: { all: ['Store Credit Redeemed', 'Gift Certificate Amount Redeemed', 'Refund Amount'], by: ' ' },
    paid: [{ column: 'Order Status', values: DONE }],
  },
  metadata: {},
  values: { marketplace: 'BigCommerce' },
  // An incomplete order was begun and never placed.
  skip: [{ column: 'Order Status', values: [...VOID, 'incomplete'] }],
};

/** Columns as a file of 2018 in a public repository has them, read on 2026-11-28. */
export const SQUARESPACE: KnownOrderMapping = {
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
    paidAmount: 'Amount Refunded',
    paid: [{ column: 'Financial Status', values: ['paid', 'partially_refunded'] }],
  },
  metadata: {},
  values: { marketplace: 'Squarespace' },
  skip: [
    { column: 'Financial Status', values: VOID },
    { column: 'Cancelled at', values: ['*'] },
  ],
};

/** Columns as files of 2024 in tests of a public repository (a client of Spreadconnect) have them, read on 2026-11-28. */
export const WIX: KnownOrderMapping = {
  name: 'WIX',
  about:
    'Orders → Export. It has a row for each item, and no weights. Wix writes the names of the delivery twice: the second time they are of the billing.',
  signature: ['Order number', 'Delivery zip/postal code', 'Delivery address'],
  decimals: 'point',
  repeated: 'first',
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
    paidAmount: both('Gift card amount', 'Refunded amount'),
    paid: [{ column: 'Payment status', values: ['paid', 'partially refunded'] }],
  },
  metadata: {},
  values: { marketplace: 'Wix' },
  skip: [
    { column: 'Payment status', values: ['refunded', 'fully refunded', 'voided', 'cancelled', 'canceled', 'declined'] },
    { column: ['Order status', 'Fulfillment status'], values: VOID },
  ],
};
