import { deepEqual, equal, ok } from 'node:assert/strict';
import { type Chapter, given, hasFields, isInvalid, isOneOf, isProblem } from './statement.ts';

const CARRIER = [
  ...['carrierCompanyId', 'carrierCode', 'carrierName', 'label', 'logoUrl', 'isActive'],
  ...['capabilities', 'verificationType', 'countryScope'],
];
const VERIFICATIONS = ['street_registry', 'routing', 'postal_validation', 'transit_time', 'none'];
const COUNTRY_SCOPES = ['domestic_it', 'international', 'any'];
const CHECK = [
  ...['status', 'code', 'message', 'carrierCode', 'carrierName', 'verificationType', 'countryScope', 'suggestions'],
];
const SUGGESTION = ['streetLine1', 'streetLine2', 'city', 'zip', 'country', 'province', 'transitTimeHours'];
const STATUS_OF: Readonly<Record<string, string>> = {
  ADDRESS_VALID: 'success',
  ADDRESS_NORMALIZED: 'warning',
  ADDRESS_NOT_FOUND: 'warning',
  ADDRESS_INVALID: 'error',
  VERIFICATION_SKIPPED_FOREIGN: 'skipped',
  VERIFICATION_SKIPPED_UNSUPPORTED: 'unsupported',
  VERIFICATION_ERROR: 'error',
  CARRIER_UNAVAILABLE: 'skipped',
};
const ADDRESS = { address: 'Via Roma 1', city: 'Roma', zip: '00185', provincia: 'RM', country: 'IT' };

export const carriers: Chapter = {
  title: 'Carriers and addresses',
  statements: [
    {
      id: 'A1',
      promise: '`GET /carriers` lists the connections by ascending `carrierCompanyId`, each with the nine fields.',
      source: 'decision',
      needs: ['platform'],
      holds: async ({ call, platform }) => {
        const id = await given(platform).connection();
        const { body } = await call('GET', '/carriers');
        const ids: number[] = body.map((carrier: { carrierCompanyId: number }) => carrier.carrierCompanyId);
        deepEqual(
          ids,
          ids.toSorted((a, b) => a - b),
        );
        ok(ids.includes(id), 'a new connection is not in the list');
        for (const carrier of body) {
          hasFields(carrier, CARRIER);
          isOneOf(carrier.verificationType, VERIFICATIONS);
          isOneOf(carrier.countryScope, COUNTRY_SCOPES);
          for (const capability of carrier.capabilities) {
            isOneOf(capability, ['quote', 'tracking', 'address_check', 'cod', 'insurance']);
          }
        }
      },
    },
    {
      id: 'A2',
      promise:
        'An address check needs `carrierCompanyId`, `address` and `city`, `zip` where the country has postal codes, and `provincia` for Italy.',
      source: 'decision',
      holds: async ({ call }) => {
        const check = (body: object) => call('POST', '/addresses/check-address', { body });
        isInvalid(await check({}), '/carrierCompanyId', '/address', '/city', '/zip', '/provincia');
        const { provincia: _, ...noProvince } = ADDRESS;
        isInvalid(await check({ carrierCompanyId: 1, ...noProvince }), '/provincia');
      },
    },
    {
      id: 'A3',
      promise: 'A connection that the company does not have is 404 `carrier_connection_not_found`.',
      source: 'decision',
      holds: async ({ call }) => {
        const body = { carrierCompanyId: 2_147_483_647, ...ADDRESS };
        isProblem(await call('POST', '/addresses/check-address', { body }), 404, 'carrier_connection_not_found');
      },
    },
    {
      id: 'A4',
      promise:
        'A check is 200 with the eight fields. `code` and `status` belong together, and suggestions have seven fields.',
      source: 'specification',
      needs: ['platform'],
      holds: async ({ call, platform }) => {
        const carrierCompanyId = await given(platform).connection();
        const { status, body } = await call('POST', '/addresses/check-address', {
          body: { carrierCompanyId, ...ADDRESS },
        });
        equal(status, 200, JSON.stringify(body));
        hasFields(body, CHECK);
        isOneOf(body.code, Object.keys(STATUS_OF));
        equal(body.status, STATUS_OF[body.code]);
        for (const suggestion of body.suggestions) hasFields(suggestion, SUGGESTION);
      },
    },
    {
      id: 'A5',
      promise:
        'A carrier of Italy alone is not asked about another country, San Marino or the Vatican: `VERIFICATION_SKIPPED_FOREIGN`.',
      source: 'decision',
      needs: ['platform'],
      holds: async ({ call, platform }) => {
        const carrierCompanyId = await given(platform).connection();
        const foreign = [
          { ...ADDRESS, country: 'DE', zip: '10115', city: 'Berlin' },
          { ...ADDRESS, country: 'SM', zip: '47890', city: 'San Marino' },
          { ...ADDRESS, country: 'VA', zip: '00120', city: 'Città del Vaticano' },
        ];
        for (const address of foreign) {
          const { body } = await call('POST', '/addresses/check-address', { body: { carrierCompanyId, ...address } });
          deepEqual(
            [body.status, body.code, body.suggestions],
            ['skipped', 'VERIFICATION_SKIPPED_FOREIGN', []],
            JSON.stringify(body),
          );
        }
      },
    },
  ],
};
