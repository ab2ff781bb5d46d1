import { ACCESS_COMMANDS } from './access-commands.ts';
import { CARRIER_COMMANDS } from './carrier-commands.ts';
import type { CommandRow } from './command-row.ts';
import { INVOICE_COMMANDS } from './invoice-commands.ts';
import { TARIFF_COMMANDS } from './tariff-commands.ts';
import { WEBHOOK_COMMANDS } from './webhook-commands.ts';

/**
 * The commands that are operations of the graph, beside the endpoints of REST and the tools of assistants. All that a
 * row leaves out follows from its operation: the options are its variables, and the columns are its fields.
 */

export const COMMANDS: readonly CommandRow[] = [
  ...ACCESS_COMMANDS,
  ...CARRIER_COMMANDS,
  ...TARIFF_COMMANDS,
  ...INVOICE_COMMANDS,
  ...WEBHOOK_COMMANDS,
];

/** Descriptions of the groups of these commands. */
export const GROUPS: Readonly<Record<string, string>> = {
  key: 'API keys of companies',
  carrier: 'Carrier connections: accounts of companies at carriers',
  fuel: 'Indexes of carriers by day or month, which tariffs refer to',
  places: 'Lists of places of carriers, which tariffs refer to',
  tariff: 'Tariffs of carrier connections',
  invoice: 'Invoices of carriers, compared with the tariffs of connections',
  webhook: 'Webhook endpoints and their deliveries',
  notice: 'Webhook endpoints for notices',
};
