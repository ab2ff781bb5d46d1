import { z } from 'zod';
import type { Environment } from '../../../platform/environment.ts';
import type { Issue } from '../../../platform/fault.ts';
import { urlIssue } from '../../../platform/outbound/outbound-url.ts';
import {
  add,
  enumOf,
  exactText,
  flag,
  inputObject,
  mustBe,
  named,
  patchObject,
  text,
} from '../../common/fields.input.ts';
import { credentialIssues, credentialNames, settingNames } from './account.rules.ts';
import { CARRIER_CODES, CARRIERS, type Carrier, type CredentialName, carrierByCode } from './carriers.catalog.ts';

const MAX_CREDENTIAL = 500;
/** By Login with Amazon's own limit. */
const MAX_REFRESH_TOKEN = 2_048;
/** As for every carrier's own address: https and a public address. */
const POLICY = { allowPrivate: [], allowHttp: false };
const LABEL = "The company's own name for the account, 1–200 characters.";
const BASE_URL =
  "The base address of a test system of the carrier, instead of the carrier's own: an https URL that leads to a public address.";

const credential = (what: string, name: CredentialName, max = MAX_CREDENTIAL) => {
  const carriers = CARRIERS.filter((carrier: Carrier) =>
    [...credentialNames(carrier), ...settingNames(carrier)].includes(name),
  ).map(carrier => carrier.name);
  return exactText(max)
    .nullish()
    .describe(`${what} (${carriers.join(', ')}).`);
};

const credentialsInput = inputObject(
  'CarrierCredentialsInput',
  'The credentials of an account at a carrier: all that the carrier asks for to track shipments, to check addresses, or both, with the settings of the account, and nothing else. They are stored encrypted.',
  {
    userId: credential('User of the account', 'userId'),
    username: credential('User name of the interface', 'username'),
    password: credential('Password', 'password'),
    depot: credential('Code of the depot that the contract is with', 'depot'),
    clientCode: credential('Code of the client', 'clientCode'),
    contractCode: credential('Code of the contract', 'contractCode'),
    clientId: credential('OAuth2 client id', 'clientId'),
    clientSecret: credential('OAuth2 client secret', 'clientSecret'),
    trackClientId: credential('OAuth2 client id of the project for tracking', 'trackClientId'),
    trackClientSecret: credential('OAuth2 client secret of the project for tracking', 'trackClientSecret'),
    scope: credential("Scope of the token, if it is not the carrier's usual one", 'scope'),
    tokenPrefix: credential('What stands before the token: `none`, the default, or `Bearer`', 'tokenPrefix'),
    refreshToken: credential(
      'OAuth2 refresh token, by which the owner of the account lets the client act',
      'refreshToken',
      MAX_REFRESH_TOKEN,
    ),
    region: credential('Country of the account, by the code that the carrier has for it; IT if left out', 'region'),
  },
);

export const connectCarrierInput = inputObject(
  'ConnectCarrierInput',
  'A new connection to a carrier.',
  {
    carrierCode: carrierCode().describe('Its carrier.'),
    label: text().describe(LABEL),
    isActive: flag()
      .nullable()
      .transform(value => value ?? true)
      .prefault(true)
      .describe('Whether the connection is used.'),
    environment: enumOf('CarrierEnvironment', ['live', 'sandbox'])
      .nullish()
      .describe('Where its account is. It follows from your key: `SANDBOX` of a sandbox key, `LIVE` of any other.'),
    baseUrl: baseUrl().nullish().describe(BASE_URL),
    credentials: credentialsInput
      .nullish()
      .describe(
        'Without credentials, the connection has quotes only: no address is checked and no shipment is followed, except with a carrier that asks for none.',
      ),
  },
  ({ carrierCode: code }, sent): readonly Issue[] => {
    const carrier = code === undefined ? undefined : carrierByCode(code);
    // The raw credentials, because an invalid one was given too.
    const { credentials } = sent as { credentials?: unknown };
    const isSent = typeof credentials === 'object' && credentials !== null;
    return carrier && isSent ? credentialIssues(carrier, credentials) : [];
  },
);

export const updateCarrierConnectionInput = patchObject(
  'UpdateCarrierConnectionInput',
  'Changes of a connection. A field that is left out stays as it is.',
  {
    label: text().describe(LABEL),
    isActive: flag().describe('Whether the connection is used.'),
    baseUrl: baseUrl().nullable().describe(`${BASE_URL} Null for its own address.`),
    credentials: credentialsInput
      .nullable()
      .describe('The new credentials, which replace all old ones. Null removes them.'),
  },
);

export type ConnectCarrierInput = z.input<typeof connectCarrierInput>;
export type NewConnection = z.output<typeof connectCarrierInput>;
export type ConnectionPatch = z.input<typeof updateCarrierConnectionInput>;

/** An account of the sandbox cannot have its own address. */
export function addresseeIssues(environment: Environment, hasBaseUrl: boolean): readonly Issue[] {
  if (environment !== 'sandbox' || !hasBaseUrl) return [];
  return [
    {
      path: ['baseUrl'],
      code: 'not_allowed',
      message: 'must be left out: accounts of the sandbox have no address of their own',
    },
  ];
}

/** A carrier's code, in either case. */
export function carrierCode() {
  const allowed = `one of ${CARRIER_CODES.join(', ')}`;
  const schema = z
    .string(mustBe(allowed))
    .overwrite(code => carrierByCode(code)?.code ?? code)
    .check(payload =>
      add(payload, carrierByCode(payload.value) ? undefined : { code: 'not_allowed', message: `must be ${allowed}` }),
    );
  return named('CarrierCode', schema);
}

/** Normalized, because a parser replaces some letters, and without a slash at its end. */
function baseUrl() {
  return z
    .string(mustBe('a string'))
    .overwrite(value => value.trim())
    .check(payload => add(payload, urlIssue(payload.value, POLICY) ?? queryIssue(payload.value)))
    .transform(value => (URL.canParse(value) ? new URL(value).href.replace(/(?<!\/)\/+$/, '') : value));
}

function queryIssue(value: string): Pick<Issue, 'code' | 'message'> | undefined {
  return /[?{}]/.test(value) ? { code: 'invalid_url', message: 'must not have a query or braces' } : undefined;
}
