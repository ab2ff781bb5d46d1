import { RETRY_AFTER_MS } from '../../domain/webhooks/deliveries/schedule.rules.ts';
import { duration } from './duration.ts';
import { table } from './markdown.ts';

/** When each attempt of a delivery is made. */
export function webhookRetries(): string {
  const later = RETRY_AFTER_MS.map((ms, i) => [String(i + 2), `${duration(ms)} after attempt ${i + 1}`]);
  return table(['Attempt', 'When'], [['1', 'at once'], ...later]);
}
