import { tenantOfCompany } from '../domain/access/access.service.ts';
import { deliveryBody, sendTestEvent } from '../domain/webhooks/deliveries/deliveries.service.ts';
import { sendTestEventInput } from '../domain/webhooks/endpoints/endpoint.input.ts';
import { webhookEndpoint } from '../domain/webhooks/endpoints/endpoints.service.ts';
import {
  createEndpointForEvents,
  endpointSummary,
  updateEndpointOfAnyTopic,
} from '../domain/webhooks/webhook-admin.service.ts';
import { readInput } from '../platform/input.ts';
import { openSecrets } from '../wiring/service-secrets.ts';
import { readWords } from './files.ts';
import { words } from './options.ts';
import { type Session, withJobs } from './session.ts';

/** `webhook create`, `update` and `test`: endpoints of each topic, with the fields that REST does not have. */

export interface EndpointOptions {
  readonly company: string;
  readonly label?: string;
  readonly url?: string;
  readonly events?: string;
  readonly carriers?: string;
  readonly warehouses?: string;
  readonly marketplaces?: string;
  readonly statuses?: string;
  readonly metadata?: readonly string[];
  /** False if the filter is to be removed. */
  readonly filter?: boolean;
  /** The name of a file. */
  readonly selection?: string;
  /** Whether it receives the notices of all companies. */
  readonly allCompanies?: true;
}

export function createWebhook({
  label = '',
  url = '',
  events = '',
  ...options
}: EndpointOptions & { company: string }) {
  return withJobs(async ({ config, database }) => {
    const tenant = await tenantOfCompany(database, options.company);
    const fields = { label, url, events: words(events), ...(await ownFields(options)) };
    const settings = await webhooks(database, config);
    const { secret, ...created } = await createEndpointForEvents(tenant, settings, config.caps, fields as never, {
      allCompanies: options.allCompanies ?? false,
    });
    return { ...endpointSummary(created), secret };
  });
}

export function updateWebhook({ endpoint, ...options }: EndpointOptions & { readonly endpoint: string }) {
  return withJobs(async ({ config, database, announcer: { jobs } }) => {
    const tenant = await tenantOfCompany(database, options.company);
    const { label, url, events } = options;
    const fields = {
      ...(label !== undefined && { label }),
      ...(url !== undefined && { url }),
      ...(events !== undefined && { events: words(events) }),
      ...(await ownFields(options)),
    };
    const settings = await webhooks(database, config);
    return endpointSummary(await updateEndpointOfAnyTopic(tenant, jobs, settings, endpoint, fields as never));
  });
}

interface TestOptions {
  readonly company: string;
  readonly endpoint: string;
  readonly event?: string;
}

export function testWebhook({ company, endpoint, event }: TestOptions) {
  return withJobs(async ({ database, announcer }) => {
    const tenant = await tenantOfCompany(database, company);
    const { type } = readInput(sendTestEventInput, { ...(event !== undefined && { type: event }) });
    const { id, eventId, eventType, status } = await sendTestEvent(tenant, announcer, endpoint, type);
    const { selection } = await webhookEndpoint(tenant, endpoint);
    // A worker renders the body of a selection before it sends it.
    const body = selection === null ? JSON.parse(await deliveryBody(tenant, id)) : undefined;
    return { delivery: id, eventId, eventType, status, body };
  });
}

async function webhooks(database: Session['database'], config: Session['config']) {
  return { policy: config.webhookPolicy, box: await openSecrets(database, config) };
}

/** The filter and the selection, if they were given. */
async function ownFields({ filter, selection, ...conditions }: EndpointOptions) {
  const { carriers, warehouses, marketplaces, statuses, metadata } = conditions;
  const given = {
    ...(carriers !== undefined && { carriers: words(carriers).map(code => code.toUpperCase()) }),
    ...(warehouses !== undefined && { warehouseIds: words(warehouses).map(Number) }),
    ...(marketplaces !== undefined && { marketplaces: words(marketplaces) }),
    ...(statuses !== undefined && { statusCodes: words(statuses) }),
    ...(metadata !== undefined && { metadata: metadata.map(conditionOf) }),
  };
  return {
    ...(filter === false ? { filter: null } : Object.keys(given).length > 0 && { filter: given }),
    ...(selection !== undefined && { selection: selection === NONE ? null : await readWords(selection) }),
  };
}

/** Typed in place of a file, to remove the selection. */
const NONE = 'none';

/** `channel=b2b,b2c`. */
function conditionOf(text: string) {
  const [key = '', ...values] = text.split('=');
  return { key: key.trim(), values: words(values.join('=')) };
}
