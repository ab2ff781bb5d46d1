import { defineEntity, type InferEntity, p, type RequiredEntityData } from '@mikro-orm/core';
import {
  creationTime,
  foreignKeys,
  ofCompany,
  ofUnitOfWork,
} from '../../../platform/database/tenancy/company-entity.ts';
import type { SavedPrice, SavedShipment } from './saved-quote.rules.ts';

/** A stored quote, from which its shipment can be priced again. */
export const SavedQuoteEntity = defineEntity({
  name: 'SavedQuote',
  tableName: 'saved_quote',
  ...ofCompany,
  properties: {
    id: p.integer().primary().autoincrement().generated('by default as identity'),
    companyId: p.uuid().primary().onCreate(ofUnitOfWork),
    carrierConnectionId: p.integer().name('carrier_connection_id'),
    tariffRevisionId: p.integer().nullable(),
    orderId: p.integer().nullable(),
    request: p.json<object>().check("jsonb_typeof(request) = 'object'"),
    shipment: p.json<SavedShipment>().check("jsonb_typeof(shipment) = 'object'"),
    price: p.json<SavedPrice>().check("jsonb_typeof(price) = 'object'"),
    createdAt: creationTime(),
  },
  ...foreignKeys(
    { columns: ['company_id', 'carrier_connection_id'], references: 'carrier_connection', onDelete: 'cascade' },
    { columns: ['company_id'], references: 'company' },
    { columns: ['company_id', 'tariff_revision_id'], references: 'carrier_tariff_revision' },
  ),
});

export type NewSavedQuote = Omit<RequiredEntityData<InferEntity<typeof SavedQuoteEntity>>, 'companyId'>;
