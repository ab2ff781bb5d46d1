import { ACCESS_COMMANDS } from './access-commands.ts';
import { CARRIER_COMMANDS } from './carrier-commands.ts';
import { INVOICE_COMMANDS } from './invoice-commands.ts';
import { TARIFF_COMMANDS } from './tariff-commands.ts';
import { WEBHOOK_COMMANDS } from './webhook-commands.ts';

/**
 * The commands that are operations of the graph, beside the endpoints of REST and the tools of assistants. All that a
 * row leaves out follows from its operation: the options are its variables, and the columns are its fields.
 */

/** What a file has that is the value of a variable. */
export type FileKind = 'text' | 'json' | 'base64' | 'tariff' | 'places' | 'rates';

/** One row: a command, and the operation that it runs. */
export interface CommandRow {
  /** The group and the word after it, or one word. */
  readonly name: string;
  readonly purpose: string;
  /**
   * The fields that a list or a record selects are what is shown. A variable `after` is set by the runner, which reads
   * page by page; a field with the alias `document` is printed as it is.
   */
  readonly operation: string;
  /** Names of options, by the path of a variable; by default the last word of the path. */
  readonly names?: Readonly<Record<string, string>>;
  /** Values that are read from files, by the path of a variable. */
  readonly files?: Readonly<Record<string, FileKind>>;
  /** The option that is typed without its name. */
  readonly argument?: string;
  /** Fields that a table leaves out. */
  readonly onlyInJson?: readonly string[];
  /** Options whose value can be removed by `none`. */
  readonly removable?: readonly string[];
  /** Whether it encrypts or opens secrets; only then the key of the settings must be theirs. */
  readonly opensSecrets?: true;
  /** What is confirmed first, as a sentence. */
  readonly confirm?: string;
  /** Whether the answer is a document, for a file or another program, and not a table. */
  readonly isDocument?: true;
  /** The note below the answer. */
  readonly note?: string;
  /** Whether an answer reports a failure. */
  readonly fails?: (answer: Readonly<Record<string, unknown>>) => boolean;
  /** The words after the name. */
  readonly examples: readonly string[];
}

export const COMMANDS: readonly CommandRow[] = [
  ...ACCESS_COMMANDS,
  ...CARRIER_COMMANDS,
  ...TARIFF_COMMANDS,
  ...INVOICE_COMMANDS,
  ...WEBHOOK_COMMANDS,
];

/** What the groups of these commands are about, unless commands by hand have said it. */
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
