import type { Actor } from '../../../platform/database/tenancy/actor.ts';

/** Acts that the audit trail records, with their meaning. */
export const AUDIT_ACTIONS = {
  company_created: 'The company was created.',
  company_suspended: 'The company was suspended: its keys are rejected and its jobs wait.',
  company_resumed: 'The company was resumed.',
  company_exported: 'All data of the company was exported.',
  company_erasure_begun: 'The erasure of the company was begun.',
  key_issued: 'An API key was issued.',
  key_updated: 'The label or the rates of an API key were changed.',
  key_rotated: 'An API key was issued as the successor of another one.',
  key_revoked: 'An API key was revoked.',
  carrier_connected: 'A carrier connection was created.',
  carrier_updated: 'A carrier connection was changed.',
  carrier_credentials_changed: 'The credentials of a carrier connection were replaced or removed.',
  carrier_disconnected: 'A carrier connection was removed.',
  tariff_imported: 'The tariff of a carrier connection was replaced.',
  tariff_scheduled: 'A draft of a tariff was scheduled: the service publishes it on a day.',
  tariff_draft_discarded: 'A draft of a tariff was deleted.',
  fuel_index_imported: 'Percentages of a fuel index were imported.',
  place_list_replaced: 'A list of places was replaced.',
  carrier_reference_deleted: 'A list of places or a fuel index was deleted.',
  webhook_created: 'A webhook endpoint was created.',
  webhook_updated: 'A webhook endpoint was changed.',
  webhook_paused: 'A webhook endpoint was paused.',
  webhook_resumed: 'A webhook endpoint was resumed.',
  webhook_disabled: 'The service disabled a webhook endpoint because its receiver failed.',
  webhook_deleted: 'A webhook endpoint was deleted.',
  webhook_secret_rotated: 'A webhook endpoint got a new secret.',
} as const;

export type AuditAction = keyof typeof AUDIT_ACTIONS;

export type AuditSubject =
  | { readonly type: 'Company' | 'CompanyApiKey' | 'WebhookEndpoint'; readonly key: string }
  | { readonly type: 'CarrierConnection'; readonly key: number }
  | { readonly type: 'CarrierReference'; readonly key: string };

export interface Act {
  readonly action: AuditAction;
  readonly subject: AuditSubject;
  /** The changed values, without secrets, credentials or persons. */
  readonly detail?: Readonly<Record<string, unknown>>;
}

/** The content of an entry, in the form in which it is stored and hashed. */
export interface AuditContent extends Act {
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly actor: Actor;
}
