import type { Field, Group, Leaf } from './form-tree.rules.ts';

/** The columns of a part of the form. */

export interface Column {
  /** The path of the field, such as `when.to.provinces`. */
  readonly path: string;
  /** The text of the header, such as `when to provinces`. */
  readonly header: string;
  /** Undefined for the number of an object in a list, and for a group that is there and empty. */
  readonly leaf?: Leaf;
  readonly holds: 'value' | 'number' | 'presence';
}

/** The cell of a group that is stated without any content. */
export const NOTHING = 'nothing';

/** The columns of a part in the order of the form. A list of objects has a column for their numbers before its own. */
export function columnsOf(group: Group, skipped: ReadonlySet<string> = new Set(), path = ''): Column[] {
  return [...group.fields].flatMap(([name, field]) => {
    const fieldPath = path === '' ? name : `${path}.${name}`;
    return skipped.has(fieldPath) ? [] : columnsOfField(field, fieldPath);
  });
}

function columnsOfField(field: Field, path: string): Column[] {
  if (field.kind === 'group') {
    return [{ path, header: inWords(path), holds: 'presence' }, ...columnsOf(field, undefined, path)];
  }
  if (field.kind === 'repeated') {
    return [
      { path: numbered(path), header: `${inWords(path)} no.`, holds: 'number' },
      ...columnsOf(field.item, undefined, path),
    ];
  }
  return [{ path, header: inWords(path), leaf: field, holds: 'value' }];
}

/** The path of the numbers of the objects in a list. */
export function numbered(path: string): string {
  return `${path}#`;
}

/** `when.parcel.longestSideCm` → `when parcel longest side cm`, and `cm3PerKg` → `cm3 per kg`. */
export function inWords(path: string): string {
  return path
    .replaceAll('.', ' ')
    .replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, ' ')
    .toLowerCase();
}
