import { builder } from '../../../../graphql/builder.ts';
import { enumType } from '../../../../graphql/enum-type.ts';
import { pointer } from '../../../../platform/fault.ts';
import { NUMBER_IN_REST, recordIdOfConnection } from '../../../shipping/carriers/carriers.graphql.ts';
import { warningCode } from '../../tariffs/exclusion.rules.ts';
import { exclusionMessage, WARNING_MESSAGES } from '../../tariffs/exclusion-words.rules.ts';
import { LANGUAGE_ARG } from '../../tariffs/language.graphql.ts';
import type { Notice } from '../price/shipment.rules.ts';
import type { Quotes } from '../quote.service.ts';
import type { ExcludedConnection } from '../quote-item.rules.ts';

const ExclusionCodeEnum = enumType('QuoteExclusionCode', 'Why a connection does not apply.', {
  DESTINATION_NOT_SERVED: 'The tariff does not serve the destination, or not from this warehouse.',
  WEIGHT_OUT_OF_RANGE: 'The shipment is heavier than the tariff allows.',
  DIMENSIONS_OUT_OF_RANGE: 'The parcels are larger or more than the tariff allows.',
  COD_NOT_SUPPORTED: 'The tariff has no cash on delivery, or none of this amount.',
  INSURANCE_NOT_SUPPORTED: 'The tariff has no insurance, or none of this value.',
  OPTION_NOT_SUPPORTED: 'An option, or the service that is asked for, is not offered, or not for this shipment.',
  PROVINCE_NEEDED: 'The postal code lies in several provinces, and the price depends on which. Give the province.',
  NO_TARIFF_IN_FORCE: 'The connection has no tariff on the day of shipment.',
});

const WarningCodeEnum = enumType(
  'QuoteWarningCode',
  'Why no connection applies: the reason that all of those with a tariff in force share, or `NO_CARRIER_AVAILABLE`.',
  {
    NO_CARRIERS_CONNECTED: 'The company has no active connection among those asked for.',
    NO_CARRIER_AVAILABLE: 'The connections have different reasons; see `details`.',
    DESTINATION_NOT_SERVED: 'No tariff serves the destination.',
    WEIGHT_OUT_OF_RANGE: 'The shipment is heavier than any tariff allows.',
    DIMENSIONS_OUT_OF_RANGE: 'The parcels are larger or more than any tariff allows.',
    COD_NOT_SUPPORTED: 'No cash on delivery of this amount.',
    INSURANCE_NOT_SUPPORTED: 'No insurance of this value.',
    OPTION_NOT_SUPPORTED: 'The options, or the service that is asked for, are not offered.',
    PROVINCE_NEEDED: 'The postal code lies in several provinces, and every price depends on which. Give the province.',
    NO_TARIFF_IN_FORCE: 'No connection has a tariff on the day of shipment.',
  },
);

export const QuoteExclusion = builder.objectRef<ExcludedConnection>('QuoteExclusion').implement({
  description: 'A connection that does not apply, and the rule of its tariff that says so.',
  fields: t => ({
    carrierConnectionId: t.id({
      description: 'Id of the carrier connection.',
      extensions: { openapi: { ...NUMBER_IN_REST, description: 'Identifier of the carrier connection.' } },
      resolve: ({ connection }) => recordIdOfConnection(connection.id),
    }),
    carrierName: t.value('String', 'Commercial name.', ({ connection }) => connection.carrierName),
    code: t.field({ type: ExclusionCodeEnum, description: 'Why.', resolve: ({ exclusion }) => exclusion.code }),
    message: t.string({
      description: 'Why, as a sentence.',
      args: LANGUAGE_ARG,
      resolve: ({ exclusion }, { language }) => exclusionMessage(exclusion.reason, language),
    }),
    version: t.string({
      nullable: true,
      description: 'Label of the version in force, if there is one.',
      resolve: ({ exclusion }) => exclusion.version?.label,
    }),
    rule: t.string({
      description:
        'RFC 6901 pointer to the rule in the tariff: for `PROVINCE_NEEDED`, a rule whose result depends on the province. Empty if the connection has no tariff.',
      resolve: ({ exclusion }) => pointer(exclusion.rule),
    }),
  }),
});

const NoticeCodeEnum = enumType('QuoteNoticeCode', 'What a notice is about. More values can be added.', {
  unknown_province: 'The province is not known, so the postal code is used.',
  carrier_connection_not_found: 'The company has no carrier connection with one of the numbers that you sent.',
  unknown_list: 'A draft or a revision names a list of places that its carrier does not have. It counts as empty.',
  unknown_index: 'A draft or a revision names an index that its carrier does not have. Its percentages count as 0.',
});

export const QuoteNotice = builder.objectRef<Notice>('QuoteNotice').implement({
  description: 'A notice about a request that was not rejected.',
  fields: t => ({
    code: t.expose('code', { type: NoticeCodeEnum, description: 'The subject.' }),
    pointer: t.string({
      description: 'RFC 6901 pointer to the field, from `input`. Empty for a notice about a tariff.',
      resolve: ({ path }) => pointer(path),
    }),
    message: t.string({
      description: 'The notice in words.',
      args: LANGUAGE_ARG,
      resolve: ({ message }, { language }) => message[language],
    }),
  }),
});

const warningCodeOf = ({ excluded }: Quotes) => warningCode(excluded.map(({ exclusion }) => exclusion.code));

export const QuoteWarning = builder.objectRef<Quotes>('QuoteWarning').implement({
  description: 'No connection applies, and why.',
  fields: t => ({
    warning: t.boolean({
      description: 'Always true. It distinguishes the warning from a list.',
      extensions: { openapi: { const: true } },
      resolve: () => true,
    }),
    code: t.field({
      type: WarningCodeEnum,
      description: 'The reason that all connections with a tariff in force share, or `NO_CARRIER_AVAILABLE`.',
      resolve: warningCodeOf,
    }),
    message: t.string({
      description: 'The reason as a sentence.',
      args: LANGUAGE_ARG,
      resolve: (quotes, { language }) => WARNING_MESSAGES[language][warningCodeOf(quotes)],
    }),
    details: t.field({
      type: [QuoteExclusion],
      description: 'Every connection with its reason, by ascending id.',
      resolve: ({ excluded }) => excluded,
    }),
    notices: t.value([QuoteNotice], 'Notices about the request.', ({ notices }) => notices),
  }),
});
