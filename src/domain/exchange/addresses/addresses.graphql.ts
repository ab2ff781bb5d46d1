import { builder } from '../../../graphql/builder.ts';
import { CARRIER_CALL, CARRIER_CALL_WORK } from '../../../graphql/costs.ts';
import { enumType } from '../../../graphql/enum-type.ts';
import { rawInputType } from '../../../graphql/input-type.ts';
import { query } from '../../../graphql/query.ts';
import { registerBody } from '../../../graphql/rest-bodies.ts';
import { readInput } from '../../../platform/input.ts';
import { CarrierCodeRef, CountryScope, VerificationType } from '../../shipping/carriers/carriers.graphql.ts';
import { addressCheckBody, addressCheckInput } from './address-check.input.ts';
import { checkAddress } from './address-check.service.ts';
import type { AddressCheckCode, AddressCheckResult, AddressCheckStatus, Suggestion } from './address-verdict.rules.ts';

const Status = enumType<AddressCheckStatus>(
  'AddressCheckStatus',
  'Groups the outcomes of an address check, for programs that decide whether a user may continue.',
  {
    success: 'The address is valid.',
    warning: 'A correction is suggested, or the address was not found.',
    error: 'The address is invalid, or the check failed.',
    skipped: 'The address was not checked: it is a foreign address, or the carrier cannot be reached.',
    unsupported: 'The carrier has no interface for address checks.',
  },
);

const Code = enumType<AddressCheckCode>('AddressCheckCode', 'The outcome of an address check.', {
  ADDRESS_VALID: 'The carrier knows the address as it was sent, as far as it compares addresses: see the message.',
  ADDRESS_NORMALIZED: 'The carrier has the address in another form, or has several that match: see the suggestions.',
  ADDRESS_NOT_FOUND: 'The carrier does not know the address.',
  ADDRESS_INVALID: 'The carrier says that this is not a valid address.',
  VERIFICATION_SKIPPED_FOREIGN: 'The carrier checks Italian addresses only.',
  VERIFICATION_SKIPPED_UNSUPPORTED: 'The carrier offers no check.',
  VERIFICATION_ERROR: 'The connection has no credentials, the carrier rejects them, or its response cannot be read.',
  CARRIER_UNAVAILABLE: 'The carrier cannot be reached at the moment, or the connection is not active.',
});

const SuggestionRef = builder.objectRef<Suggestion>('AddressSuggestion').implement({
  description:
    'An address as the carrier has it. A field is null if the carrier does not give it. Carriers without a registry of streets know places by postal code only. Then the street is the one you sent, and so are the city and the postal code if the carrier names none.',
  fields: t => {
    const text = (description: string) => ({ nullable: true, description }) as const;
    return {
      streetLine1: t.exposeString('streetLine1', text('Street and house number.')),
      streetLine2: t.exposeString('streetLine2', text('A second line of the street address, such as a hamlet.')),
      city: t.exposeString('city', text('Municipality.')),
      zip: t.exposeString('zip', text('Postal code.')),
      province: t.exposeString('province', text('Province or state.')),
      country: t.exposeString('country', text('ISO 3166-1 alpha-2 country code.')),
      transitTimeHours: t.exposeInt('transitTimeHours', {
        nullable: true,
        description: 'Hours that a parcel takes to this address, according to the carrier.',
      }),
    };
  },
});

const ResultRef = builder.objectRef<AddressCheckResult>('AddressCheckResult').implement({
  description: 'What a carrier says about a delivery address, in a form that is the same for all carriers.',
  fields: t => ({
    status: t.expose('status', { type: Status, description: 'The group of the outcome.' }),
    code: t.expose('code', { type: Code, description: 'The outcome. Use this value in your program.' }),
    message: t.exposeString('message', {
      description:
        'The outcome in Italian, with the name of the carrier. For a valid address at a carrier without a registry of streets it says what was compared.',
    }),
    ...t.columns(CarrierCodeRef, { carrierCode: 'Short carrier code of the platform.' }),
    carrierName: t.exposeString('carrierName', { description: 'Commercial name.' }),
    ...t.columns(VerificationType, { verificationType: 'How the carrier verifies addresses.' }),
    ...t.columns(CountryScope, { countryScope: 'The countries that the verification covers.' }),
    ...t.columns([SuggestionRef], {
      suggestions:
        'Corrections or alternatives. For a valid address: the address as the carrier has it, if the carrier returns a street or a transit time. Empty if the address was not found, is invalid or was not checked, and on errors.',
    }),
  }),
});

registerBody('AddressCheckInput', {
  schema: addressCheckBody,
  toInput: ({ carrierCompanyId, ...others }) => ({ ...others, carrierConnectionId: carrierCompanyId }),
  placeOf: ([name = '', ...inner]) => [name === 'carrierConnectionId' ? 'carrierCompanyId' : name, ...inner],
});

query('checkAddress', {
  type: ResultRef,
  nullable: true,
  description: 'Verifies and normalizes a delivery address through a carrier of the company.',
  authScopes: { scope: 'addresses:check' },
  args: builder.args(t => ({
    input: t.field({ type: rawInputType(addressCheckInput), required: true, description: 'The address.' }),
  })),
  complexity: CARRIER_CALL,
  extensions: { work: CARRIER_CALL_WORK },
  resolve: (_root, { input }, { tenant, carriers, place, jobs, metrics }) => {
    const address = readInput(addressCheckInput, input);
    return place.outside(() => checkAddress(tenant, carriers, address, { jobs, metrics }));
  },
});
