import { getNamedType, isLeafType } from 'graphql';
import { TOOLS } from '../../../src/http/mcp/tools.ts';
import { ENDPOINTS } from '../../../src/http/rest/endpoints.ts';
import { nameOf, requestFor, type Things } from '../../rest/examples.ts';
import { BASE } from '../../support/rest-client.ts';
import { documentOf, type Ids, KINDS, rootFields, validArguments } from './sdl.ts';

/** A request for one operation, without a key. */
export interface OperationRequest {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** It changes nothing and ends. */
  readonly isRead: boolean;
}

const JSON_BODY = { 'content-type': 'application/json' };

export function thingsOf(ids: Ids): Things {
  return {
    warehouseId: String(ids.warehouse),
    orderId: String(ids.order),
    carrierConnectionId: String(ids.connection),
    webhookId: ids.endpoint,
    trackingNumber: ids.trackingNumber,
    orderNumber: ids.marketplaceOrderNumber,
  };
}

/** Every operation: rows of the REST table, also by HEAD, root fields by POST and by GET, and tools of assistants. */
export function everyOperation(ids: Ids): OperationRequest[] {
  const rows = ENDPOINTS.flatMap(endpoint => {
    const { method, path, body } = requestFor(endpoint, thingsOf(ids));
    const isRead = method === 'GET';
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const row = { name: nameOf(endpoint), method, path: BASE + path, headers: body ? JSON_BODY : {}, ...sent, isRead };
    return isRead ? [row, { ...row, name: `HEAD ${endpoint.path}`, method: 'HEAD' }] : [row];
  });
  const fields = KINDS.flatMap(kind =>
    rootFields(kind).flatMap(field => {
      const selection = isLeafType(getNamedType(field.type)) ? '' : '{ __typename }';
      const request = documentOf(kind, field, validArguments(field, ids), selection);
      const stream: Record<string, string> = kind === 'subscription' ? { accept: 'text/event-stream' } : {};
      const headers = { ...JSON_BODY, ...stream };
      const body = JSON.stringify(request);
      const name = `${kind} ${field.name}`;
      const posted = { name, method: 'POST', path: '/graphql', headers, body, isRead: kind === 'query' };
      const search = new URLSearchParams({ query: request.query, variables: JSON.stringify(request.variables) });
      const got = { name: `${name} by GET`, method: 'GET', path: `/graphql?${search}`, headers: stream };
      return kind === 'mutation' ? [posted] : [posted, { ...got, isRead: kind === 'query' }];
    }),
  );
  const tools = TOOLS.map(({ name, operation }) => ({
    name: `tool ${name}`,
    method: 'POST',
    path: '/mcp',
    headers: { ...JSON_BODY, accept: 'application/json, text/event-stream' },
    // The arguments are missing, which is an error of the arguments and not of the key.
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } }),
    isRead: operation.startsWith('query'),
  }));
  return [...rows, ...fields, ...tools];
}
