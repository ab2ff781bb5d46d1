import { decimal, inputObject, WEIGHT_KG } from '../common/fields.input.ts';
import { recordId } from '../common/record-id.input.ts';
import { countryOrItaly, postalCode } from '../places/places.input.ts';
import { postalCodeIssues } from '../places/recipient.rules.ts';

const estimateDestinationInput = inputObject(
  'DeliveryEstimateDestinationInput',
  'Where a parcel would go.',
  {
    country: countryOrItaly().describe('ISO 3166-1 alpha-2 country code, in either case.'),
    postalCode: postalCode().describe("Postal code, in the form of its country's."),
  },
  sent => postalCodeIssues(['postalCode'], sent.country, sent.postalCode),
);

/** A parcel that is not shipped yet. */
export const deliveryEstimateInput = inputObject('DeliveryEstimateInput', 'A parcel that would be shipped now.', {
  carrierConnectionId: recordId('CarrierConnection').describe('The carrier connection that it would be shipped on.'),
  destination: estimateDestinationInput.describe('Where it would go.'),
  weight: decimal(WEIGHT_KG).nullish().describe('Kilograms; at most three decimals.'),
});
