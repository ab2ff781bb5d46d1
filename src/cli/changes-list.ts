import type { Command } from 'commander';
import { tenantOfCompany } from '../domain/account/access/access.service.ts';
import { changeFilter } from '../domain/shipping/tracking/changes/changes.input.ts';
import type { ChangeCursor, ChangeRow } from '../domain/shipping/tracking/changes/changes.rules.ts';
import {
  type ChangeFilter,
  type CursorExpired,
  changeLogState,
} from '../domain/shipping/tracking/changes/changes.service.ts';
import { liveChanges } from '../domain/shipping/tracking/changes/live-changes.service.ts';
import { shipmentById } from '../domain/shipping/tracking/tracking.service.ts';
import { Notifications } from '../platform/database/connections/notifications.ts';
import { CompanySignals } from '../platform/database/tenancy/company-signals.ts';
import type { Tenant } from '../platform/database/tenancy/tenancy.ts';
import { Fault } from '../platform/fault.ts';
import { readInput } from '../platform/input.ts';
import { StartupError } from '../platform/startup-error.ts';
import { stopCalled, wantsJson } from './options.ts';
import { withDatabase } from './session.ts';

export interface ChangeListOptions {
  readonly company: string;
  readonly follow?: true;
  readonly after?: number;
  readonly kinds?: readonly string[];
  readonly statuses?: readonly string[];
  readonly shipment?: number;
}

const AT_ONCE = 250;
const RETRY_MS = 500;

/** The position up to which the log has been printed; null prints from the oldest stored change. */
interface Place {
  cursor: ChangeCursor | null;
}

/** Prints changes. With `--follow` it continues until it is stopped, and survives an outage of the database. */
export async function listChanges(options: ChangeListOptions, command: Command): Promise<void> {
  const { company, follow = false, after, kinds, statuses, shipment } = options;
  const isJson = wantsJson(command);
  const stopped = new AbortController();
  void stopCalled().then(() => stopped.abort());
  const filter = {
    ...readInput(changeFilter, { kinds, statusCodes: statuses }),
    shipmentIds: shipment === undefined ? undefined : [shipment],
  };
  await withDatabase(
    async ({ database, databaseUrl, log }) => {
      const tenant = await tenantOfCompany(database, company);
      const place: Place = { cursor: after === undefined ? null : { number: after } };
      const print = (changes: readonly ChangeRow[]) => printChanges(tenant, changes, isJson);
      if (!follow) return printPages(tenant, place, filter, { print, isOver: () => stopped.signal.aborted });
      if (after === undefined) {
        const { epoch, last } = await changeLogState(tenant);
        place.cursor = { epoch, number: last };
      }
      const notifications = new Notifications(databaseUrl, log);
      const waker = new Waker(stopped.signal);
      const leave = new CompanySignals(notifications).on(tenant.companyId, () => waker.wake());
      await notifications.start();
      try {
        const steps = { print, isOver: () => stopped.signal.aborted, wait: () => waker.woken() };
        while (!stopped.signal.aborted) await persistently(() => printPages(tenant, place, filter, steps), waker);
      } finally {
        leave();
        await notifications.close();
      }
    },
    { endsItself: true },
  );
}

interface Steps {
  readonly print: (changes: readonly ChangeRow[]) => Promise<void>;
  readonly isOver: () => boolean;
  /** Waits for more at the end of the log; without it, the command stops there. */
  readonly wait?: () => Promise<void>;
}

async function printPages(
  tenant: Tenant,
  place: Place,
  filter: ChangeFilter,
  { print, isOver, wait }: Steps,
): Promise<void> {
  for await (const { value, hasMore } of liveChanges(() => tenant, place.cursor, AT_ONCE, filter)) {
    if (value !== undefined) {
      if (!('changes' in value)) throw expired(value);
      await print(value.changes);
      place.cursor = { epoch: value.epoch, number: value.upTo };
    }
    if (!hasMore) {
      if (!wait) return;
      await wait();
    }
    if (isOver()) return;
  }
}

/** Repeats work after a pause while the database is down. */
async function persistently(work: () => Promise<void>, waker: Waker): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Fault && error.code === 'unavailable')) throw error;
    await waker.woken(RETRY_MS);
  }
}

function expired({ because, oldest }: CursorExpired): StartupError {
  const why =
    because === 'deleted'
      ? 'The changes after this number are no longer kept'
      : 'The database was restored or the service upgraded';
  return new StartupError(`${why}: start with --after ${oldest - 1}.`);
}

/** Waits until it is woken or ended; a wake-up before the wait counts. */
class Waker {
  readonly #signal: AbortSignal;
  #isWoken = false;
  #resume: (() => void) | undefined;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener('abort', () => this.wake());
  }

  wake(): void {
    this.#isWoken = true;
    this.#resume?.();
  }

  async woken(withinMs?: number): Promise<void> {
    if (!this.#isWoken && !this.#signal.aborted) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#resume = resolve;
      const timer = withinMs === undefined ? undefined : setTimeout(resolve, withinMs);
      await promise;
      clearTimeout(timer);
    }
    this.#resume = undefined;
    this.#isWoken = false;
  }
}

async function printChanges(tenant: Tenant, changes: readonly ChangeRow[], isJson: boolean): Promise<void> {
  const shipments = await Promise.all(changes.map(({ shipmentId }) => shipmentById(tenant, shipmentId)));
  const lines = changes.map((change, i) => {
    const trackingNumber = shipments[i]?.trackingNumber ?? null;
    return isJson ? jsonLine(change, trackingNumber) : textLine(change, trackingNumber);
  });
  process.stdout.write(lines.join(''));
}

function jsonLine(change: ChangeRow, trackingNumber: string | null): string {
  const { epoch: _, number, kind, at, shipmentId, eventId, statusCode, previousStatusCode, detail } = change;
  const event = eventId === null ? {} : { eventId: String(eventId) };
  const step = statusCode === null ? {} : { statusCode, previousStatusCode };
  const when = new Date(at).toISOString();
  return `${JSON.stringify({ number, at: when, kind, shipmentId, trackingNumber, ...event, ...step, ...detail })}\n`;
}

function textLine(
  { number, kind, at, statusCode, previousStatusCode, detail }: ChangeRow,
  trackingNumber: string | null,
) {
  const what = statusCode === null ? Object.values(detail ?? {}).join(' ') : `${previousStatusCode} → ${statusCode}`;
  const [time, name] = [new Date(at).toISOString(), (trackingNumber ?? '–').padEnd(20)];
  // A tracking number may contain control characters of a terminal.
  return `${`${String(number).padStart(8)}  ${time}  ${kind.padEnd(8)}  ${name}  ${what}`.replace(/\p{Cc}/gu, '?').trimEnd()}\n`;
}
