import { CASH_WORDS } from '../cash-on-delivery.rules.ts';
import { both } from '../order-columns.catalog.ts';
import { type KnownOrderMapping, STATES, VOID } from './known-order-mapping.catalog.ts';

/** Mappings of the exports of marketplaces. */

export const AMAZON: KnownOrderMapping = {
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
    codAmount: 'cod-collectible-amount',
    'order.currency': 'currency',
  },
  // An order with cash on delivery must have the amount.
  cashOnDelivery: { payment: 'payment-method', words: CASH_WORDS, amount: 'cod-collectible-amount', paid: [] },
  metadata: {},
  values: { marketplace: 'Amazon' },
  skip: [
    { column: 'order-status', values: VOID },
    { column: 'item-status', values: VOID },
  ],
};

export const EBAY: KnownOrderMapping = {
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
  cashOnDelivery: {
    payment: 'Payment Method',
    words: CASH_WORDS,
    amount: 'Total Price',
    paid: [{ column: 'Paid On Date', values: ['*'] }],
  },
  metadata: {},
  values: { marketplace: 'eBay' },
  skip: [{ column: 'Order Number', values: ['', 'record(s) downloaded*'] }],
};

/** Columns as programs of public repositories read files of 2025, on 2026-11-28. */
export const EBAY_DE: KnownOrderMapping = {
  name: 'EBAY_DE',
  about:
    'Verkäufer-Cockpit Pro → Bestellungen → Bericht herunterladen, of eBay in Germany. It has rows of items below an order, and no weights.',
  signature: ['Bestellnummer', 'Versand nach - PLZ'],
  decimals: 'comma',
  columns: {
    orderNumber: 'Bestellnummer',
    marketplaceOrderId: ['Verkaufsprotokollnummer', 'Bestellnummer'],
    marketplaceOrderNumber: 'Bestellnummer',
    'recipient.companyName': ['Name des Empfängers', 'Name des Käufers'],
    'recipient.address': both('Adresse 1 des Empfängers', 'Adresse 2 des Empfängers', ', '),
    'recipient.postalCode': 'Versand nach - PLZ',
    'recipient.city': 'Versand nach - Ort',
    'recipient.countryCode': 'Versand nach - Land',
    'recipient.email': 'E-Mail des Käufers',
    'recipient.telephone': 'Telefonnummer des Empfängers',
  },
  cashOnDelivery: {
    payment: ['Zahlungsmethode', 'Zahlungsart'],
    words: CASH_WORDS,
    amount: 'Gesamtbetrag',
    paid: [{ column: 'Zahlungsdatum', values: ['*'] }],
  },
  metadata: {},
  values: { marketplace: 'eBay' },
  skip: [{ column: 'Bestellnummer', values: ['', 'Datens*', 'record(s) downloaded*'] }],
};

/** Columns as files of 2024 to 2026 in public repositories have them, read on 2026-11-28. */
export const ETSY: KnownOrderMapping = {
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
