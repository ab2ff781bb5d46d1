import { createReadStream } from 'node:fs';
import { type FileHandle, open, readFile, rm, writeFile } from 'node:fs/promises';
import { addAbortSignal } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { findNodeAtLocation, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { Fault, pointer } from '../platform/fault.ts';
import { UnreadableTable } from '../platform/tables/sent-table.ts';
import { TextFileDecoder } from '../platform/tables/text-file-decoder.ts';
import { RejectedFile } from './rejected-file.ts';

type Path = readonly (string | number)[];

/** A file that was read: its value, and `within`, which adds the file and the place to an error of the value. */
export interface ReadFile<Value> {
  readonly value: Value;
  within<Result>(work: () => Result): Result;
}

/** `-` is standard input. @throws RejectedFile if it cannot be read, or is not JSON */
export async function readJson(file: string): Promise<ReadFile<unknown>> {
  const text = await readWords(file);
  let tree: Node | undefined;
  const errors: ParseError[] = [];
  const placeOf = (path: Path) => {
    tree ??= parseTree(text);
    return [lineAndColumn(text, offsetOf(tree, path)), ...(path.length === 0 ? [] : [pointer(path)])].join(' ');
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

/** Row and column as a spreadsheet counts them, after the sheet of a workbook. */
export function placeInTable(path: Path): string {
  const [sheet] = typeof path[0] === 'string' ? [path[0]] : [];
  const [row, column] = sheet === undefined ? path : path.slice(1);
  const parts = [
    ...(sheet === undefined ? [] : [`sheet ${sheet}`]),
    ...(row === undefined ? [] : [`row ${row}`]),
    ...(column === undefined ? [] : [`column ${column}`]),
  ];
  return parts.length === 0 ? '' : `${parts.join(', ')}:`;
}

interface Reading {
  /** Ends the reading. */
  readonly signal: AbortSignal;
  readonly onBytes: (count: number) => void;
}

/**
 * The text of a file in UTF-8 too large to be read at once, in pieces, until its end or `signal`.
 *
 * @throws RejectedFile if it cannot be read, or is not text
 */
export async function* streamText(file: string, { signal, onBytes }: Reading): AsyncGenerator<string> {
  const decoder = new TextFileDecoder(true);
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

/** The unparsed text of a file in UTF-8; `-` is standard input. @throws RejectedFile if it cannot be read */
export async function readWords(file: string): Promise<string> {
  const bytes = await readBytes(file);
  const decoder = new TextFileDecoder(true);
  try {
    return decoder.read(bytes) + decoder.end();
  } catch (error) {
    throw refused(file, 'read', error);
  }
}

/** The first sign of a text behind its blanks, which differs between a record of JSON and a table. */
export async function firstSign(file: string): Promise<string> {
  const handle = await open(file, 'r').catch(error => {
    throw refused(file, 'read', error);
  });
  try {
    const { buffer: bytes, bytesRead } = await handle.read(Buffer.alloc(MAX_BLANKS), 0, MAX_BLANKS, 0);
    return bytes
      .toString('utf8', 0, bytesRead)
      .replace(/^\uFEFF/, '')
      .trimStart()
      .charAt(0);
  } catch (error) {
    throw refused(file, 'read', error);
  } finally {
    await handle.close();
  }
}

const MAX_BLANKS = 64;

/** `-` is standard input. @throws RejectedFile if it cannot be read */
export function readBytes(file: string): Promise<Buffer> {
  return (file === '-' ? buffer(process.stdin) : readFile(file)).catch(error => {
    throw refused(file, 'read', error);
  });
}

/** @throws RejectedFile if it cannot be written */
export function writeText(file: string, text: string): Promise<void> {
  return writeBytes(file, Buffer.from(text));
}

/** @throws RejectedFile if it cannot be written */
export async function writeBytes(file: string, bytes: Uint8Array): Promise<void> {
  await writeFile(file, bytes).catch(error => {
    throw refused(file, 'written', error);
  });
}

function refused(file: string, done: 'read' | 'written', error: unknown): unknown {
  if (error instanceof UnreadableTable) return new RejectedFile([`${file} ${error.message}`]);
  const { code } = error as NodeJS.ErrnoException;
  const name = file === '' ? 'A file with an empty name' : file;
  return code === undefined ? error : new RejectedFile([`${name} ${REASONS[code] ?? `can't be ${done} (${code})`}`]);
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist',
  EEXIST: 'exists already',
  EISDIR: 'is a folder',
  EACCES: 'may not be opened: permission denied',
};

/** A value of a file, whose errors name the file and the place. */
export function readFrom<Value>(file: string, value: Value, placeOf: (path: Path) => string): ReadFile<Value> {
  return {
    value,
    within: work => {
      try {
        return work();
      } catch (error) {
        throw refusing(file, placeOf, error);
      }
    },
  };
}

function refusing(file: string, placeOf: (path: Path) => string, error: unknown): unknown {
  const issues = error instanceof Fault ? (error.options.issues ?? []) : [];
  if (issues.length === 0) return error;
  return new RejectedFile(issues.map(({ path, message }) => `${file}:${placeOf(path)} ${message}`));
}

/** The offset of a path in a document; for a missing member, the offset of the nearest parent. */
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
