import type { Unit } from '../../../common/tables/cell-values.rules.ts';
import type { MappedColumn } from '../../../common/tables/table-mapping.format.rules.ts';

/** Columns of orders: the content of each, and its names in Italian and English. */

export interface OrderColumn {
  readonly is: 'text' | 'json' | 'country' | 'recipientType' | 'size' | 'address' | 'grams' | Unit;
  readonly description: string;
  readonly names: MappedColumn;
  /** The name that is shown; by default the second of its names. */
  readonly label?: string;
}

/** Two columns whose texts are joined. */
export const both = (first: string, second: string, by = ' ') => ({ all: [first, second], by });

/** Names of a part of the address to ship to, before the names that may be of another address. */
const shipped = (italian: string, ...english: string[]) => [
  ...['destinatario', 'di consegna', 'di spedizione', 'consegna', 'spedizione'].map(of => `${italian} ${of}`),
  ...english.flatMap(name => [`Shipping ${name}`, `Delivery ${name}`]),
];

/** Names of lengths, without a unit and with one. */
const measured = (...names: string[]) =>
  names.flatMap(name => [name, ...['cm', 'mm', 'm', 'in'].map(unit => `${name} (${unit})`)]);

export const ORDER_COLUMNS = {
  orderNumber: {
    is: 'text',
    description: 'Number of the order. Rows that follow each other with one number are one order.',
    names: [
      'orderNumber',
      'Numero ordine',
      'N. ordine',
      'Nr. ordine',
      'Num. ordine',
      "Numero d'ordine",
      'ID ordine',
      'Riferimento ordine',
      'Rif. ordine',
      'Ordine',
      'Order number',
      'Order no.',
      'Order ID',
      'Order',
    ],
  },
  marketplace: {
    is: 'text',
    description: 'The marketplace the order came from.',
    names: ['marketplace', 'Canale di vendita', 'Canale', 'Sales channel', 'Channel'],
  },
  marketplaceOrderId: {
    is: 'text',
    description: "The marketplace's identifier of the order.",
    names: ['marketplaceOrderId', 'ID ordine marketplace'],
  },
  marketplaceOrderNumber: {
    is: 'text',
    description: 'Order number on the marketplace.',
    names: ['marketplaceOrderNumber', 'Numero ordine marketplace'],
  },
  warehouseId: {
    is: 'count',
    description: 'Id of the warehouse that it is shipped from.',
    names: ['warehouseId', 'ID magazzino', 'Magazzino', 'Warehouse ID', 'Warehouse'],
  },
  'recipient.companyName': {
    is: 'text',
    description: 'Name of the person or company.',
    names: [
      'recipient.companyName',
      'Destinatario',
      both('Nome destinatario', 'Cognome destinatario'),
      'Ragione sociale destinatario',
      'Ragione sociale',
      'Nome e cognome',
      'Nominativo',
      'Recipient',
      'Recipient name',
      'Shipping name',
      'Ship to name',
      'Delivery name',
      both('Nome spedizione', 'Cognome spedizione'),
      both('Nome consegna', 'Cognome consegna'),
      both('Shipping first name', 'Shipping last name'),
      both('Delivery first name', 'Delivery last name'),
      'Full name',
      both('Nome', 'Cognome'),
      both('First name', 'Last name'),
      'Cliente',
      'Customer',
      'Name',
    ],
  },
  'recipient.address': {
    is: 'text',
    description: 'Street and house number.',
    names: [
      'recipient.address',
      'Indirizzo di consegna',
      'Indirizzo di spedizione',
      'Indirizzo destinatario',
      'Indirizzo spedizione',
      'Indirizzo consegna',
      both('Shipping address 1', 'Shipping address 2', ', '),
      both('Indirizzo 1', 'Indirizzo 2', ', '),
      both('Indirizzo', 'Civico'),
      'Delivery address',
      'Shipping address',
      both('Address 1', 'Address 2', ', '),
      'Address',
      'Street',
      'Via',
    ],
  },
  'recipient.postalCode': {
    label: 'CAP',
    is: 'text',
    description:
      'Postal code, required where the country has postal codes. One that a workbook holds as a number gets its zeros back.',
    names: [
      'recipient.postalCode',
      ...shipped('CAP', 'ZIP', 'postcode', 'postal code'),
      'CAP',
      'Codice postale',
      'Postal code',
      'Postcode',
      'ZIP code',
      'ZIP',
    ],
  },
  'recipient.city': {
    label: 'Città',
    is: 'text',
    description: 'City.',
    names: ['recipient.city', ...shipped('Città', 'city'), 'Città', 'Comune', 'Località', 'City', 'Town'],
  },
  'recipient.province': {
    label: 'Provincia',
    is: 'text',
    description: 'Province.',
    names: [
      'recipient.province',
      ...shipped('Provincia', 'province', 'state'),
      'Provincia',
      'Sigla provincia',
      'Prov.',
      'Province',
      'State',
    ],
  },
  'recipient.countryCode': {
    label: 'Nazione',
    is: 'country',
    description:
      'ISO 3166-1 code of two or three letters, or an everyday name in any language of Europe, such as Olanda or UK. Italy without it.',
    names: [
      'recipient.countryCode',
      ...shipped('Nazione', 'country'),
      ...shipped('Paese'),
      'Nazione',
      'Paese',
      'Codice paese',
      'Country code',
      'Country',
      'Country name',
      'Country/Region',
    ],
  },
  'recipient.fullAddress': {
    is: 'address',
    description: 'Street, city, province and postal code in one cell, with commas between them.',
    names: ['recipient.fullAddress'],
  },
  'recipient.type': {
    is: 'recipientType',
    description: 'What the recipient is: `business`, `azienda` or `B2B`; `private`, `privato` or `B2C`.',
    names: ['recipient.type', 'Tipo destinatario', 'Tipo cliente', 'Recipient type', 'Customer type'],
  },
  'recipient.email': {
    is: 'text',
    description: 'Stored separately. No query returns it.',
    names: ['recipient.email', 'E-mail', 'E-mail destinatario', 'Indirizzo e-mail', 'Email address'],
  },
  'recipient.telephone': {
    is: 'text',
    description: 'Stored separately. No query returns it.',
    names: [
      'recipient.telephone',
      'Telefono',
      'Cellulare',
      'Tel.',
      'Telefono destinatario',
      'Phone',
      'Telephone',
      'Mobile',
    ],
  },
  parcels: {
    is: 'json',
    description: 'All parcels as a JSON array, for programs.',
    names: ['parcels'],
  },
  'parcel.weight': {
    is: 'kg',
    description: 'Weight of each parcel, kilograms without a unit; the cell or the header may have g, lb or oz.',
    names: [
      'parcel.weight',
      'Peso collo',
      'Peso collo (kg)',
      'Peso',
      'Peso (kg)',
      'Weight',
      'Weight (kg)',
      'Weight (lb)',
      'Weight (lbs)',
      'Weight (oz)',
      'Peso (lb)',
      'Parcel weight',
    ],
  },
  'parcel.grams': {
    is: 'grams',
    description: 'Weight of each parcel, whole grams.',
    names: ['parcel.grams', 'Peso (g)', 'Peso (gr)', 'Peso in grammi', 'Weight (g)', 'Grams'],
  },
  'parcel.totalWeight': {
    is: 'kg',
    description: 'Weight of all parcels of the row together, kilograms.',
    names: ['parcel.totalWeight', 'Peso totale', 'Peso totale (kg)', 'Total weight', 'Total weight (kg)'],
  },
  'order.totalWeight': {
    is: 'kg',
    description:
      'Weight of the whole order, kilograms, the same in all of its rows; 0 is none. It makes one parcel, unless rows have weights.',
    names: ['order.totalWeight', 'Peso ordine', 'Peso ordine (kg)', 'Order weight', 'Order weight (kg)'],
  },
  'parcel.length': {
    is: 'cm',
    description: 'Length, centimetres without a unit; the cell or the header may have mm, m or in.',
    names: ['parcel.length', ...measured('Lunghezza', 'Length')],
  },
  'parcel.width': {
    is: 'cm',
    description: 'Width, centimetres.',
    names: ['parcel.width', ...measured('Larghezza', 'Profondità', 'Width')],
  },
  'parcel.height': {
    is: 'cm',
    description: 'Height, centimetres.',
    names: ['parcel.height', ...measured('Altezza', 'Height')],
  },
  'parcel.size': {
    is: 'size',
    description: 'The three sides in one cell, centimetres without a unit: `40x30x20`, `40/30/20`, `400x300x200 mm`.',
    names: ['parcel.size', ...measured('Dimensioni', 'Misure', 'Dimensions'), 'Size'],
  },
  'parcel.quantity': {
    is: 'count',
    description: 'How many parcels of this kind; 1 without it. It is read beside a weight alone.',
    names: [
      'parcel.quantity',
      'Numero colli',
      'N. colli',
      'Nr. colli',
      'Colli',
      'Quantità',
      'Qtà',
      'Number of parcels',
      'Packages',
      'Quantity',
      'Qty',
    ],
  },
  codAmount: {
    is: 'money',
    description: 'Cash on delivery, EUR. 0 is none.',
    names: [
      'codAmount',
      'Contrassegno',
      'Importo contrassegno',
      'Importo C/A',
      'C/A',
      'COD amount',
      'Cash on delivery',
      'COD',
    ],
  },
  'order.currency': {
    is: 'text',
    description: 'Currency of the amounts of the row. Another one than EUR is a problem of an amount.',
    names: [
      'order.currency',
      'Valuta',
      'Divisa',
      'Codice valuta',
      'Currency',
      'Currency code',
      'Währung',
      'Devise',
      'Moneda',
    ],
  },
  insuranceAmount: {
    is: 'money',
    description: 'Insured value, EUR.',
    names: [
      'insuranceAmount',
      'Valore assicurato',
      'Importo assicurato',
      'Assicurazione',
      'Insured value',
      'Insurance amount',
      'Insurance',
    ],
  },
  service: {
    is: 'text',
    description: 'Code of the service, as tariffs name it.',
    names: ['service', 'Servizio'],
  },
  goodsValue: {
    is: 'money',
    description: 'What the goods are worth, EUR, for customs.',
    names: ['goodsValue', 'Valore merce', 'Valore della merce', 'Goods value'],
  },
} as const satisfies Readonly<Record<string, OrderColumn>>;

/** The name of a column for people. */
export function labelOf(field: OrderField): string {
  const { names, label }: OrderColumn = ORDER_COLUMNS[field];
  const [, second] = [names].flat();
  return label ?? (typeof second === 'string' ? second : field);
}

export type OrderField = keyof typeof ORDER_COLUMNS;

export const ORDER_FIELDS = Object.keys(ORDER_COLUMNS) as readonly OrderField[];

/** Columns of shops that name the payment, and not an amount to collect. */
export const CASH_PAYMENT = 'cashOnDelivery.payment';
export const CASH_AMOUNT = 'cashOnDelivery.amount';
