import { builder } from '../../graphql/builder.ts';
import type { RequestContext } from '../../graphql/context.ts';
import { CARRIER_CODES, carrierOf } from './carriers.catalog.ts';
import type { ConnectionRow } from './carriers.repository.ts';
import { carrierConnections, connectCarrier, connectionsWithIds } from './carriers.service.ts';

const Capability = builder.enumType('CarrierCapability', {
  description: 'What the service can do through a carrier.',
  values: {
    quote: { description: 'Price shipments.' },
    tracking: { description: 'Follow shipments.' },
    address_check: { description: 'Verify delivery addresses.' },
    cod: { description: 'Cash on delivery.' },
    insurance: { description: 'Insure shipments.' },
  } as const,
});
const VerificationType = builder.enumType('VerificationType', {
  description: 'How a carrier verifies an address.',
  values: {
    street_registry: { description: 'Against a registry of streets.' },
    routing: { description: 'By routing the parcel: postal code, city and province, not the street.' },
    postal_validation: { description: 'Postal code and city against a postal database.' },
    transit_time: { description: 'By asking for transit times to the place.' },
    none: { description: 'Not at all.' },
  } as const,
});
const CountryScope = builder.enumType('CountryScope', {
  description: "Which countries a carrier's verification covers.",
  values: {
    domestic_it: { description: 'Italy only.' },
    international: { description: 'Italy and abroad.' },
    any: { description: 'Carriers without verification.' },
  } as const,
});

function logoUrl(code: string, { publicUrl }: RequestContext): string {
  return `${publicUrl}/logos/${code.toLowerCase()}.svg`;
}

/** A carrier of the platform, by its code. */
export const CarrierRef = builder.objectRef<string>('Carrier').implement({
  description: 'A carrier of the platform.',
  fields: t => ({
    code: t.string({ description: 'Short carrier code of the platform.', resolve: code => code }),
    name: t.string({ description: 'Commercial name.', resolve: code => carrierOf(code).name }),
    logoUrl: t.string({
      description: "Address of a badge with the carrier's name (SVG).",
      resolve: (code, _args, context) => logoUrl(code, context),
    }),
  }),
});

export const CarrierConnectionRef = builder.loadableObjectRef<ConnectionRow, number>('CarrierConnection', {
  load: (ids, { tenant }) => connectionsWithIds(tenant, ids),
  sort: row => row.id,
});

CarrierConnectionRef.implement({
  description: "An account of the company's at a carrier. Credentials and tariffs are never shown.",
  fields: t => ({
    carrierCompanyId: t.exposeInt('id', { description: 'Identifier of the connection.' }),
    carrierCode: t.exposeString('carrierCode', { description: 'Short carrier code of the platform.' }),
    carrierName: t.string({
      description: 'Commercial name.',
      resolve: ({ carrierCode }) => carrierOf(carrierCode).name,
    }),
    label: t.exposeString('label', { description: "The company's own name for the account." }),
    logoUrl: t.string({
      description: "Address of a badge with the carrier's name (SVG).",
      resolve: ({ carrierCode }, _args, context) => logoUrl(carrierCode, context),
    }),
    isActive: t.exposeBoolean('isActive', { description: 'Whether the connection is used.' }),
    capabilities: t.field({
      type: [Capability],
      description: 'What the service can do through this carrier.',
      resolve: ({ carrierCode }) => carrierOf(carrierCode).capabilities,
    }),
    verificationType: t.field({
      type: VerificationType,
      description: 'How the carrier verifies an address.',
      resolve: ({ carrierCode }) => carrierOf(carrierCode).verificationType,
    }),
    countryScope: t.field({
      type: CountryScope,
      description: 'Which countries its verification covers.',
      resolve: ({ carrierCode }) => carrierOf(carrierCode).countryScope,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Creation time.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Last update time.' }),
  }),
});

const ConnectCarrierInput = builder.inputType('ConnectCarrierInput', {
  description: 'A new connection to a carrier.',
  fields: t => ({
    carrierCode: t.string({ required: true, description: `One of ${CARRIER_CODES.join(', ')}, in either case.` }),
    label: t.string({ required: true, description: "The company's own name for the account, 1–200 characters." }),
    isActive: t.boolean({ defaultValue: true, description: 'Whether the connection is used.' }),
  }),
});

builder.queryField('carriers', t =>
  t.field({
    type: [CarrierConnectionRef],
    description: "The company's carrier connections, by ascending id.",
    authScopes: { scope: 'carriers:read' },
    resolve: (_root, _args, { tenant }) => carrierConnections(tenant),
  }),
);

builder.mutationField('connectCarrier', t =>
  t.field({
    type: CarrierConnectionRef,
    description: 'Connects an account at a carrier; a company may have several at one.',
    authScopes: { scope: 'carriers:manage' },
    args: { input: t.arg({ type: ConnectCarrierInput, required: true, description: 'The connection.' }) },
    resolve: async (_root, { input }, { tenant, tariffs }) => {
      const connected = await connectCarrier(tenant, input);
      tariffs.forget(tenant.companyId);
      return connected;
    },
  }),
);
