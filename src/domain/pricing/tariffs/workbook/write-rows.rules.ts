import type { WrittenCell } from '../../../../platform/tables/write-workbook.ts';
import type { Field, Group, Leaf } from './form-tree.rules.ts';
import { rangeText } from './range-text.rules.ts';
import { NOTHING, numbered } from './workbook-columns.rules.ts';

/** Writes a part of a tariff as rows of cells. */

/** The cells of a row by the paths of their columns. */
type WrittenRow = Map<string, WrittenCell>;

/** Less than the 32,767 characters that a cell holds. A longer list continues in the next row. */
const MAX_CELL = 30_000;

/**
 * The rows of an object. Objects in its lists, numbered, stand one below the other; two lists stand side by side.
 */
export function rowsOf(group: Group, value: object, skipped: ReadonlySet<string>, path = ''): WrittenRow[] {
  const parts = [...group.fields].flatMap(([name, field]) => {
    const fieldPath = path === '' ? name : `${path}.${name}`;
    const content = (value as Record<string, unknown>)[name];
    return skipped.has(fieldPath) || content === undefined ? [] : [rowsOfField(field, content, fieldPath)];
  });
  const rows = sideBySide(parts);
  return rows.length === 0 && path !== '' ? [new Map([[path, NOTHING]])] : rows;
}

const NONE: ReadonlySet<string> = new Set();

function rowsOfField(field: Field, value: unknown, path: string): WrittenRow[] {
  if (field.kind === 'group') return rowsOf(field, value as object, NONE, path);
  if (field.kind !== 'repeated') return cellsOf(field, value).map(cell => new Map([[path, cell]]));
  return (value as readonly object[]).flatMap((item, i) => {
    const rows = rowsOf(field.item, item, NONE, path);
    for (const row of rows) row.set(numbered(path), i + 1);
    return rows;
  });
}

function sideBySide(parts: readonly WrittenRow[][]): WrittenRow[] {
  const length = Math.max(0, ...parts.map(part => part.length));
  return Array.from({ length }, (_, i) => new Map(parts.flatMap(part => [...(part[i] ?? [])])));
}

function cellsOf(leaf: Leaf, value: unknown): WrittenCell[] {
  switch (leaf.kind) {
    case 'list':
      return inPieces(value as readonly unknown[]);
    case 'range':
      return [rangeText(value as object)];
    case 'day':
      return [{ day: String(value) }];
    case 'yes':
    case 'boolean':
      return [value === true ? 'yes' : 'no'];
    default:
      return [typeof value === 'number' ? value : String(value)];
  }
}

function inPieces(items: readonly unknown[]): string[] {
  const pieces: string[] = [];
  let piece = '';
  for (const item of items) {
    const longer = piece === '' ? String(item) : `${piece}; ${item}`;
    if (longer.length > MAX_CELL) {
      pieces.push(piece);
      piece = String(item);
    } else {
      piece = longer;
    }
  }
  return [...pieces, piece];
}
