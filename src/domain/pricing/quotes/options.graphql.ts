import { builder } from '../../../graphql/builder.ts';
import { QUOTE } from '../../../graphql/costs.ts';
import { CarrierConnectionRef } from '../../shipping/carriers/carriers.graphql.ts';
import type { OfferedOption, OfferedServiceLevel } from '../tariffs/engine/options.rules.ts';
import { WORDS } from '../tariffs/explanation-words.rules.ts';
import { LANGUAGE_ARG } from '../tariffs/language.graphql.ts';
import { connectionOptions, connectionServices } from './options.service.ts';

const CarrierOption = builder.objectRef<OfferedOption>('CarrierOption').implement({
  description: 'An option that a connection offers. To ask for it, put its code into `options` of a quote.',
  fields: t => ({
    ...t.columns('String', { code: "The option's code.", description: 'The description in Italian.' }),
    pricing: t.string({
      description: 'How it is priced, in words, in EUR before VAT.',
      args: LANGUAGE_ARG,
      resolve: ({ pricing }, { language }) => pricing(WORDS[language]),
    }),
    ...t.columns('Boolean', {
      calculated: 'Whether the price is calculated from a weight, a value or a percentage. False for a fixed amount.',
      isConditional: 'Whether it is offered for some shipments only, depending on zone, place, weight or size.',
    }),
  }),
});

const CarrierService = builder.objectRef<OfferedServiceLevel>('CarrierService').implement({
  description: 'A service of a connection, such as express. To ask for it, put its code into `service` of `terms`.',
  fields: t => ({
    ...t.columns('String', { code: "The service's code.", name: 'Its name.' }),
    ...t.nullableColumns('Int', {
      deliveryDays: 'Estimated days to delivery, where the zone states none. Null if the service states none either.',
    }),
    isConditional: t.exposeBoolean('isConditional', {
      description: 'Whether it is offered for some shipments only, depending on zone, place, weight or size.',
    }),
  }),
});

builder.objectField(CarrierConnectionRef, 'services', t =>
  t.field({
    type: [CarrierService],
    description:
      'The services of the tariff that is in force today, in its order. Empty if the tariff has none, or if the connection is not active or has no tariff in force.',
    authScopes: { scope: 'shipments:quote' },
    complexity: QUOTE,
    resolve: ({ id }, _args, { tenant, tariffs }) => connectionServices(tenant, tariffs, id),
  }),
);

builder.objectField(CarrierConnectionRef, 'options', t =>
  t.field({
    type: [CarrierOption],
    description:
      'The options of the tariff that is in force today, by code. Empty if the connection is not active or has no tariff in force.',
    authScopes: { scope: 'shipments:quote' },
    complexity: QUOTE,
    resolve: ({ id }, _args, { tenant, tariffs }) => connectionOptions(tenant, tariffs, id),
  }),
);
