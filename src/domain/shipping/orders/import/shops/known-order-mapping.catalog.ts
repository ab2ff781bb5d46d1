import type { MappedColumn } from '../../../../common/tables/table-mapping.format.rules.ts';
import type { OrderMapping } from '../order-mapping.format.rules.ts';

/** The form of the mappings of shops, and the states of orders that several of them share. */

export interface KnownOrderMapping extends OrderMapping {
  /** Columns that no other export has together. */
  readonly signature: readonly MappedColumn[];
  readonly about: string;
}

/** States of an order that nobody ships, as shops and their plugins name them. A draft was begun and never placed. */
export const VOID = [
  ...['draft', 'checkout draft', 'wc checkout draft', 'auto draft', 'bozza', 'entwurf', 'brouillon', 'borrador'],
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
export const STATES = [
  'Order Status',
  'order_status',
  'order-status',
  'Status',
  'Stato ordine',
  "Stato dell'ordine",
  'Stato',
];
/** States of a completed order, whose payment the merchant has received. */
export const DONE = ['completed', 'complete', 'wc-completed', 'completato', 'completata', 'completo'];
