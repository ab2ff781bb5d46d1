import { builder } from '../../../graphql/builder.ts';
import { enumType } from '../../../graphql/enum-type.ts';
import { countryNameIt } from './places.rules.ts';
import { isAnonymized, type Recipient } from './recipient.rules.ts';

export const RecipientTypeEnum = enumType('RecipientType', {
  description: 'What a recipient is.',
  values: {
    business: { description: 'A company, a shop or an office.' },
    private: { description: 'A person at home.' },
  } as const,
});

export const RecipientRef = builder.objectRef<Recipient>('Recipient').implement({
  description: 'The recipient of a parcel. E-mail and telephone are never shown.',
  fields: t => ({
    companyName: t.exposeString('companyName', { nullable: true, description: 'Name of the person or company.' }),
    address: t.exposeString('address', { description: 'Street and house number.' }),
    postalCode: t.exposeString('postalCode', {
      description: 'Postal code, in the form of its country; empty where the recipient has none.',
    }),
    city: t.exposeString('city', { description: 'City.' }),
    province: t.exposeString('province', { nullable: true, description: 'Province.' }),
    country: t.string({
      description: 'Full name of the country, in Italian.',
      resolve: ({ countryCode }) => countryNameIt(countryCode),
    }),
    countryCode: t.exposeString('countryCode', { description: 'ISO 3166-1 alpha-2 country code.' }),
    type: t.field({
      type: RecipientTypeEnum,
      nullable: true,
      description: 'Whether it is a business or a private person; null if it is not stated.',
      resolve: ({ type = null }) => type,
    }),
    isAnonymized: t.boolean({
      description:
        'Whether name, street and city were removed, because the recipient was kept for long enough. Postal code, province and country stay.',
      resolve: isAnonymized,
    }),
  }),
});
