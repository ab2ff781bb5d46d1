import type { z } from 'zod';
import { enumOf, inputObject, optionalText, street, text } from '../fields.input.ts';
import { countryOrItaly, postalCode, readInCountry } from './places.input.ts';
import { type Contact, RECIPIENT_TYPES, type Recipient } from './recipient.rules.ts';

/** A business or a private person. */
export const recipientType = () => enumOf('RecipientType', RECIPIENT_TYPES);

/** The recipient of a parcel in an input. */
export const recipientInput = inputObject(
  'RecipientInput',
  'The recipient of a parcel.',
  {
    companyName: optionalText().describe('Name of the person or company.'),
    address: street().describe('Street and house number.'),
    postalCode: postalCode().describe(
      'Postal code, in any form that is written in its country. Required where the country has postal codes.',
    ),
    city: text().describe('City.'),
    province: optionalText().describe('Province.'),
    countryCode: countryOrItaly().describe('ISO 3166-1 alpha-2 country code, in either case.'),
    type: recipientType()
      .nullish()
      .describe('Whether it is a business or a private person, for tariffs with other prices for private recipients.'),
    email: optionalText(320).describe('Stored separately. No query returns it.'),
    telephone: optionalText(50).describe('Stored separately. No query returns it.'),
  },
  sent => readInCountry(sent, sent.countryCode),
);

/** The visible part of a recipient, and the contact that is stored separately. */
export function recipientParts(input: z.output<typeof recipientInput>): { recipient: Recipient; contact: Contact } {
  const { companyName = null, province = null, type, email = null, telephone = null, ...others } = input;
  // Left out rather than null, as it is stored, so that a recipient that is sent again has not changed.
  return { recipient: { companyName, province, ...others, ...(type && { type }) }, contact: { email, telephone } };
}
