import { decimal, inputObject, WEIGHT_KG } from '../../common/fields.input.ts';
import { countryOrItaly, postalCode, readInCountry } from '../../common/places/places.input.ts';
import { recordId } from '../../common/record-id.input.ts';

const estimateDestinationInput = inputObject(
  'DeliveryEstimateDestinationInput',
  'Where a parcel would go.',
  {
    country: countryOrItaly().describe('ISO 3166-1 alpha-2 country code, in either case.'),
    postalCode: postalCode().describe(
      'Postal code, in any form that is written in its country. Required where the country has postal codes.',
    ),
  },
  sent => readInCountry(sent, sent.country),
);

/** A parcel that is not shipped yet. */
export const deliveryEstimateInput = inputObject('DeliveryEstimateInput', 'A parcel that would be shipped now.', {
  carrierConnectionId: recordId('CarrierConnection').describe('The carrier connection that it would be shipped on.'),
  destination: estimateDestinationInput.describe('Where it would go.'),
  weight: decimal(WEIGHT_KG).nullish().describe('Kilograms; at most three decimals.'),
});
