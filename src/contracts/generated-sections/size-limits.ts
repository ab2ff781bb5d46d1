import { MAX_BATCH } from '../../domain/common/batch.rules.ts';
import { MAX_PARCEL_KINDS, MAX_PARCELS } from '../../domain/orders/orders.rules.ts';
import { MAX_DEPTH } from '../../graphql/limits.ts';
import { MAX_JSON_DEPTH } from '../../graphql/scalars.ts';
import { MAX_BODY_BYTES as MAX_GRAPHQL_BYTES } from '../../http/graphql-route.ts';
import { MAX_BODY_BYTES } from '../../http/guards/body.ts';
import { MAX_URL_LENGTH } from '../../platform/outbound/outbound-url.ts';
import { SETTINGS } from '../../service-settings.ts';
import { code, count, table } from './markdown.ts';

/** How large requests and their parts may be. */
export function sizeLimits(): string {
  return table(
    ['What', 'At most'],
    [
      ['Body of a REST request', `${MAX_BODY_BYTES / 1024} KiB of JSON, ${MAX_JSON_DEPTH} levels deep`],
      ['Body of a GraphQL request', `${MAX_GRAPHQL_BYTES / 1024 / 1024} MiB`],
      ['Parcels of a quote', `${count(MAX_PARCEL_KINDS)} kinds, ${count(MAX_PARCELS)} parcels`],
      ['Items of a batch', count(MAX_BATCH)],
      ['URLs', `${count(MAX_URL_LENGTH)} characters`],
    ],
  );
}

export function graphqlLimits(): string {
  const { GRAPHQL_MAX_COST, GRAPHQL_TIMEOUT_SECONDS } = SETTINGS.parse({});
  return table(
    ['Limit', 'Value', 'Error'],
    [
      ['Nesting of fields', String(MAX_DEPTH), code('graphql_too_deep')],
      ['Cost of a document before it runs', `${count(GRAPHQL_MAX_COST)} by default`, code('graphql_too_complex')],
      ['Cost of a document while it runs', `${count(GRAPHQL_MAX_COST)} by default`, code('request_too_expensive')],
      ['Time', `${GRAPHQL_TIMEOUT_SECONDS} seconds by default`, code('graphql_timeout')],
    ],
  );
}
