/** Entries of a list that a cell for people shows at most. */
const SHOWN = 3;

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

interface CellLayout {
  /** If it is set, times are shortened to the minute. */
  readonly columns?: number;
  /** Whether every entry of a list is shown. */
  readonly isWhole?: boolean;
}

/** A value as text: shortened for people, or whole for a file. */
export function cell(value: unknown, layout: CellLayout = {}): string {
  if (value === null || value === undefined) return '–';
  if (value instanceof Date) return layout.columns === undefined ? value.toISOString() : toTheMinute(value);
  if (Array.isArray(value)) {
    if (value.length === 0 && !layout.isWhole) return '–';
    const shown = (layout.isWhole ? value : value.slice(0, SHOWN)).map(entry => cell(entry, layout));
    return value.length > shown.length ? `${shown.join(', ')}, … (${value.length})` : shown.join(', ');
  }
  if (typeof value === 'string' && INSTANT.test(value)) return cell(new Date(value), layout);
  if (typeof value !== 'object') return String(value);
  const parts = Object.entries(value).map(([name, part]) => `${name} ${cell(part, layout)}`);
  return parts.join(', ') || '–';
}

/** Whether a value has fields of its own. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

/** `2026-11-22 20:10Z`. */
function toTheMinute(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace('T', ' ')}Z`;
}
