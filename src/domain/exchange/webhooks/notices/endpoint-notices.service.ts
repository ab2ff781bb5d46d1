import type { TenantTransaction } from '../../../../platform/database/tenancy/tenant-transaction.ts';
import type { CredentialsChange } from '../../../shipping/carriers/carriers.announcements.ts';
import type { EndpointNews } from '../deliveries/breaker.rules.ts';
import { endpointById } from '../endpoints/endpoints.repository.ts';
import type { Notice } from './notice.payload.ts';
import { type Notifier, writeNotice } from './notices.service.ts';

/** Notifies the other endpoints of a company about one of them, in the transaction that records its state. */
export async function noticeOfEndpoint(
  tx: TenantTransaction,
  notifier: Notifier,
  endpointId: string,
  news: EndpointNews,
): Promise<void> {
  const known = await endpointById(tx, endpointId);
  if (!known) return;
  const { label, url, topic } = known;
  // A URL may have a secret in its path or query.
  const endpoint = { id: endpointId, label, host: new URL(url).host, topic };
  await writeNotice(tx, notifier, noticeOf(endpoint, news), endpointId);
}

type Endpoint = Extract<Notice, { type: 'notice.endpoint_recovered' }>['data']['endpoint'];

function noticeOf(endpoint: Endpoint, news: EndpointNews): Notice {
  if (news.kind === 'recovered') return { type: 'notice.endpoint_recovered', data: { endpoint } };
  const failingSince = news.failingSince.toISOString();
  if (news.kind === 'disabled') {
    return { type: 'notice.endpoint_disabled', data: { endpoint, reason: news.reason, failingSince } };
  }
  const { percent, disabledAfter } = news;
  const data = { endpoint, percent, failingSince, disabledAfter: disabledAfter.toISOString() };
  return { type: 'notice.endpoint_failing', data };
}

/** Writes a notice that a carrier rejects or accepts the credentials of a connection, in the recording transaction. */
export async function noticeOfCredentials(
  tx: TenantTransaction,
  { verdict, connection, question, notifier }: CredentialsChange,
): Promise<void> {
  const { id, carrierCode, label } = connection;
  const type = `notice.credentials_${verdict}` as const;
  await writeNotice(tx, notifier, { type, data: { connection: { id, carrierCode, label }, question } });
}
