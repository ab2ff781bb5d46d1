import type { z } from 'zod';
import type { Issue } from '../../../platform/fault.ts';
import { identifier, inputObject, isGiven, optionalText, street, text } from '../../common/fields.input.ts';
import { provinceCode } from '../../common/places/italy.rules.ts';
import { countryOrItaly, postalCode } from '../../common/places/places.input.ts';
import { countryOfPlace } from '../../common/places/places.rules.ts';
import { needsPostalCode, postalCodeIssue, readPostalCode } from '../../common/places/postal-codes.rules.ts';
import { recordId } from '../../common/record-id.input.ts';
import type { AskedAddress } from '../../shipping/carriers/carrier.port.ts';

const ABOUT = 'A delivery address, and the connection that checks it. The service does not store street and city.';

const ADDRESS = {
  provincia: optionalText().describe('Abbreviation or name of the province; required in Italy.'),
  city: text().describe('Municipality.'),
  address: street().describe('Street and house number.'),
  // The format is not checked: the carrier decides whether it is a postal code, and ADDRESS_INVALID or a suggestion
  // says more than an error.
  zip: postalCode().describe('Postal code. Required where the country has postal codes.'),
  country: countryOrItaly().describe(
    'ISO 3166-1 alpha-2 country code, in either case. 47890 to 47899 are San Marino, and 00120 is the Vatican, whatever is given.',
  ),
};

/** A delivery address that is to be checked, as the graph takes it. */
export const addressCheckInput = inputObject(
  'AddressCheckInput',
  ABOUT,
  { carrierConnectionId: recordId('CarrierConnection').describe('The carrier connection that checks it.'), ...ADDRESS },
  zipIssues,
  provinceIssues,
);

/** A delivery address that is to be checked, as REST takes it. */
export const addressCheckBody = inputObject(
  'AddressCheckInput',
  ABOUT,
  {
    carrierCompanyId: identifier().describe('Identifier of the carrier connection, from the list of carriers.'),
    ...ADDRESS,
  },
  zipIssues,
  provinceIssues,
);

function zipIssues({ country, zip }: { readonly country?: string; readonly zip?: string }): readonly Issue[] {
  if (country === undefined || zip !== '' || !needsPostalCode(country)) return [];
  return [{ path: ['zip'], ...postalCodeIssue(country, zip) }];
}

function provinceIssues(fields: { readonly country?: string; readonly zip?: string }, sent: object): readonly Issue[] {
  const { country = '', zip = '' } = fields;
  if (countryOfPlace(country, readPostalCode(country, zip) ?? zip) !== 'IT' || isGiven('provincia', fields, sent))
    return [];
  const message = 'must be given for an address in Italy: the province, such as MI';
  return [{ path: ['provincia'], code: 'required', message }];
}

export type AddressCheckInput = z.output<typeof addressCheckInput>;

/** The address to check, without the origin of shipments. */
export type CheckedAddress = Omit<AskedAddress, 'origin'>;

/** The address for carriers, with the postal code in the form of its country if it is one: they know Italian provinces by abbreviation, and judge unknown ones themselves. */
export function askedAddress({ address, city, zip, provincia, ...written }: AddressCheckInput): CheckedAddress {
  const code = readPostalCode(written.country, zip) ?? zip;
  const country = countryOfPlace(written.country, code);
  const known = country === 'IT' && provincia != null ? provinceCode(provincia) : undefined;
  return { address, city, zip: code, country, provincia: known ?? provincia?.toUpperCase() ?? null };
}
