import { createReadStream } from 'node:fs';
import { type FileHandle, open, readFile, rm, writeFile } from 'node:fs/promises';
import { addAbortSignal } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { CsvError, parse as parseCsv } from 'csv-parse/sync';
import { findNodeAtLocation, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { delimiterOf } from '../platform/csv-records.ts';
import { Fault, pointer } from '../platform/fault.ts';
import { RejectedFile } from './rejected-file.ts';
import { TextFileDecoder } from './text-file-decoder.ts';

type Path = readonly (string | number)[];

/** A file that was read: its value, and `within`, which adds the file and the place to an error of the value. */
export interface ReadFile<Value> {
  readonly value: Value;
  within<Result>(work: () => Result): Result;
  /** Like `within`, for asynchronous work. */
  awaiting<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** `-` is standard input. @throws RejectedFile if it cannot be read, or is not JSON */
export async function readJson(file: string): Promise<ReadFile<unknown>> {
  const text = await readText(file, true);
  let tree: Node | undefined;
  const errors: ParseError[] = [];
  const placeOf = (path: Path) => {
    tree ??= parseTree(text);
    return `${lineAndColumn(text, offsetOf(tree, path))} ${pointer(path)}`;
  };
  try {
    return readFrom(file, JSON.parse(text), placeOf);
  } catch {
    parseTree(text, errors, { disallowComments: true });
    const [first] = errors;
    const what = first ? printParseErrorCode(first.error) : 'InvalidJson';
    throw new RejectedFile([`${file}:${lineAndColumn(text, first?.offset ?? 0)} is not JSON: ${what}`]);
  }
}

/** Rows of cells, separated by semicolon, tab or comma. @throws RejectedFile if it cannot be read, or is not CSV */
export async function readCells(file: string): Promise<ReadFile<string[][]>> {
  const text = await readText(file, false);
  const delimiter = delimiterOf(text);
  try {
    const value = parseCsv(text, { delimiter, relax_column_count: true }) as string[][];
    return readFrom(file, value, placeOfCell);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new RejectedFile([`${file}: ${error.message}`]);
  }
}

/** The text of a file of cells that is too long to be read at once. The reader may stop at any piece. */
export function streamCells(file: string): ReadFile<AsyncIterable<string>> {
  const { signal } = new AbortController();
  return readFrom(file, streamText(file, { signal, onBytes: () => undefined, isUtf8: false }), placeOfCell);
}

function placeOfCell([row, column]: Path): string {
  if (row === undefined) return '';
  return `row ${row}${column === undefined ? '' : `, column ${column}`}:`;
}

interface Reading {
  /** Ends the reading. */
  readonly signal: AbortSignal;
  readonly onBytes: (count: number) => void;
  /** Whether only UTF-8 is allowed. */
  readonly isUtf8: boolean;
}

/**
 * The text of a file too large to be read at once, in pieces, until its end or `signal`.
 *
 * @throws RejectedFile if it cannot be read, or is not text
 */
export async function* streamText(file: string, { signal, onBytes, isUtf8 }: Reading): AsyncGenerator<string> {
  const decoder = new TextFileDecoder(file, isUtf8);
  const bytes = addAbortSignal(signal, file === '-' ? process.stdin : createReadStream(file));
  try {
    for await (const chunk of bytes as AsyncIterable<Buffer>) {
      onBytes(chunk.length);
      yield decoder.read(chunk);
    }
    yield decoder.end();
  } catch (error) {
    if (signal.aborted) return;
    throw refused(file, 'read', error);
  }
}

/** @throws RejectedFile if the file exists, or cannot be written */
export async function requireNewFile(file: string): Promise<void> {
  const handle = await open(file, 'wx').catch(error => {
    throw refused(file, 'written', error);
  });
  await handle.close();
  await rm(file);
}

/** Opens a file to which lines are added. @throws RejectedFile if it cannot be written */
export async function openForWriting(file: string, flags: 'w' | 'a'): Promise<FileHandle> {
  return open(file, flags).catch(error => {
    throw refused(file, 'written', error);
  });
}

/** The unparsed text of a file; `-` is standard input. @throws RejectedFile if it cannot be read */
export function readWords(file: string): Promise<string> {
  return readText(file, true);
}

async function readText(file: string, isUtf8: boolean): Promise<string> {
  const bytes = await (file === '-' ? buffer(process.stdin) : readFile(file)).catch(error => {
    throw refused(file, 'read', error);
  });
  const decoder = new TextFileDecoder(file, isUtf8);
  return decoder.read(bytes) + decoder.end();
}

/** @throws RejectedFile if it cannot be written */
export async function writeText(file: string, text: string): Promise<void> {
  await writeFile(file, text).catch(error => {
    throw refused(file, 'written', error);
  });
}

function refused(file: string, done: 'read' | 'written', error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  return code === undefined ? error : new RejectedFile([`${file} ${REASONS[code] ?? `can't be ${done} (${code})`}`]);
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist',
  EEXIST: 'exists already',
  EISDIR: 'is a folder',
  EACCES: 'may not be opened: permission denied',
};

function readFrom<Value>(file: string, value: Value, placeOf: (path: Path) => string): ReadFile<Value> {
  return {
    value,
    within: work => {
      try {
        return work();
      } catch (error) {
        throw refusing(file, placeOf, error);
      }
    },
    awaiting: work =>
      work().catch((error: unknown) => {
        throw refusing(file, placeOf, error);
      }),
  };
}

function refusing(file: string, placeOf: (path: Path) => string, error: unknown): unknown {
  const issues = error instanceof Fault ? (error.options.issues ?? []) : [];
  if (issues.length === 0) return error;
  return new RejectedFile(issues.map(({ path, message }) => `${file}:${placeOf(path)} ${message}`));
}

/** The offset of a path in a document; for a missing member, that of the nearest parent. */
function offsetOf(tree: Node | undefined, path: Path): number {
  const node = tree && findNodeAtLocation(tree, [...path]);
  if (node) return node.offset;
  return path.length === 0 ? 0 : offsetOf(tree, path.slice(0, -1));
}

/** As editors count them, from 1. */
function lineAndColumn(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n');
  return `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
}
