/** No server may delay requests for longer. */
const MAX_RETRY_AFTER_MS = 24 * 3_600_000;

/** `Retry-After` as milliseconds from now, 24 hours at most: whole seconds, or an HTTP date. */
export function retryAfterMs(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined;
  const text = header.trim();
  const ms = /^\d{1,10}$/.test(text) ? Number(text) * 1000 : HTTP_DATE.test(text) ? Date.parse(text) - nowMs : NaN;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), MAX_RETRY_AFTER_MS);
}

/** `Date.parse` accepts texts that are not HTTP dates, such as "5 minutes". */
const HTTP_DATE = /^[A-Z][a-z]{2,8},? /;
