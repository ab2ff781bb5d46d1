import { randomUUID } from 'node:crypto';
import type { Tenant } from '../../../../platform/database/tenancy/tenancy.ts';
import type { TenantTransaction } from '../../../../platform/database/tenancy/tenant-transaction.ts';
import type { Jobs } from '../../../../platform/jobs/jobs.ts';
import type { Metrics } from '../../../../platform/telemetry/metrics.ts';
import { fanOut, insertWebhookEvents } from '../events/fan-out.repository.ts';
import { enqueue } from '../events/fan-out.service.ts';
import { type ForwardedNotice, forwardedNotices } from '../webhooks.queues.ts';
import { type Notice, noticeBody } from './notice.payload.ts';
import { noticed, wantsNotice } from './notice.rules.ts';
import { isKnownEvent, type NoticeRecipient, noticeRecipients, recipientsOfAllWithin } from './notices.repository.ts';

/** The tools that write notices. */
export interface Notifier {
  readonly jobs: Jobs;
  readonly metrics: Pick<Metrics, 'noticed'>;
}

/**
 * Writes a notice, its deliveries and their jobs, in the transaction of its cause. Companies that receive the notices
 * of all companies get it by a job, so that no transaction locks rows of two companies.
 *
 * @param ofItself the endpoint that the notice is about, which does not receive it
 */
export async function writeNotice(
  tx: TenantTransaction,
  { jobs, metrics }: Notifier,
  notice: Notice,
  ofItself?: string,
): Promise<void> {
  const { type } = notice;
  const { company, recipients } = await noticeRecipients(tx, false);
  const others = (await recipientsOfAllWithin(tx)).filter(
    ({ companyId, events }) => companyId !== tx.companyId && wantsNotice(events, type),
  );
  metrics.noticed(noticed(type));
  if (recipients.length + others.length === 0) return;
  const id = randomUUID();
  const body = noticeBody(id, new Date(), { id: tx.companyId, ...company }, notice);
  const notified = recipients.filter(({ endpointId }) => endpointId !== ofItself);
  await deliver(tx, jobs, { eventId: id, type, body }, notified);
  const companies = [...new Set(others.map(({ companyId }) => companyId))];
  await jobs.insert(
    tx.em,
    forwardedNotices,
    companies.map(companyId => ({ data: { companyId, about: tx.companyId, eventId: id, type, body } })),
  );
}

/** Writes a notice of another company. A repeated job writes nothing. */
export async function writeForwardedNotice(tenant: Tenant, forwarded: ForwardedNotice, jobs: Jobs): Promise<void> {
  await tenant.transaction(async tx => {
    if (await isKnownEvent(tx, forwarded.eventId)) return;
    const { recipients } = await noticeRecipients(tx, true);
    await deliver(tx, jobs, forwarded, recipients);
  });
}

async function deliver(
  tx: TenantTransaction,
  jobs: Jobs,
  { eventId, type, body }: Omit<ForwardedNotice, 'companyId' | 'about'>,
  recipients: readonly NoticeRecipient[],
): Promise<void> {
  const wanted = recipients
    .filter(({ events }) => wantsNotice(events, type))
    .map(({ endpointId }) => ({ eventId, endpointId }));
  if (wanted.length === 0) return;
  // 1, because 0 is for tests, which are not replayed.
  await insertWebhookEvents(tx, [{ id: eventId, type, shipmentId: null, sequence: 1, body }]);
  await enqueue(tx, jobs, await fanOut(tx, wanted));
}
