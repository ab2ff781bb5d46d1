/** What an export has, and in which form. */

/** Tables that are exported in the form in which they are imported or created again. */
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
  'tariff_version',
  'tariff_zone',
  'tariff_place',
  'tariff_band',
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

/** Columns of binary data that are no secret: hashes that show that nothing was changed. All other ones are left out. */
export const SHOWN_BINARY: ReadonlySet<string> = new Set(['audit_entry.hash', 'audit_head.hash']);

/** A file of the archive, as its manifest lists it. */
export interface ManifestFile {
  readonly name: string;
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: string;
  /** The command that takes it back; null where there is none. */
  readonly importedBy: string | null;
}

export interface Manifest {
  readonly format: 1;
  readonly companyId: string;
  readonly companyName: string;
  /** The company's sandbox, whose files are in the folder `sandbox/`; null where it has none. */
  readonly sandboxId: string | null;
  /** All files show the company as it was then. */
  readonly exportedAt: string;
  readonly files: readonly ManifestFile[];
  readonly leftOut: readonly { readonly what: string; readonly why: string }[];
}
