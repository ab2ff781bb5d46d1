import type { ProcessMetrics } from '../../platform/telemetry/gathered-metrics.ts';
import type { Ready } from '../service.ts';

// The messages between a primary process and its children.

export type FromChild =
  | { readonly type: 'ready'; readonly ready: Ready }
  /** Sent before its end by a process that cannot start. */
  | { readonly type: 'failed'; readonly failure: string }
  | { readonly type: 'values'; readonly values: ProcessMetrics }
  /** Asks for the metrics of all processes, which `metrics` returns. */
  | { readonly type: 'scrape' };

export type FromPrimary =
  /** Asks for the child's own metrics, which `values` returns. */
  | { readonly type: 'report' }
  /** Without a text if the metrics are not available. */
  | { readonly type: 'metrics'; readonly text?: string | undefined };
