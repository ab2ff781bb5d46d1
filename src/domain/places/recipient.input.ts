import type { z } from 'zod';
import { inputObject, optionalText, text } from '../common/fields.input.ts';
import { countryOrItaly, postalCode } from './places.input.ts';
import { type Contact, postalCodeIssues, type Recipient } from './recipient.rules.ts';

/** The recipient of a parcel in an input. */
export const recipientInput = inputObject(
  'RecipientInput',
  'The recipient of a parcel.',
  {
    companyName: optionalText().describe('Name of the person or company.'),
    address: text().describe('Street and house number.'),
    postalCode: postalCode().describe("Postal code, in the form of its country's."),
    city: text().describe('City.'),
    province: optionalText().describe('Province.'),
    countryCode: countryOrItaly().describe('ISO 3166-1 alpha-2 country code, in either case.'),
    email: optionalText(320).describe('Stored separately. No query returns it.'),
    telephone: optionalText(50).describe('Stored separately. No query returns it.'),
  },
  sent => postalCodeIssues(['postalCode'], sent.countryCode, sent.postalCode),
);

/** The visible part of a recipient, and the contact that is stored separately. */
export function recipientParts(input: z.output<typeof recipientInput>): { recipient: Recipient; contact: Contact } {
  const { companyName = null, province = null, email = null, telephone = null, ...others } = input;
  return { recipient: { companyName, province, ...others }, contact: { email, telephone } };
}
