import { LRUCache } from 'lru-cache';
import type { Tenant } from '../../../../platform/database/tenancy/tenancy.ts';
import type { Log } from '../../../../platform/telemetry/log.ts';
import type { Metrics } from '../../../../platform/telemetry/metrics.ts';
import { keepNewCodes, type SeenCode } from './new-codes.repository.ts';

/**
 * Codes that a carrier sends and its table has no row for. Operators see them on the day when they appear: counted for
 * each event, logged once a day by each process, and kept for `status`.
 */

/** A code of an event; null if there was a text alone. */
export interface NewCode {
  readonly carrierConnectionId: number;
  readonly carrierCode: string;
  readonly code: string | null;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MAX_REMEMBERED = 10_000;

/** Codes of connections that were kept in the last hour, and whether the connection is live. */
const kept = new LRUCache<string, { readonly isLive: boolean }>({ max: MAX_REMEMBERED, ttl: HOUR_MS });
/** Codes of carriers that were logged in the last day. */
const logged = new LRUCache<string, true>({ max: MAX_REMEMBERED, ttl: DAY_MS });

/** Codes as carriers form them. Anything else might be a text that somebody sent as a code. */
const CODE = /^[A-Z0-9][A-Z0-9_./-]{0,29}$/i;
const TEXT = '(text)';
const OTHER = '(other)';

/** Never rejects: the events are recorded already. */
export async function noteNewCodes(
  tenant: Tenant,
  codes: readonly NewCode[],
  metrics: Pick<Metrics, 'carrierCodeUnknown'>,
  log: Log,
): Promise<void> {
  if (codes.length === 0) return;
  const seen = codes.map(({ code, ...of }) => ({ ...of, code: shown(code) }));
  const keyOf = ({ carrierConnectionId, code }: SeenCode) => `${tenant.companyId} ${carrierConnectionId} ${code}`;
  const unkept = new Map(seen.filter(one => !kept.has(keyOf(one))).map(one => [keyOf(one), one]));
  if (unkept.size > 0) {
    try {
      const live = await tenant.lasting().transaction(tx => keepNewCodes(tx, [...unkept.values()]));
      const liveKeys = new Set(live.map(keyOf));
      for (const key of unkept.keys()) kept.set(key, { isLive: liveKeys.has(key) });
    } catch (error) {
      log.warn({ err: error }, 'new carrier codes not kept');
      return;
    }
  }
  const live = seen.filter(one => kept.get(keyOf(one))?.isLive);
  for (const { carrierCode, code } of live) metrics.carrierCodeUnknown(carrierCode, code);
  for (const [carrierCode, of] of Map.groupBy(live, one => one.carrierCode)) {
    const unlogged = [...new Set(of.map(({ code }) => code))].filter(code => !logged.has(`${carrierCode} ${code}`));
    if (unlogged.length === 0) continue;
    for (const code of unlogged) logged.set(`${carrierCode} ${code}`, true);
    log.warn({ carrierCode, codes: unlogged.slice(0, 20) }, 'carrier code unknown');
  }
}

function shown(code: string | null): string {
  if (code === null) return TEXT;
  return CODE.test(code) ? code.toUpperCase() : OTHER;
}
