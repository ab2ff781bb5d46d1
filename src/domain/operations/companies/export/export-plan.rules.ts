/** The content of an export, and its formats. */

/** Tables that are exported in the format of an import or a creation. */
export const IN_OWN_FORM: ReadonlySet<string> = new Set([
  'warehouse',
  'carrier_connection',
  'customer_order',
  'order_contact',
  'shipment',
  'shipment_contact',
  'shipment_label',
  'shipment_relation',
  'tracking_event',
  'tariff',
  'carrier_reference',
  'webhook_endpoint',
]);

/** Tables that are not exported, each with the reason. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  webhook_secret: 'Secrets of webhook endpoints are never exported.',
  idempotent_request: 'Responses that are kept for an Idempotency-Key for 24 hours; they can hold secrets.',
  rate_use: 'Counters of the current minute.',
  suspended_job: 'Jobs that wait while the company is suspended.',
};

/** Binary columns that are not secret: hashes that prove integrity. All others are left out. */
export const SHOWN_BINARY: ReadonlySet<string> = new Set(['audit_entry.hash', 'audit_head.hash']);

/** A file of the archive, as its manifest lists it. */
export interface ManifestFile {
  readonly name: string;
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: string;
  /** The command that imports it; null if there is none. */
  readonly importedBy: string | null;
}

export interface Manifest {
  readonly format: 1;
  readonly companyId: string;
  readonly companyName: string;
  /** The company's sandbox, whose files are in the folder `sandbox/`; null without one. */
  readonly sandboxId: string | null;
  /** The time of the snapshot that all files show. */
  readonly exportedAt: string;
  readonly files: readonly ManifestFile[];
  readonly leftOut: readonly { readonly what: string; readonly why: string }[];
}
