import { builder } from '../../../graphql/builder.ts';
import { enumType } from '../../../graphql/enum-type.ts';
import type { LANGUAGES } from './explanation-words.rules.ts';

const LanguageEnum = enumType<(typeof LANGUAGES)[number]>('Language', 'The language of a text that explains a price.', {
  it: 'Italian.',
  en: 'English.',
});

/** The argument of each text that a person reads. Names and descriptions of a tariff stay as they were written. */
export const LANGUAGE_ARG = builder.args(t => ({
  language: t.field({
    type: LanguageEnum,
    defaultValue: 'it',
    required: true,
    description: 'The language of the text.',
  }),
}));
