import { builder } from '../../../graphql/builder.ts';
import { enumType } from '../../../graphql/enum-type.ts';
import { countryNameIt } from './places.rules.ts';
import { isAnonymized, type Recipient } from './recipient.rules.ts';

export const RecipientTypeEnum = enumType('RecipientType', 'What a recipient is.', {
  business: 'A company, a shop or an office.',
  private: 'A person at home.',
});

export const RecipientRef = builder.objectRef<Recipient>('Recipient').implement({
  description: 'The recipient of a parcel. E-mail and telephone are never shown.',
  fields: t => ({
    ...t.nullableColumns('String', { companyName: 'Name of the person or company.', province: 'Province.' }),
    address: t.exposeString('address', { description: 'Street and house number.' }),
    postalCode: t.exposeString('postalCode', {
      description: 'Postal code, in the form of its country; empty where the recipient has none.',
    }),
    city: t.exposeString('city', { description: 'City.' }),
    country: t.string({
      description: 'Full name of the country, in Italian.',
      resolve: ({ countryCode }) => countryNameIt(countryCode),
    }),
    countryCode: t.exposeString('countryCode', { description: 'ISO 3166-1 alpha-2 country code.' }),
    type: t.nullable(
      RecipientTypeEnum,
      'Whether it is a business or a private person; null if it is not stated.',
      ({ type = null }) => type,
    ),
    isAnonymized: t.boolean({
      description:
        'Whether name, street and city were removed, because the recipient was kept for long enough. Postal code, province and country stay.',
      resolve: isAnonymized,
    }),
  }),
});
