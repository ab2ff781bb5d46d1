/** The form of a row of `commands.ts`. */

/** The content of a file whose name is typed in the place of a value. */
export type FileKind = 'text' | 'json' | 'base64' | 'tariff' | 'places' | 'rates';

/** One row: a command, and the operation that it runs. */
export interface CommandRow {
  /** The group and the word after it, or one word. */
  readonly name: string;
  readonly purpose: string;
  /**
   * The selected fields are the columns. The runner sets a variable `after`, since it reads page by page; it prints a
   * field with the alias `document` unchanged.
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
  /** The sentence that an operator confirms first. */
  readonly confirm?: string;
  /** Whether the answer is a document, for a file or another program, and not a table. */
  readonly isDocument?: true;
  /** The note below the answer. */
  readonly note?: string;
  /** Whether an answer reports a failure. */
  readonly fails?: (answer: Readonly<Record<string, unknown>>) => boolean;
  /** The words after the name, without `--company`. */
  readonly examples: readonly string[];
}
