import type { Tenant } from '../../../../platform/database/tenancy/tenancy.ts';
import type { Jobs } from '../../../../platform/jobs/jobs.ts';
import type { Caps } from '../../../../platform/limits/caps.ts';
import type { EndpointRow } from '../endpoints/endpoints.repository.ts';
import {
  addEndpoint,
  changeFields,
  type EndpointWithSecret,
  readAllowed,
  type WebhookSettings,
} from '../endpoints/endpoints.service.ts';
import {
  createNoticeInput,
  type NoticeEndpointInput,
  type NoticeEndpointPatch,
  updateNoticeInput,
} from './notice-endpoint.input.ts';

/**
 * Creates an endpoint for notices: a webhook endpoint with another topic.
 *
 * @param allCompanies whether it receives the notices of all companies, which only an operator may set
 * @throws Fault `validation_failed`, `webhook_limit_reached`
 */
export async function createNoticeEndpoint(
  tenant: Tenant,
  settings: WebhookSettings,
  caps: Pick<Caps, 'webhookEndpoints'>,
  input: NoticeEndpointInput,
  { allCompanies = false }: { allCompanies?: boolean | undefined } = {},
): Promise<EndpointWithSecret> {
  const { notices, ...fields } = await readAllowed(tenant, createNoticeInput, input, settings.policy);
  return addEndpoint(tenant, settings, caps, {
    ...fields,
    events: notices,
    filter: null,
    topic: 'notices',
    allCompanies,
  });
}

/** Changes the fields that are sent. @throws Fault `validation_failed`, `webhook_not_found` */
export async function updateNoticeEndpoint(
  tenant: Tenant,
  jobs: Jobs,
  { policy }: WebhookSettings,
  id: string,
  patch: NoticeEndpointPatch,
): Promise<EndpointRow> {
  const { notices, ...fields } = await readAllowed(tenant, updateNoticeInput, patch, policy);
  return changeFields(tenant, jobs, { id, topic: 'notices' }, { ...fields, ...(notices && { events: notices }) });
}
