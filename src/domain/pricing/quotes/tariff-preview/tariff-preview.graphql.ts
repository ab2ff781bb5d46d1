import { builder } from '../../../../graphql/builder.ts';
import { TARIFF_DOCUMENT } from '../../../../graphql/costs.ts';
import { TariffDiffRef } from '../../tariffs/revisions/tariff-diff.graphql.ts';
import { type PreviewedPrice, pricesOfDiff, type TariffPrices } from './tariff-preview.service.ts';

const PreviewedPriceRef = builder.objectRef<PreviewedPrice>('TariffPricePreview').implement({
  description: 'What a shipment costs by a tariff and by the one that replaces it.',
  fields: t => ({
    ...t.columns('String', { shipment: 'A sample parcel, or an order of the company.', to: 'Where it goes.' }),
    ...t.nullableColumns('Money', {
      before:
        'EUR before VAT. Null if the tariff does not apply, or if the price depends on a province that the order does not name.',
      after:
        'EUR before VAT. Null if the tariff does not apply, or if the price depends on a province that the order does not name.',
    }),
  }),
});

const TariffPricesRef = builder.objectRef<TariffPrices>('TariffPrices').implement({
  description: 'Prices of some shipments on one day.',
  fields: t => ({
    ...t.columns('Date', { date: 'The day: today in Italy, or the first day of the newest version if that is later.' }),
    prices: t.value(
      [PreviewedPriceRef],
      'The prices of parcels of 1, 10 and 30 kg to Milan, Palermo and Berlin, and of the five newest orders.',
      ({ prices }) => prices,
    ),
  }),
});

builder.objectField(TariffDiffRef, 'samplePrices', t =>
  t.field({
    type: TariffPricesRef,
    nullable: true,
    description: 'What some shipments cost before and after. Null if nothing is replaced.',
    complexity: TARIFF_DOCUMENT,
    resolve: diff => pricesOfDiff(diff),
  }),
);
