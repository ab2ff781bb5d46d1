import type { Figures } from '../../platform/telemetry/gathered-metrics.ts';
import type { Ready } from '../service.ts';

// What a primary process and its children say to each other.

export type FromChild =
  | { readonly type: 'ready'; readonly ready: Ready }
  /** Sent by one that cannot start, before it ends. */
  | { readonly type: 'failed'; readonly failure: string }
  | { readonly type: 'figures'; readonly figures: Figures }
  /** Asks for the metrics of all processes, as `metrics` has them. */
  | { readonly type: 'scrape' };

export type FromPrimary =
  /** Asks for the child's own metrics, as `figures` has them. */
  | { readonly type: 'report' }
  /** Without a text where they cannot be had. */
  | { readonly type: 'metrics'; readonly text?: string | undefined };
