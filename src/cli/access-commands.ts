import type { CommandRow } from './command-row.ts';

/** Keys, the audit trail, and the default parcel of a company. */

const KEY = '9f0c1a52-6d0b-4a5e-8f0e-0d9a4b7c1e33';

const Key = `fragment Key on CompanyApiKey {
  id label last4 scopes environment rates { reads quotes writes cost } createdAt expiresAt revokedAt lastUsedAt
}`;

const NAMES = { 'input.id': 'key', 'input.expiresAt': 'expires' };
const RATES = ['rate-reads', 'rate-quotes', 'rate-writes', 'rate-cost'];
const ONLY_COPY = 'This is the only copy of the key: keep it now, it is not shown again.';

const Parcel = 'defaultParcel { length width height weight }';

export const ACCESS_COMMANDS: readonly CommandRow[] = [
  {
    name: 'key create',
    purpose: 'issue a key and print it; it is shown this once',
    operation: `mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { apiKey key { ...Key } } } ${Key}`,
    names: NAMES,
    note: ONLY_COPY,
    examples: [
      '--label Platform --scopes all',
      '--label Shop --scopes shipments:quote --expires 2027-01-01',
      '--label Prove --scopes all --environment sandbox',
    ],
  },
  {
    name: 'key list',
    purpose: 'list the keys of a company, oldest first, without the keys themselves',
    operation: `query ($environment: ApiKeyEnvironment, $first: Int = 100, $after: String) {
      apiKeys(environment: $environment, first: $first, after: $after) { nodes { ...Key } pageInfo { hasNextPage endCursor } }
    } ${Key}`,
    examples: [''],
  },
  {
    name: 'key update',
    purpose: 'change the label or the rates of a key in every process within a second; none is the rate of the service',
    operation: `mutation ($input: UpdateApiKeyInput!) { updateApiKey(input: $input) { key { ...Key } } } ${Key}`,
    names: {
      ...NAMES,
      ...Object.fromEntries(RATES.map(rate => [`input.rates.${rate.replace('rate-', '')}`, rate])),
    },
    removable: RATES,
    examples: [`--key ${KEY} --rate-reads 12000`],
  },
  {
    name: 'key rotate',
    purpose: 'issue a key that replaces another one, and print it; the old one works until the overlap ends',
    operation: `mutation ($input: RotateApiKeyInput!) { rotateApiKey(input: $input) { apiKey key { ...Key } oldKey { ...Key } } } ${Key}`,
    names: NAMES,
    note: ONLY_COPY,
    examples: [`--key ${KEY} --overlap-hours 48`],
  },
  {
    name: 'key revoke',
    purpose: 'revoke a key for good; every process rejects it within a second',
    operation: `mutation ($input: RevokeApiKeyInput!) { revokeApiKey(input: $input) { key { ...Key } } } ${Key}`,
    names: NAMES,
    confirm: 'The key will be rejected for good.',
    examples: [`--key ${KEY}`],
  },
  {
    name: 'audit',
    purpose: 'print who changed keys, carriers, tariffs and webhook endpoints of a company, newest first',
    operation: `query ($actions: [AuditAction!], $first: Int = 50, $after: String) {
      auditLog(actions: $actions, first: $first, after: $after) {
        nodes { databaseId recordedAt action subject { type key } actor { kind apiKeyLabel apiKeyId } detail }
        pageInfo { hasNextPage endCursor }
      }
    }`,
    examples: ['', '--actions key_issued,key_revoked'],
  },
  {
    name: 'company default-parcel',
    purpose: 'print the parcel that quotes take where sides or a volume are missing',
    operation: `{ ${Parcel} }`,
    examples: [''],
  },
  {
    name: 'company set-default-parcel',
    purpose: 'set the parcel that quotes take where sides or a volume are missing, in centimetres and kilograms',
    operation: `mutation ($input: SetDefaultParcelInput!) { setDefaultParcel(input: $input) { ${Parcel} } }`,
    examples: ['--length 40 --width 30 --height 20 --weight 1.5'],
  },
  {
    name: 'company remove-default-parcel',
    purpose: 'have no default parcel',
    operation: `mutation { setDefaultParcel(input: { parcel: null }) { ${Parcel} } }`,
    examples: [''],
  },
];
