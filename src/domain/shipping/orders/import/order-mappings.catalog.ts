import { CASH_WORDS } from './cash-on-delivery.rules.ts';
import { ORDER_COLUMNS, ORDER_FIELDS } from './order-columns.catalog.ts';
import type { OrderMapping } from './order-mapping.format.rules.ts';
import { type KnownOrderMapping, STATES, VOID } from './shops/known-order-mapping.catalog.ts';
import { AMAZON, EBAY, EBAY_DE, ETSY } from './shops/marketplace-mappings.catalog.ts';
import {
  BIGCOMMERCE,
  MAGENTO,
  PRESTASHOP,
  SHOPIFY,
  SQUARESPACE,
  WIX,
  WOOCOMMERCE,
} from './shops/shop-mappings.catalog.ts';

/** Mappings of the exports of shops and marketplaces, and of tables with the known names. */

const PAYMENT_STATES = ['Stato pagamento', 'Stato del pagamento', 'Payment status', 'Financial status'];

const STANDARD: KnownOrderMapping = {
  name: 'STANDARD',
  about: 'Known names in Italian and English.',
  signature: [],
  columns: Object.fromEntries(
    ORDER_FIELDS.map(field => [field, ORDER_COLUMNS[field].names]),
  ) as OrderMapping['columns'],
  cashOnDelivery: {
    payment: [
      ...['Metodo di pagamento', 'Metodo pagamento', 'Modalità di pagamento', 'Modalità pagamento', 'Tipo pagamento'],
      ...['Tipo di pagamento', 'Pagamento', 'Payment method', 'Payment type', 'Payment', 'Zahlungsart'],
      ...['Zahlungsmethode', 'Mode de paiement', 'Moyen de paiement', 'Forma de pago', 'Método de pago'],
    ],
    words: CASH_WORDS,
    amount: [
      ...['Totale ordine', 'Importo ordine', 'Totale documento', 'Importo totale', 'Totale', 'Importo'],
      ...['Order total', 'Grand total', 'Total amount', 'Total', 'Amount', 'Gesamtbetrag', 'Montant total'],
    ],
    outstanding: ['Da incassare', 'Importo da incassare', 'Da pagare', 'Residuo', 'Balance due', 'Amount due'],
    paid: [
      {
        column: [...PAYMENT_STATES, 'Pagato', 'Paid'],
        values: ['pagato', 'pagata', 'saldato', 'saldata', 'paid', 'sì', 'yes', 'true', 'bezahlt', 'payé', 'pagado'],
      },
      { column: STATES, values: ['pagato', 'pagata', 'paid', 'bezahlt', 'payé', 'pagado'] },
    ],
  },
  metadata: {},
  values: {},
  skip: [
    { column: STATES, values: VOID },
    { column: PAYMENT_STATES, values: VOID },
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
  EBAY_DE,
  ETSY,
  SQUARESPACE,
  WIX,
  BIGCOMMERCE,
} as const;
export type OrderMappingName = keyof typeof ORDER_MAPPINGS;
