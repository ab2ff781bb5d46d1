import { InvalidArgumentError } from 'commander';
import { Fault, pointer } from '../platform/fault.ts';
import { readGlobalId } from '../platform/record-id.ts';
import { StartupError } from '../platform/startup-error.ts';
import { cell, isRecord } from './cell.ts';
import type { CommandRow } from './command-row.ts';
import { confirm } from './confirmation.ts';
import { type ReadFile, readFrom, readJson, writeText } from './files.ts';
import { withGraph } from './graph-session.ts';
import { NONE, type OperationOption } from './operation-options.ts';
import { readVariableFile } from './variable-files.ts';

/** Runs the operation of a command, and returns what it shows. */

interface Chosen {
  readonly company: string;
  readonly all?: true;
  readonly out?: string;
  readonly yes?: true;
}

/** @param values the value of each option, in their order; undefined for an option that was not given */
export async function runOperation(
  row: CommandRow,
  options: readonly OperationOption[],
  values: readonly unknown[],
  { company, all, out, yes }: Chosen,
): Promise<unknown> {
  const { variables, located } = await variablesOf(options, values);
  if (row.confirm !== undefined && variables.dryRun !== true) await confirm(row.confirm, yes);
  return withGraph({ companyId: company, opensSecrets: row.opensSecrets }, async run => {
    const read = async (after?: string) =>
      shown(
        await located(() => run(row.operation, after === undefined ? variables : { ...variables, after })),
        '',
        row.operation.startsWith('mutation'),
      );
    let page = await read();
    let value = page.value;
    if (value === null || (row.isDocument && isEmpty(value))) throw new StartupError('There is none.');
    const followsAll = row.isDocument || all;
    while (page.next !== null && followsAll) {
      page = await read(page.next);
      value = joined(value, page.value);
    }
    if (page.next !== null) process.stderr.write('There are more: --all shows them too.\n');
    if (row.isDocument) await printDocument(value, out);
    return value;
  });
}

/** The variables, and `located`, which adds file and place to an error in the value of a file. */
async function variablesOf(options: readonly OperationOption[], values: readonly unknown[]) {
  const variables: Record<string, unknown> = {};
  const files: { readonly place: OperationOption['place']; readonly source: ReadFile<unknown> }[] = [];
  for (const [i, option] of options.entries()) {
    let value = values[i];
    if (value === undefined) continue;
    if (option.canBeNone && value === NONE) value = null;
    else if (typeof value === 'string' && (option.file || option.isJson)) {
      const source = await readValue(option, value);
      files.push({ place: option.place, source });
      value = source.value;
    }
    put(variables, option.path, value);
  }
  const located = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      const { issues = [], results } = error instanceof Fault ? error.options : {};
      // Counts of the rows that were read before the rejection.
      for (const [name, value] of Object.entries(results ?? {})) process.stderr.write(`${name}: ${cell(value)}\n`);
      const file = files.find(({ place }) => issues.length > 0 && issues.every(({ path }) => begins(path, place)));
      if (!file || !(error instanceof Fault)) throw error;
      const within = issues.map(issue => ({ ...issue, path: issue.path.slice(file.place.length) }));
      return file.source.within(() => {
        throw new Fault(error.code, { ...error.options, issues: within });
      });
    }
  };
  return { variables, located };
}

function begins(path: readonly PropertyKey[], place: readonly PropertyKey[]): boolean {
  return place.every((step, i) => path[i] === step);
}

/** Reads the value of an option from the named file, or as JSON if JSON is typed. */
function readValue({ file, name }: OperationOption, text: string): Promise<ReadFile<unknown>> {
  if (file && file !== 'json') return readVariableFile(file, text);
  return /^\s*[[{]/.test(text) ? Promise.resolve(typedJson(name, text)) : readJson(text);
}

function typedJson(name: string, text: string): ReadFile<unknown> {
  try {
    return readFrom(`--${name}`, JSON.parse(text), path => ` ${pointer(path)}`);
  } catch {
    throw new InvalidArgumentError(`--${name} must be JSON, or the name of a JSON file.`);
  }
}

function put(target: Record<string, unknown>, [first = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    target[first] = value;
    return;
  }
  target[first] ??= {};
  put(target[first] as Record<string, unknown>, rest, value);
}

interface Shown {
  readonly value: unknown;
  /** Where the next page begins; null if this is the last. */
  readonly next: string | null;
}

type Fields = Readonly<Record<string, unknown>>;

/** The name of a field whose value is printed as it is. */
const DOCUMENT = 'document';

/**
 * The subject of a response: the object in the only field of an object, or the nodes of a list. Several fields stay
 * beside each other. A change that leaves nothing shows null by the name of its field.
 */
function shown(data: unknown, name = '', isChange = false): Shown {
  if (!isRecord(data) || name === DOCUMENT) return { value: plain(data, name), next: null };
  const { pageInfo, endCursor, ...fields } = data as Fields & { pageInfo?: PageInfo; endCursor?: string | null };
  const next = pageInfo ? (pageInfo.hasNextPage ? pageInfo.endCursor : null) : (endCursor ?? null);
  const [[only = '', value] = [], ...others] = Object.entries(fields);
  const isLast = value === null ? isChange : typeof value !== 'object' && only !== DOCUMENT;
  if (others.length > 0 || isLast) return { value: plain(fields), next };
  const inner = shown(value, only, isChange);
  return { value: inner.value, next: inner.next ?? next };
}

interface PageInfo {
  readonly hasNextPage: boolean;
  readonly endCursor: string;
}

/** A value as it is printed: nodes in place of the list that has them, and keys in place of global ids. */
function plain(value: unknown, name = ''): unknown {
  if (name === DOCUMENT) return value;
  if (Array.isArray(value)) return value.map(one => plain(one, name));
  if (isRecord(value)) {
    if (Array.isArray(value.nodes)) return plain(value.nodes);
    return Object.fromEntries(Object.entries(value).map(([field, inner]) => [field, plain(inner, field)]));
  }
  return typeof value === 'string' && /^id$|Ids?$/.test(name) ? keyOf(value) : value;
}

/** Commands take keys, which REST, logs and metrics show too. A key with spaces stays a global id. */
function keyOf(id: string): string {
  const { key = id } = readGlobalId(id) ?? {};
  return /^[\w.-]+$/.test(key) ? key : id;
}

function joined(before: unknown, after: unknown): unknown {
  if (Array.isArray(before)) return [...before, ...(after as unknown[])];
  return typeof before === 'string' ? before + String(after) : after;
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

async function printDocument(value: unknown, out: string | undefined): Promise<void> {
  const document = Array.isArray(value) && isRecord(value[0]) && DOCUMENT in value[0] ? value[0].document : value;
  const text = typeof document === 'string' ? document : `${JSON.stringify(document, null, 2)}\n`;
  if (out === undefined) process.stdout.write(text);
  else await writeText(out, text);
}
