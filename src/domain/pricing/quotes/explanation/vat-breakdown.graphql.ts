import { builder } from '../../../../graphql/builder.ts';
import type { VatShare } from '../../tariffs/engine/quote.rules.ts';

export const VAT_BREAKDOWN =
  'The VAT by rate, the rate of the base price first. The amounts add up to `vatAmount`, and the taxable sums to `totalPrice`.';

export const VatShareRef = builder.objectRef<VatShare>('QuoteVat').implement({
  description: 'The VAT of all lines with one rate.',
  fields: t => ({
    rate: t.expose('rate', { type: 'Decimal', description: 'VAT, percent.' }),
    ...t.columns('Money', { taxable: 'Sum of the lines, EUR. Discounts can make it negative.' }),
    amount: t.expose('amount', { type: 'Money', description: 'VAT on `taxable`, EUR, rounded half up to the cent.' }),
  }),
});
