import { inputObject } from '../../common/fields.input.ts';
import { quoteInput } from '../quotes/quote.input.ts';
import { quoteTermsInput } from '../quotes/quote-terms.input.ts';

export const saveQuoteInput = inputObject('SaveQuoteInput', 'A quote to save.', {
  quote: quoteInput.describe('The shipment, as `quoteShipment` takes it.'),
  terms: quoteTermsInput.nullish().describe('What else prices can depend on.'),
});
